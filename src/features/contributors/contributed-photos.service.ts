/**
 * Photos that someone contributed: they see their own, wherever those are, and may withdraw
 * them; the owner reviews what waits. Who is a contributor and who an owner is asked by the
 * contributors module, which calls this within its own reads and transactions.
 */
import * as contributedSql from '#src/features/contributors/contributed-photos.sql.ts';
import { alikeOf, isSoft } from '#src/features/contributors/similar-photos.rules.ts';
import { countClaims as countKeyClaims } from '#src/features/uploads/uploads.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type { Contributing } from '#src/features/contributors/contributed-photos.sql.ts';

/**
 * Withdraws one's own photo: away when no one bought it, else hidden for good while its buyers keep their copies.
 * Null for a photo of someone else, and for one that is gone.
 */
export async function withdrawOwn(
  tx: Writer,
  who: contributedSql.Contributing,
  photoId: number,
): Promise<'removed' | 'hidden' | null> {
  const own = await contributedSql.lockOwn(tx, who, photoId);
  if (!own) return null;
  if (!own.isWithdrawn) await contributedSql.withdrawPhoto(tx, photoId, { removes: !own.isSold });
  return own.isSold ? 'hidden' : 'removed';
}

export function listOwn(
  db: Reader,
  who: contributedSql.Contributing,
  page: { after: contributedSql.OwnPlace | null; limit: number },
): Promise<contributedSql.OwnPhotoRow[]> {
  return contributedSql.listOwn(db, who, page);
}

/** A contribution that waits, with hints: it is soft, or another photo of the gallery looks almost the same. */
export type WaitingPhoto = contributedSql.WaitingRow & { isSoft: boolean; alike: contributedSql.HashedPhoto | null };

/** Beyond so many photos of a gallery only the first ones found are compared. */
const COMPARED = 20_000;

/** A page of what waits in a gallery, with the people who sent it. Three questions, however large the gallery. */
export async function listWaiting(
  db: Reader,
  galleryId: number,
  page: { after: contributedSql.OwnPlace | null; limit: number },
): Promise<{ photos: WaitingPhoto[]; contributors: contributedSql.WaitingContributor[] }> {
  const rows = await contributedSql.listWaiting(db, galleryId, page);
  const hashed = rows.flatMap(({ id, dhash }) => (dhash === null ? [] : [{ id, dhash }]));
  const all = hashed.length === 0 ? [] : await contributedSql.listHashes(db, galleryId, COMPARED);
  const alike = alikeOf(hashed, all);
  const ids = [...new Set(rows.map(({ contributorId }) => contributorId))];
  return {
    photos: rows.map((row) => ({ ...row, isSoft: isSoft(row.sharpness), alike: alike.get(row.id) ?? null })),
    contributors: await contributedSql.listWaitingContributors(db, ids),
  };
}

/** Photos that were handed over by a key. */
export function countClaims(db: Reader, keyHash: Buffer): Promise<number> {
  return countKeyClaims(db, keyHash);
}

/** How many contributions wait in each of these galleries; those without any are missing. One query. */
export function countWaiting(db: Reader, galleryIds: readonly number[]): Promise<Map<number, number>> {
  return contributedSql.countWaiting(db, galleryIds);
}

/** Shows, removes or puts back contributions; returns the ids of those that were there. */
export function decideContributions(
  tx: Writer,
  decided: contributedSql.Decided,
  decision: contributedSql.Decision,
): Promise<number[]> {
  return contributedSql.decide(tx, decided, decision);
}
