/**
 * A photo that someone asked to hide goes out of sight and stays there, whatever an owner does to a
 * selection of hundreds, until the request is answered. The takedowns module decides; photos are written here.
 */
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import * as writesSql from '#src/features/photos/photo-writes.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';

/** The photo as it is, in the caller's transaction, which now holds the order of its gallery; null when it was removed. */
export async function holdForRequest(tx: Writer, photo: writesSql.PhotoRef): Promise<writesSql.AskedPhoto | null> {
  await writesSql.lockOrder(tx, photo.galleryId);
  return writesSql.lockAskedPhoto(tx, photo);
}

/** Hides it until `release`, and has every process drop its pictures from memory. Call `holdForRequest` before. */
export async function withhold(tx: Writer, photoId: number): Promise<void> {
  await writesSql.withholdPhoto(tx, photoId);
  await purgedObjects.tell(tx, await writesSql.listPictureKeys(tx, photoId));
}

/** Shows it again; false when it was removed, or not withheld. */
export function release(tx: Writer, photoId: number): Promise<boolean> {
  return writesSql.releasePhoto(tx, photoId);
}

export function createPhotoWithholding() {
  return {
    holdForRequest,
    withhold,
    release,
  };
}
