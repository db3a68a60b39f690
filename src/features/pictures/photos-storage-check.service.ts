/**
 * Checks that every ready photo has its original and every rendition in the store, byte for byte; a purged one only its
 * file. Checks that every object older than a day belongs to a row. Each violation is one line. It changes nothing;
 * `repairing.service.ts` does.
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
import { readPages } from '#src/shared/paging.ts';
import type { ListedObject, Storage } from '#src/platform/storage/storage.ts';

export type StorageCheckDeps = { database: Database; storage: Storage; clock?: Clock };

/** An object that is missing or has other bytes than were stored, and the line that reports it. */
export type DamagedObject = ExpectedObject & { line: string };
export type DamagedPhoto = {
  photo: ReadyPhoto;
  original: DamagedObject | null;
  renditions: DamagedObject[];
  /** Lines about renditions without a row. */
  lacking: string[];
};

const PAGE = 200;
/** Keys in one query; the rows have no index by key, so few large queries are cheaper. */
const KEYS_AT_A_TIME = 20_000;
/** Uploads are claimed after they are stored, renditions get a row after they are written (fault F2). */
const YOUNG_MS = 24 * 3600 * 1000;
/** Where this module stores its objects; settings pictures of organizations are elsewhere. */
const OUR_PREFIXES = ['originals/', 'renditions/', 'uploads/'] as const;
const MARKS = ['clean', 'marked'] as const;
const SCOPE: Scope = { kind: 'system', why: 'the storage check reads every photo' };

/**
 * Compares rows with objects (invariants I7 and I8) and returns one line per violation. It reads every byte of the store,
 * slowly, with constant memory. Problems: unavailable when database or store do not respond.
 */
export async function checkStorage(deps: StorageCheckDeps): Promise<string[]> {
  const lines: string[] = [];
  for await (const damaged of damagedPhotos(deps)) lines.push(...linesOf(damaged));
  return [...lines, ...(await checkObjects(deps))];
}

/** The lines about one photo. */
export const linesOf = ({ original, renditions, lacking }: DamagedPhoto): string[] => [
  ...(original ? [original.line] : []),
  ...lacking,
  ...renditions.map(({ line }) => line),
];

/** The damaged photos by id; each is checked when it is requested. */
export async function* damagedPhotos(deps: Omit<StorageCheckDeps, 'clock'>): AsyncGenerator<DamagedPhoto> {
  const pages = readPages(PAGE, (last: ReadyPhoto | null) =>
    deps.database.read(SCOPE, (db) => listReadyPhotos(db, last?.id ?? 0, PAGE)),
  );
  for await (const photos of pages) {
    const ids = photos.map(({ id }) => id);
    const renditions = await deps.database.read(SCOPE, (db) => listRenditions(db, ids));
    const byPhoto = Map.groupBy(renditions, ({ photoId }) => photoId);
    for (const photo of photos) {
      const damaged = await checkPhoto(deps, photo, byPhoto.get(photo.id) ?? []);
      if (linesOf(damaged).length > 0 && !(await hasChanged(deps.database, photo))) yield damaged;
    }
  }
}

/** The same for one photo now; null if nothing is wrong with it, or it no longer exists. */
export async function damageOf(deps: Omit<StorageCheckDeps, 'clock'>, photoId: number): Promise<DamagedPhoto | null> {
  const [photo] = await deps.database.read(SCOPE, (db) => listReadyPhotos(db, photoId - 1, 1));
  if (photo?.id !== photoId) return null;
  const renditions = await deps.database.read(SCOPE, (db) => listRenditions(db, [photoId]));
  const damaged = await checkPhoto(deps, photo, renditions);
  return linesOf(damaged).length > 0 ? damaged : null;
}

async function checkPhoto(
  { storage }: Pick<StorageCheckDeps, 'storage'>,
  photo: ReadyPhoto,
  renditions: readonly ExpectedRendition[],
): Promise<DamagedPhoto> {
  const lacking: string[] = [];
  for (const size of photo.isPurged ? [] : sizesExpected(renditions)) {
    for (const mark of MARKS) {
      const isThere = renditions.some((rendition) => rendition.size === size && rendition.mark === mark);
      if (!isThere) lacking.push(`photo ${photo.id}: has no ${mark} rendition of ${size} px`);
    }
  }
  // Sizes above the picture's own share one object. All files of a photo are read together, because most of the time is spent
  // waiting for the store.
  const distinct = [...new Map(renditions.map((one) => [one.key, one])).values()];
  const [original, ...found] = await Promise.all([
    checkObject(storage, `photo ${photo.id}: original`, photo.original),
    ...distinct.map((one) => checkObject(storage, `photo ${photo.id}: ${one.mark} rendition of ${one.size} px`, one)),
  ]);
  return { photo, original, renditions: found.filter((each) => each !== null), lacking };
}

/** Older photos have no 960 px in either set (decision record 0037). */
function sizesExpected(renditions: readonly ExpectedRendition[]): readonly RenditionSize[] {
  const has960 = renditions.some(({ size }) => size === 960);
  return RENDITION_SIZES.filter((size) => size !== 960 || has960);
}

/** A photo that was rotated, removed or made again during the check is left to the next one. */
async function hasChanged(database: Database, before: ReadyPhoto): Promise<boolean> {
  const [now] = await database.read(SCOPE, (db) => listReadyPhotos(db, before.id - 1, 1));
  return now?.id !== before.id || now.pixelVersion !== before.pixelVersion || now.original.key !== before.original.key;
}

async function checkObject(storage: Storage, name: string, expected: ExpectedObject): Promise<DamagedObject | null> {
  const { key, sha256, bytes } = expected;
  const damaged = (how: string): DamagedObject => ({ key, sha256, bytes, line: `${name} ${key} ${how}` });
  const found = await storage.stream(key);
  if (!found) return damaged('is missing');
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of found.body as AsyncIterable<Buffer>) {
    length += piece.length;
    hash.update(piece);
  }
  if (length !== bytes) return damaged(`has ${length} bytes and should have ${bytes}`);
  return hash.digest('hex') === sha256 ? null : damaged('has other bytes than were stored');
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
