/** What editors do to the photos of a gallery: change one or many, remove, put in order, look at the grid. */
import { createPhotoBulk, type PhotoBulkDeps } from '#src/features/photo-editor/bulk.service.ts';
import { createPhotoEditing, type PhotoEditingDeps } from '#src/features/photo-editor/editing.service.ts';
import { createPhotoOrdering, type PhotoOrderingDeps } from '#src/features/photo-editor/ordering.service.ts';
import { createPhotoGrid, type PhotoGridDeps } from '#src/features/photo-editor/photo-grid.service.ts';

export type PhotoEditorDeps = PhotoEditingDeps & PhotoGridDeps & PhotoOrderingDeps & PhotoBulkDeps;
export type PhotoEditorService = ReturnType<typeof createPhotoEditor>;

export function createPhotoEditor(deps: PhotoEditorDeps) {
  return {
    ...createPhotoEditing(deps),
    ...createPhotoGrid(deps),
    ...createPhotoOrdering(deps),
    ...createPhotoBulk(deps),
  };
}
