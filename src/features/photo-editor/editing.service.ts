/**
 * Editors show and hide photos, set prices, names and keywords, feature one and remove others: one by one, or many in one call.
 * A photo is only found together with its gallery, so that no one reaches a photo of others through their own gallery. In calls
 * for many, photos that are not in this gallery are skipped: someone else may have just removed them. Photos are locked before
 * the gallery, as everywhere.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { prefixBefore } from '#src/features/photos/photo-order.rules.ts';
import type { BulkChanges } from '#src/features/photo-editor/photo-editor.contract.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import * as words from '#src/features/photos/photos.contract.ts';
import type { KeywordAnswer, PhotoAnswer, PhotoChanges } from '#src/features/photos/photos.contract.ts';
import type { PhotoReading } from '#src/features/photos/reading.service.ts';
import { tenantOf, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { MAX_KEYWORDS } from '#src/shared/photo-limits.ts';
import { notFound, problem, fieldProblem } from '#src/shared/problem.ts';

export type PhotoEditingDeps = Pick<Platform, 'database' | 'cdn'> & {
  galleries: Pick<GalleryService, 'editable'>;
  reading: Pick<PhotoReading, 'one'>;
};

type PhotoRef = { galleryId: number; photoId: number };

/** Puts the photo first; all others lose the feature. Of two simultaneous calls one waits for the other (bad input 64). */
async function feature(tx: Writer, photo: PhotoRef, willBeShown: boolean | undefined): Promise<void> {
  const row = await photoWritesSql.lockPhoto(tx, photo);
  if (!row) throw notFound();
  if (row.status !== 'ready')
    throw problem('conflict', row.status === 'failed' ? words.PHOTO_HAS_FAILED : words.PHOTO_IS_NOT_READY);
  if (!(willBeShown ?? row.show_in_gallery)) throw fieldProblem({ featured: [words.HIDDEN_PHOTO_CANNOT_BE_FEATURED] });
  if (row.featured) return;
  await photoWritesSql.unfeatureAll(tx, photo.galleryId);
  await photoWritesSql.featurePhoto(
    tx,
    photo.photoId,
    prefixBefore(await photoWritesSql.findFirstKey(tx, photo.galleryId)),
  );
}

/**
 * Changes the given fields; a hidden photo stops being the featured one.
 * @throws unauthenticated; not_found; forbidden in a deleted gallery; invalid; conflict for a photo that is not ready
 */
export async function change(
  ctx: PhotoEditingDeps,
  caller: Caller,
  galleryId: number,
  photoId: number,
  changes: PhotoChanges,
): Promise<PhotoAnswer> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const photo = { galleryId, photoId };
  const featured = changes.show_in_gallery === false && changes.featured !== true ? false : changes.featured;
  await ctx.database.write(tenantOf(gallery), async (tx) => {
    if (featured !== undefined) await photoWritesSql.lockOrder(tx, galleryId);
    if (featured === true) await feature(tx, photo, changes.show_in_gallery);
    if (featured === false && (await photoWritesSql.lockPhoto(tx, photo)))
      await photoWritesSql.unfeaturePhoto(tx, photoId);
    if (changes.show_in_gallery === true && (await photoWritesSql.isWithheld(tx, photo)))
      throw problem('conflict', words.PHOTO_IS_WITHHELD);
    if (changes.show_in_gallery === true && (await photoWritesSql.isUnseen(tx, photo)))
      throw problem('conflict', words.PHOTO_IS_NOT_READY);
    const columns = changedColumns(changes);
    if (hasChange(columns) && !(await photoWritesSql.updatePhoto(tx, photo, columns))) throw notFound();
    if (columns.show_in_gallery === false) await ctx.cdn.requestPurgeOf(tx, galleryId, [photoId]);
  });
  return ctx.reading.one(caller, galleryId, photoId);
}

/** @throws unauthenticated; not_found, also the second time; forbidden in a deleted gallery */
export async function remove(ctx: PhotoEditingDeps, caller: Caller, galleryId: number, photoId: number): Promise<void> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  await ctx.database.write(tenantOf(gallery), async (tx) => {
    if (!(await photoWritesSql.removePhoto(tx, { galleryId, photoId }))) throw notFound();
    await ctx.cdn.requestPurgeOf(tx, galleryId, [photoId]);
  });
}

/** Adds keywords; existing ones stay. Returns all of the photo's. @throws as `change`; invalid beyond 50 */
export async function addKeywords(
  ctx: PhotoEditingDeps,
  caller: Caller,
  galleryId: number,
  photoId: number,
  names: readonly string[],
): Promise<KeywordAnswer[]> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    // Locked, so that simultaneous additions cannot exceed the limit together.
    if (!(await photoWritesSql.lockPhoto(tx, { galleryId, photoId }))) throw notFound();
    await photoWritesSql.insertKeywords(tx, { photoId, galleryId, organizationId: gallery.organizationId }, names);
    const keywords = await photoWritesSql.listKeywords(tx, photoId);
    if (keywords.length > MAX_KEYWORDS) throw fieldProblem({ keywords: [words.TOO_MANY_KEYWORDS] });
    return keywords;
  });
}

/** @throws unauthenticated; not_found "Error deleting keyword. Please contact support." */
export async function deleteKeyword(
  ctx: PhotoEditingDeps,
  caller: Caller,
  galleryId: number,
  keyword: { photoId: number; keywordId: number },
): Promise<void> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const deleted = await ctx.database.write(tenantOf(gallery), async (tx) => {
    // Locks the photo first, like adding keywords, to avoid a deadlock.
    await photoWritesSql.lockPhoto(tx, { galleryId, photoId: keyword.photoId });
    return photoWritesSql.deleteKeyword(tx, { ...keyword, galleryId });
  });
  if (!deleted) throw notFound(words.DELETE_KEYWORD_FAILED);
}

/** Undefined fields stay; so does a name that was cleared. */
function changedColumns(changes: PhotoChanges): photoWritesSql.ChangedPhoto {
  const { show_in_gallery, price_override: price_override_cents, name } = changes;
  return { show_in_gallery, price_override_cents, name: name === '' ? undefined : name };
}

const hasChange = (columns: object) => Object.values(columns).some((value) => value !== undefined);

/**
 * All or nothing. Returns how many photos now have the wanted values.
 * @throws unauthenticated; not_found; forbidden in a deleted gallery; invalid when one would have more than 50 keywords
 */
export async function changeMany(ctx: PhotoEditingDeps, caller: Caller, galleryId: number, changes: BulkChanges) {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const columns = changedColumns(changes.photo ?? {});
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    // Hiding may remove the feature from a photo, which changes the order.
    if (columns.show_in_gallery === false) await photoWritesSql.lockOrder(tx, galleryId);
    const ids = await photoWritesSql.lockPhotos(tx, galleryId, changes.ids);
    if (ids.length === 0) return 0;
    const names = changes.add_keywords;
    if (
      names !== undefined &&
      !(await photoWritesSql.addKeywordsToAll(
        tx,
        { galleryId, organizationId: gallery.organizationId, ids },
        names,
        MAX_KEYWORDS,
      ))
    )
      throw fieldProblem({ add_keywords: [words.TOO_MANY_KEYWORDS] });
    if (columns.show_in_gallery === false) await ctx.cdn.requestPurgeOf(tx, galleryId, ids);
    return hasChange(columns) ? photoWritesSql.updatePhotos(tx, ids, columns) : ids.length;
  });
}

/** Buyers keep their downloads (rule 26). Returns how many were removed. @throws as `changeMany` */
export async function removeMany(ctx: PhotoEditingDeps, caller: Caller, galleryId: number, ids: readonly number[]) {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    const found = await photoWritesSql.lockPhotos(tx, galleryId, ids);
    if (found.length > 0) await photoWritesSql.removePhotos(tx, found);
    await ctx.cdn.requestPurgeOf(tx, galleryId, found);
    return found.length;
  });
}
