/** What editors do to the photos of a gallery: change one or many, remove, order, load the grid. */
import * as editing from '#src/features/photo-editor/editing.service.ts';
import { moveTo, otherGalleries, type PhotoMovingDeps } from '#src/features/photo-editor/moving.service.ts';
import { move, type PhotoOrderingDeps } from '#src/features/photo-editor/ordering.service.ts';
import { facts, layout, showCounts, type PhotoGridDeps } from '#src/features/photo-editor/photo-grid.service.ts';
import { bind } from '#src/shared/bind.ts';

export type PhotoEditorService = ReturnType<typeof createPhotoEditor>;

export function createPhotoEditor(
  deps: editing.PhotoEditingDeps & PhotoGridDeps & PhotoOrderingDeps & PhotoMovingDeps,
) {
  return bind(deps, { ...editing, move, moveTo, otherGalleries, layout, facts, showCounts });
}
