/**
 * Develops an existing photo again from its file: after a rotation, or to repair it. All renditions are replaced in one
 * transaction, so that no one ever sees half of it, and get new addresses, so that no browser keeps the old ones.
 */
import { markName, watermarkFor, type MarkSetting } from '#src/features/pictures/mark.rules.ts';
import * as marksSql from '#src/features/pictures/marks.sql.ts';
import * as renditionStore from '#src/features/pictures/rendition-store.service.ts';
import { replaceRenditions } from '#src/features/pictures/renditions.sql.ts';
import { setDeveloped, type PhotoToDevelop } from '#src/features/pictures/turning.sql.ts';
import type { Database, Scope, Writer } from '#src/platform/db/db.ts';
import type { DevelopRequest, PictureFacts, PictureLab, Watermark } from '#src/platform/images/images.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

type DevelopingDeps = { database: Database; storage: Pick<Storage, 'get' | 'put'> };

const SCOPE: Scope = { kind: 'system', why: 'photos of every tenant are rotated and repaired' };

/** Why a photo cannot be developed again: its file is lost or damaged, or the picture process failed. */
export class NotDeveloped extends Error {}

/** Thrown in a transaction, so that nothing of it remains: the photo or the watermark has changed. */
export class ChangedMeanwhile extends Error {}

/** What is drawn over photos with this setting. */
export async function watermarkOf(
  { storage }: { storage: Pick<Storage, 'get'> },
  setting: MarkSetting,
): Promise<Watermark> {
  return watermarkFor(setting, setting.watermarkKey === null ? null : await storage.get(setting.watermarkKey));
}

type Development = {
  lab: Pick<PictureLab, 'develop'>;
  why: 'turn' | 'repair';
  /** Called in the transaction. */
  within?: (tx: Writer, facts: PictureFacts) => Promise<unknown>;
};

/**
 * Returns `changed` if the photo or the watermark changed meanwhile, and `deleted` for
 * an organization that no longer exists.
 * @throws NotDeveloped; unavailable when database or store do not respond
 */
export async function developAgain(
  ctx: DevelopingDeps,
  photo: PhotoToDevelop,
  { lab, why, within }: Development,
): Promise<'done' | 'changed' | 'deleted'> {
  const setting = await ctx.database.read(SCOPE, (db) => marksSql.findMark(db, photo.organizationId));
  if (!setting) return 'deleted';
  const original = await ctx.storage.get(photo.originalKey);
  if (!original) throw new NotDeveloped(`original of photo ${photo.id} is missing from the store`);
  const turns = photo.turns as DevelopRequest['turns'];
  const picture = await lab
    .develop({ original, turns, watermark: await watermarkOf(ctx, setting) })
    .catch((error: unknown) => ({ ok: false as const, problem: String(error) }));
  if (!picture.ok) throw new NotDeveloped(`photo ${photo.id} cannot be developed again: ${picture.problem}`);
  const stored = await renditionStore.storeForNow(ctx, picture.renditions);
  crashAt(`${why}.after_store`);
  const name = markName(setting);
  const written = ctx.database.write(SCOPE, async (tx) => {
    // Photo first, then organization: the lock order of ingest.
    const isThere = await setDeveloped(tx, photo, picture.facts, { markName: name, why });
    const current = isThere ? await marksSql.lockMark(tx, photo.organizationId) : null;
    if (!current || markName(current) !== name) throw new ChangedMeanwhile();
    await renditionStore.protectFromPurge(ctx, tx, stored);
    await replaceRenditions(tx, { id: photo.id, pixelVersion: photo.pixelVersion + 1 }, stored.rows);
    await within?.(tx, picture.facts);
    crashAt(`${why}.before_commit`);
    return 'done' as const;
  });
  return written.catch((error: unknown) => {
    if (error instanceof ChangedMeanwhile) return 'changed';
    throw error;
  });
}
