import { useEffect } from 'react';
import { NO_PHOTOS } from '#src/features/bulk-galleries/bulk-galleries.rules.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { useEditorPhotos, type EditorStart } from '#src/features/photo-editor/editor-photos.client.ts';
import { EditorPhotos } from '#src/features/photo-editor/ui/editor-photos.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images } from '#src/ui/icon.tsx';

type BulkGalleryPhotosProps = {
  gallery: GalleryAnswer;
  /** Null for a gallery that was made here, a moment ago. */
  start: EditorStart | null;
  title: string;
  isUploadOpen: boolean;
  /** No one looks: nothing is drawn, but what arrives is kept. */
  isFolded: boolean;
  onCount: (photos: number) => void;
  onUpload: () => void;
};

/** The photos of one gallery among several: filter, order and all that is done with them. */
export function BulkGalleryPhotos(props: BulkGalleryPhotosProps) {
  const { gallery, start, title, isUploadOpen, isFolded, onCount, onUpload } = props;
  const pages = useEditorPhotos(gallery.id, start ?? NO_PHOTOS);
  const { total, refresh } = pages;
  useEffect(() => {
    onCount(total);
  }, [onCount, total]);
  // Prices and watermarks of the photos follow the gallery's.
  const savedAt = gallery.updated_at;
  useEffect(() => {
    refresh();
  }, [refresh, savedAt]);
  return (
    <section aria-label={`Photos of ${title}`} className="flex min-w-0 flex-col gap-4">
      {total > 0
        ? !isFolded && <EditorPhotos pages={pages} onChanged={() => undefined} />
        : !isUploadOpen && (
            <EmptyState
              icon={<Images />}
              title="No photos yet"
              action={<Button onClick={onUpload}>Upload photos</Button>}
            >
              They appear here as they upload.
            </EmptyState>
          )}
    </section>
  );
}
