/**
 * Repairs what the storage check finds damaged, if possible (fault F20). An object whose bytes are in a backup is
 * restored; renditions are made again from an intact original. Each step is complete in itself, so an interrupted
 * repair can be started again with the same result. An original without a copy is lost: its damaged bytes are moved
 * away, and no buyer gets them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { asideKey, isOriginal } from '#src/features/pictures/damaged-objects.rules.ts';
import { developAgain, NotDeveloped } from '#src/features/pictures/developing.service.ts';
import {
  damagedPhotos,
  damageOf,
  linesOf,
  type DamagedObject,
  type DamagedPhoto,
  type StorageCheckDeps,
} from '#src/features/pictures/photos-storage-check.service.ts';
import { findPhotoToRemake } from '#src/features/pictures/turning.sql.ts';
import type { Scope } from '#src/platform/db/db.ts';
import type { PictureLab } from '#src/platform/images/images.ts';
import { isObjectKey } from '#src/platform/storage/object-key.ts';

type RepairDeps = Omit<StorageCheckDeps, 'clock'> & {
  lab: Pick<PictureLab, 'develop'>;
  /** Where copies of objects may be, by their keys: a folder of backups, an unpacked backup, a copy of the bucket. */
  backup: string | null;
  /** Called with each line as it becomes known. */
  print?: (line: string) => void;
};

/** One line for each damaged object. */
type Repaired = { repaired: string[]; lost: string[] };

const SCOPE: Scope = { kind: 'system', why: 'the repair works on the photos of every tenant' };

/** Repairs every ready photo. Problems: unavailable when database or store do not respond; earlier repairs stay. */
export async function repairStorage(deps: RepairDeps): Promise<Repaired> {
  const all: Repaired = { repaired: [], lost: [] };
  for await (const damaged of damagedPhotos(deps)) {
    const before = linesOf(damaged);
    const why = await repairPhoto(deps, damaged);
    const left = await damageOf(deps, damaged.photo.id);
    const isLeft = new Set(left ? linesOf(left) : []);
    const repaired = before.filter((line) => !isLeft.has(line)).map((line) => `repaired: ${line}`);
    const lost = [...isLeft].map((line) => `lost: ${line}${why === null ? '' : ` (${why})`}`);
    for (const line of [...repaired, ...lost]) deps.print?.(line);
    all.repaired.push(...repaired);
    all.lost.push(...lost);
    if (left?.original) await putAside(deps, left.original);
  }
  return all;
}

/** Returns why something could not be repaired, if there is a more specific reason than a missing copy. */
async function repairPhoto(deps: RepairDeps, { photo, original, renditions, lacking }: DamagedPhoto) {
  const isWhole = original === null || (await restore(deps, original));
  const broken: DamagedObject[] = [];
  for (const rendition of renditions) if (!(await restore(deps, rendition))) broken.push(rendition);
  if (broken.length + lacking.length === 0) return null;
  return isWhole ? remake(deps, photo.id) : 'the original is lost, too';
}

/** Restores an object if the backup has it with the same bytes. */
async function restore({ storage, backup }: RepairDeps, { key, sha256 }: DamagedObject): Promise<boolean> {
  const bytes = backup === null ? null : await findCopy(backup, key, sha256);
  if (bytes === null) return false;
  await storage.put(key, bytes, { contentType: 'image/jpeg', bytes: bytes.length });
  if (isOriginal(key)) await storage.remove(asideKey(key));
  return true;
}

/** The object's bytes from the folder itself, or its `objects`; a damaged copy does not count. */
async function findCopy(folder: string, key: string, sha256: string): Promise<Buffer | null> {
  if (!isObjectKey(key)) return null;
  for (const place of [path.join(folder, key), path.join(folder, 'objects', key)]) {
    const bytes = await readFile(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  }
  return null;
}

const CHANGED_MEANWHILE = 'it changed meanwhile: run the repair again';

/** Makes all renditions again from the original. Returns why it failed. */
async function remake(deps: RepairDeps, photoId: number): Promise<string | null> {
  const photo = await deps.database.read(SCOPE, (db) => findPhotoToRemake(db, photoId));
  if (!photo) return CHANGED_MEANWHILE;
  try {
    const result = await developAgain(deps, photo, { lab: deps.lab, why: 'repair' });
    return result === 'done' ? null : CHANGED_MEANWHILE;
  } catch (error) {
    if (error instanceof NotDeveloped) return error.message;
    throw error;
  }
}

/**
 * Keeps the damaged bytes for manual recovery. A buyer then gets the message that the file cannot be read, instead of a
 * damaged file.
 */
async function putAside({ storage }: RepairDeps, { key }: DamagedObject): Promise<void> {
  if (await storage.copy(key, asideKey(key))) await storage.remove(key);
}
