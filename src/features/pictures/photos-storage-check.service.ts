/**
 * The story: every ready photo must have its original and every rendition in the store, byte
 * for byte (a purged one only its file); and every object that is older than a day must belong to a row. What is not so is
 * told in one line each. Nothing is changed.
 */
import { createHash } from 'node:crypto';
import {
  findKeysWithoutRow,
  listReadyPhotos,
  listRenditions,
  type ExpectedObject,
  type ExpectedRendition,
  type ReadyPhoto,
} from '#src/features/pictures/photos-storage-check.sql.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import type { Database, Scope } from '#src/platform/db/db.ts';
import { RENDITION_SIZES, type RenditionSize } from '#src/shared/picture-sizes.ts';
import type { ListedObject, Storage } from '#src/platform/storage/storage.ts';

export type StorageCheckDeps = { database: Database; storage: Storage; clock?: Clock };

const PAGE = 200;
/** Keys asked of the rows at a time; the rows have no index by key, so few large questions are cheaper. */
const KEYS_AT_A_TIME = 20_000;
/** Uploads are claimed later than they are stored, renditions named later than they are written (fault F2). */
const YOUNG_MS = 24 * 3600 * 1000;
/** Where this module keeps its objects; the settings pictures of organizations live elsewhere. */
const OUR_PREFIXES = ['originals/', 'renditions/', 'uploads/'] as const;
const MARKS = ['clean', 'marked'] as const;
const SCOPE: Scope = { kind: 'system', why: 'the storage check reads every photo' };

/**
 * Compares rows with objects (invariants I7 and I8) and returns one line per violation, none
 * when all is well. Reads every byte of the store, so it takes its time; memory stays flat.
 * Problems: unavailable when database or store do not answer.
 */
export async function checkStorage(deps: StorageCheckDeps): Promise<string[]> {
  return [...(await checkPhotos(deps)), ...(await checkObjects(deps))];
}

async function checkPhotos(deps: StorageCheckDeps): Promise<string[]> {
  const violations: string[] = [];
  for (let after = 0; ;) {
    const photos = await deps.database.read(SCOPE, (db) => listReadyPhotos(db, after, PAGE));
    const last = photos.at(-1);
    if (!last) return violations;
    after = last.id;
    const ids = photos.map(({ id }) => id);
    const renditions = await deps.database.read(SCOPE, (db) => listRenditions(db, ids));
    const byPhoto = Map.groupBy(renditions, ({ photoId }) => photoId);
    for (const photo of photos) violations.push(...(await checkPhoto(deps, photo, byPhoto.get(photo.id) ?? [])));
  }
}

async function checkPhoto(deps: StorageCheckDeps, photo: ReadyPhoto, renditions: ExpectedRendition[]) {
  const { storage } = deps;
  const lines = [await checkObject(storage, `photo ${photo.id}: original`, photo.original)];
  for (const size of photo.isPurged ? [] : sizesExpected(renditions)) {
    for (const mark of MARKS) {
      const isThere = renditions.some((rendition) => rendition.size === size && rendition.mark === mark);
      if (!isThere) lines.push(`photo ${photo.id}: has no ${mark} rendition of ${size} px`);
    }
  }
  // Sizes above the picture's own share one object.
  for (const rendition of new Map(renditions.map((one) => [one.key, one])).values()) {
    lines.push(
      await checkObject(storage, `photo ${photo.id}: ${rendition.mark} rendition of ${rendition.size} px`, rendition),
    );
  }
  const found = lines.filter((line) => line !== null);
  return found.length > 0 && (await hasChanged(deps.database, photo)) ? [] : found;
}

/** Photos from before there were 960 px have none in either mark (decision record 0037). */
function sizesExpected(renditions: readonly ExpectedRendition[]): readonly RenditionSize[] {
  const has960 = renditions.some(({ size }) => size === 960);
  return RENDITION_SIZES.filter((size) => size !== 960 || has960);
}

/** A photo that was rotated, removed or made again while it was looked at is for the next check. */
async function hasChanged(database: Database, before: ReadyPhoto): Promise<boolean> {
  const [now] = await database.read(SCOPE, (db) => listReadyPhotos(db, before.id - 1, 1));
  return now?.id !== before.id || now.pixelVersion !== before.pixelVersion || now.original.key !== before.original.key;
}

async function checkObject(storage: Storage, name: string, expected: ExpectedObject): Promise<string | null> {
  const found = await storage.stream(expected.key);
  if (!found) return `${name} ${expected.key} is missing`;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of found.body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    hash.update(piece);
  }
  if (bytes !== expected.bytes) return `${name} ${expected.key} has ${bytes} bytes and should have ${expected.bytes}`;
  return hash.digest('hex') === expected.sha256 ? null : `${name} ${expected.key} has other bytes than were stored`;
}

async function checkObjects({ database, storage, clock = systemClock }: StorageCheckDeps): Promise<string[]> {
  const bornBefore = clock.now().getTime() - YOUNG_MS;
  const violations: string[] = [];
  let batch: ListedObject[] = [];
  const ask = async (): Promise<void> => {
    const keys = batch.map(({ key }) => key);
    const orphans = new Set(await database.read(SCOPE, (db) => findKeysWithoutRow(db, keys)));
    for (const object of batch.filter(({ key }) => orphans.has(key))) violations.push(orphanLine(object));
    batch = [];
  };
  for (const prefix of OUR_PREFIXES) {
    for await (const object of storage.list(prefix)) {
      if (object.lastModified.getTime() > bornBefore) continue;
      batch.push(object);
      if (batch.length === KEYS_AT_A_TIME) await ask();
    }
  }
  if (batch.length > 0) await ask();
  return violations;
}

function orphanLine({ key, bytes, lastModified }: ListedObject): string {
  return `object ${key} (${bytes} bytes, of ${lastModified.toISOString()}) belongs to no row`;
}
