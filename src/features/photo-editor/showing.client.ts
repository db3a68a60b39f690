/** Shows and hides photos in the editor, and undoes it. */
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { passes } from '#src/features/photo-editor/editor-list.rules.ts';
import { changePhotos } from '#src/features/photos/photo-calls.client.ts';
import { showToast, type ToastAction } from '#src/ui/toast.ts';

type Pages = Pick<EditorPhotos, 'galleryId' | 'setShown' | 'refresh'>;

/**
 * Shows or hides photos. Returns how many: fewer if others were moved or removed in another window, and then the list is
 * loaded again. Null if it was refused, which a toast then says.
 */
export async function setPhotosShown(pages: Pages, ids: readonly number[], shown: boolean): Promise<number | null> {
  const answer = await changePhotos(pages.galleryId, ids, { show_in_gallery: shown });
  if (!answer.ok) {
    showToast(answer.error, 'error');
    return null;
  }
  pages.setShown(ids, shown);
  if (answer.data < ids.length) pages.refresh();
  return answer.data;
}

/** The action of a toast that undoes that; photos that left the list with it are loaded again. */
export function undoShown(pages: Pages, ids: readonly number[], shown: boolean, onUndone?: () => void): ToastAction {
  async function undo(): Promise<void> {
    if ((await setPhotosShown(pages, ids, !shown)) === null) return;
    pages.refresh(ids);
    onUndone?.();
  }
  return { label: 'Undo', act: () => void undo() };
}

/** Whether photos stay in the list when they are shown or hidden. */
export function staysInList({ view }: Pick<EditorPhotos, 'view'>, shown: boolean): boolean {
  return passes(view.show, { shown, failed: false });
}
