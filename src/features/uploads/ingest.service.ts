/**
 * The worker turns an uploaded file into a photo: it stores the file under its hash, develops it, stores the renditions under
 * theirs, and only then marks the photo as ready. It can be stopped at any time and start again: repeated writes have the same
 * result.
 */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { ingestPhotoJob } from '#src/features/uploads/uploads.jobs.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { watermarkOf } from '#src/features/pictures/developing.service.ts';
import { markName, type MarkSetting } from '#src/features/pictures/mark.rules.ts';
import * as marksSql from '#src/features/pictures/marks.sql.ts';
import { keyInBatch } from '#src/features/photos/photo-order.rules.ts';
import { INGEST_FAILED, MAX_KEYWORDS, UPLOAD_CHANGED, UPLOAD_LOST } from '#src/features/photos/photos.contract.ts';
import { remarkPhotosJob, turnPhotoJob } from '#src/features/pictures/pictures.jobs.ts';
import * as renditionStore from '#src/features/pictures/rendition-store.service.ts';
import { replaceRenditions } from '#src/features/pictures/renditions.sql.ts';
import { MAX_UPLOAD_BYTES } from '#src/features/uploads/uploads.contract.ts';
import type { Scope, Writer } from '#src/platform/db/db.ts';
import type { Developed, DevelopRequest, PictureFacts, PictureLab } from '#src/platform/images/images.ts';
import { release } from '#src/platform/images/release.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { sha256OfObject } from '#src/platform/storage/storage.ts';
import { storageUnavailable } from '#src/platform/storage/storage-faults.ts';
import { isProblem } from '#src/shared/problem.ts';

export type IngestDeps = Pick<Platform, 'database' | 'storage' | 'jobs'> & {
  galleries: Pick<GalleryService, 'announce'>;
  log: { warn(details: object, message: string): void };
};

type Picture = Extract<Developed, { ok: true }>;
type Photo = uploadsSql.PhotoToIngest;

const WORKER: Scope = { kind: 'system', why: 'the worker develops the photos of every tenant' };

/** The claimed file, open for reading, or why it does not exist any more. */
async function openUpload(
  ctx: IngestDeps,
  photo: Photo,
): Promise<{ file: Readable; bytes: number; sha256: string | undefined } | { problem: string }> {
  const upload = await ctx.storage.stream(photo.uploadKey);
  if (!upload) return { problem: UPLOAD_LOST };
  if (upload.info.etag !== photo.uploadEtag || upload.info.bytes > MAX_UPLOAD_BYTES) {
    upload.body.destroy();
    return { problem: UPLOAD_CHANGED };
  }
  return { file: upload.body, bytes: upload.info.bytes, sha256: sha256OfObject(ctx.storage, upload.info) };
}

async function addKeywords(tx: Writer, photo: Photo, facts: PictureFacts): Promise<void> {
  if (facts.keywords.length === 0) return;
  const present = await photoWritesSql.listKeywords(tx, photo.id);
  const owner = { photoId: photo.id, galleryId: photo.galleryId, organizationId: photo.organizationId };
  await photoWritesSql.insertKeywords(tx, owner, facts.keywords.slice(0, MAX_KEYWORDS - present.length));
}

/** Applies what changed during development: rotation, and the organization's watermark. */
async function catchUp(
  ctx: IngestDeps,
  tx: Writer,
  photo: Photo,
  now: { turns: number; mark: MarkSetting | null },
): Promise<void> {
  if (now.turns !== photo.turns) await ctx.jobs.enqueue(tx, turnPhotoJob, { photoId: photo.id });
  if (now.mark && markName(now.mark) !== markName(photo.mark))
    await ctx.jobs.enqueue(tx, remarkPhotosJob, { organizationId: photo.organizationId });
}

/**
 * Everything that makes it ready, in one transaction, after everything that it needs is stored. Independent statements are sent
 * together.
 */
async function makeReady(
  ctx: IngestDeps,
  photo: Photo,
  picture: Picture,
  stored: { original: uploadsSql.StoredOriginal; renditions: renditionStore.StoredRenditions },
): Promise<void> {
  const { facts } = picture;
  const { original, renditions } = stored;
  const copyAgain = () => ctx.storage.copy(photo.uploadKey, original.key, { ifEtag: photo.uploadEtag });
  await ctx.database.write(WORKER, async (tx) => {
    const [waiting, mark] = await Promise.all([
      uploadsSql.lockProcessing(tx, photo.id),
      marksSql.lockMark(tx, photo.organizationId),
    ]);
    if (!waiting) return;
    const { batchPrefix, name, turns } = waiting;
    const orderKey =
      batchPrefix === null || facts.capturedAt === null
        ? null
        : keyInBatch(batchPrefix, { takenAt: facts.capturedAt, name, photoId: photo.id });
    const shown = { turns: photo.turns, markName: markName(photo.mark) };
    const data = { photo_id: photo.id, name, status: 'ready', width: facts.width, height: facts.height };
    await Promise.all([
      renditionStore.protectFromPurge(ctx, tx, renditions, { key: original.key, copyAgain }),
      replaceRenditions(tx, photo, renditions.rows),
      uploadsSql.markReady(tx, photo.id, { facts, original, orderKey, ...shown }),
      catchUp(ctx, tx, photo, { turns, mark }),
      addKeywords(tx, photo, facts),
      ctx.galleries.announce(tx, photo.galleryId, { name: 'photo.ready', data }),
    ]);
    crashAt('ingest.before_ready');
  });
  crashAt('ingest.after_ready');
  await ctx.storage.spend(photo.uploadKey);
}

async function fail(ctx: IngestDeps, photoId: number, problem: string): Promise<void> {
  const failed = await ctx.database.write(WORKER, async (tx) => {
    const row = await uploadsSql.markFailed(tx, photoId, problem);
    if (row)
      await ctx.galleries.announce(tx, row.galleryId, {
        name: 'photo.failed',
        data: { photo_id: photoId, status: 'failed', problem },
      });
    return row;
  });
  if (failed?.uploadKey) await ctx.storage.spend(failed.uploadKey);
}

/**
 * Makes the photo ready, or failed with a sentence if its file is at fault. Does nothing for one that is decided. Rejects when
 * the machine is at fault (picture process, store, database): the job is then repeated.
 */
export async function ingest(ctx: IngestDeps, photoId: number, lab: Pick<PictureLab, 'develop'>): Promise<void> {
  const photo = await ctx.database.read(WORKER, (db) => uploadsSql.findPhotoToIngest(db, photoId));
  if (!photo) return;
  const watermark = await watermarkOf(ctx, photo.mark);
  const upload = await openUpload(ctx, photo);
  if ('problem' in upload) return fail(ctx, photoId, upload.problem);
  const { file, bytes, sha256: originalSha256 } = upload;
  const picture = await lab
    .develop({
      original: { bytes, pieces: file },
      originalSha256,
      turns: photo.turns as DevelopRequest['turns'],
      watermark,
    })
    .catch((error: unknown) => {
      // The store broke off within the file, which is not at fault.
      throw file.errored === null ? error : storageUnavailable(file.errored);
    })
    .finally(() => file.destroy());
  if (!picture.ok) return fail(ctx, photoId, picture.problem);
  const original = {
    key: `originals/${picture.originalSha256.slice(0, 2)}/${picture.originalSha256}.jpg`,
    sha256: picture.originalSha256,
    bytes,
  };
  if (!(await ctx.storage.copy(photo.uploadKey, original.key, { ifEtag: photo.uploadEtag })))
    return fail(ctx, photoId, UPLOAD_CHANGED);
  crashAt('ingest.after_original');
  const renditions = await renditionStore.store(ctx, picture.renditions, () => crashAt('ingest.mid_renditions'));
  await makeReady(ctx, photo, picture, { original, renditions });
  for (const { bytes: pixels } of renditions.objects.values()) release(pixels);
}

/** How long a photo waits for a store or a database that is away, or full. */
const AWAY_SECONDS = 10;
/** A database that is away cannot record that a photo waits for it; this is shorter than a job may run. */
const NOTED_WITHIN_MS = 120_000;
const NOTED_AGAIN_MS = 1_000;

/** Whether neither the file nor our processing is at fault. */
const isOfMachine = (error: unknown): boolean => isProblem(error) && MACHINE_FAULTS.has(error.code);
const MACHINE_FAULTS: ReadonlySet<string> = new Set(['unavailable', 'storage_full']);

async function waitForMachine(ctx: IngestDeps, photoId: number): Promise<void> {
  for (const deadline = Date.now() + NOTED_WITHIN_MS; ; await sleep(NOTED_AGAIN_MS)) {
    try {
      return await ctx.database.write(WORKER, (tx) =>
        ctx.jobs.enqueue(tx, ingestPhotoJob, { photoId }, { startAfterSeconds: AWAY_SECONDS }),
      );
    } catch (error) {
      if (!isOfMachine(error) || Date.now() > deadline) throw error;
    }
  }
}

/**
 * Like `ingest`, but if the store or the database is away the photo waits for it, however long that takes: only attempts that
 * its own file may have ended are counted.
 */
export async function ingestOrWait(ctx: IngestDeps, photoId: number, lab: Pick<PictureLab, 'develop'>): Promise<void> {
  try {
    await ingest(ctx, photoId, lab);
  } catch (error) {
    if (!isOfMachine(error)) throw error;
    await waitForMachine(ctx, photoId);
    ctx.log.warn({ err: error, photoId }, 'a photo waits for the store');
  }
}

/** After the last attempt: the photo fails with a sentence, so that it never waits forever (fault F4). */
export function giveUp(ctx: IngestDeps, photoId: number): Promise<void> {
  return fail(ctx, photoId, INGEST_FAILED);
}
