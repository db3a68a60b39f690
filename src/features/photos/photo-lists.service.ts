/**
 * Previews of photos in lists of galleries. Separate from the rest of the module, because the galleries module calls it in its
 * own read, before photos know about galleries.
 */
import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import type { Gallery } from '#src/features/galleries/galleries.rules.ts';
import { presentMemberPhoto, presentPreview } from '#src/features/photos/photo-answers.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import * as photosSql from '#src/features/photos/photos.sql.ts';
import { withPublicAddress } from '#src/features/photos/picture-addresses.service.ts';
import type { Cdn } from '#src/platform/cdn/cdn.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** The first pictures of each gallery, by gallery; one query. Galleries without any are missing. */
export async function previewsOf(
  db: Reader,
  galleryIds: readonly number[],
  { cdn, ...options }: { audience: photosSql.Audience; most: number; cdn: Pick<Cdn, 'addressOf'> },
): Promise<Map<number, PhotoPreview[]>> {
  const rows = await photosSql.listPreviews(db, galleryIds, options);
  const present = (row: (typeof rows)[number]) =>
    options.audience === 'public'
      ? withPublicAddress({ cdn, gallery: row, row }, presentPreview(row))
      : presentPreview(row);
  return Map.groupBy(rows.map(present), (preview) => preview.gallery_id);
}

/** The first photos of each gallery as members see them, by gallery; one query. */
export async function photosOfGalleries(
  db: Reader,
  galleries: readonly Gallery[],
  options: { visitorId: string | null; most: number },
): Promise<Map<number, PhotoAnswer[]>> {
  const byId = new Map(galleries.map((gallery) => [gallery.id, gallery]));
  const rows = await photosSql.listPhotosOfGalleries(db, [...byId.keys()], options);
  const answers = new Map<number, PhotoAnswer[]>();
  for (const [galleryId, ofGallery] of Map.groupBy(rows, (row) => row.galleryId)) {
    const gallery = byId.get(galleryId);
    if (gallery)
      answers.set(
        galleryId,
        ofGallery.map((row, index) => presentMemberPhoto(gallery, row, index)),
      );
  }
  return answers;
}
