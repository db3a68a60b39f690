/** The steps of `ingest` (`uploads.service.ts`): opening and developing an uploaded file, and making its photo ready or failed. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { ingestPhotoJob } from '#src/features/uploads/uploads.jobs.ts';
import * as uploadsSql from '#src/features/uploads/uploads.sql.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { markName, type MarkSetting } from '#src/features/pictures/mark.rules.ts';
import * as marksSql from '#src/features/pictures/marks.sql.ts';
import { keyInBatch } from '#src/features/photos/photo-order.rules.ts';
import { INGEST_FAILED, UPLOAD_CHANGED, UPLOAD_LOST } from '#src/features/photos/photos.contract.ts';
import { remarkPhotosJob, turnPhotoJob } from '#src/features/pictures/pictures.jobs.ts';
import * as renditionStore from '#src/features/pictures/rendition-store.service.ts';
import { replaceRenditions } from '#src/features/pictures/renditions.sql.ts';
import { MAX_UPLOAD_BYTES } from '#src/features/uploads/uploads.contract.ts';
import type { Scope, Writer } from '#src/platform/db/db.ts';
import type { Developed, DevelopRequest, PictureFacts, PictureLab, Watermark } from '#src/platform/images/images.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { sha256OfObject } from '#src/platform/storage/storage.ts';
import { storageUnavailable } from '#src/platform/storage/storage-faults.ts';
import { MAX_KEYWORDS } from '#src/shared/photo-limits.ts';
import { isProblem } from '#src/shared/problem.ts';

export type IngestDeps = Pick<Platform, 'database' | 'storage' | 'jobs'> & {
  galleries: Pick<GalleryService, 'announce'>;
  log: { warn(details: object, message: string): void };
};

type Picture = Extract<Developed, { ok: true }>;
type Photo = uploadsSql.PhotoToIngest;
type OpenUpload = { file: Readable; bytes: number; sha256: string | undefined };

const WORKER: Scope = { kind: 'system', why: 'the worker develops the photos of every tenant' };

/** Null for a photo that is ready or failed. */
export function findPhoto(ctx: IngestDeps, photoId: number): Promise<Photo | null> {
  return ctx.database.read(WORKER, (db) => uploadsSql.findPhotoToIngest(db, photoId));
}

/** The claimed file, open for reading, or why it no longer exists. */
export async function openUpload(ctx: IngestDeps, photo: Photo): Promise<OpenUpload | { problem: string }> {
  const upload = await ctx.storage.stream(photo.uploadKey);
  if (!upload) return { problem: UPLOAD_LOST };
  if (upload.info.etag !== photo.uploadEtag || upload.info.bytes > MAX_UPLOAD_BYTES) {
    upload.body.destroy();
    return { problem: UPLOAD_CHANGED };
  }
  return { file: upload.body, bytes: upload.info.bytes, sha256: sha256OfObject(ctx.storage, upload.info) };
}

/** Sends the file to a picture process while it is read. Rejects when the machine is at fault. */
export function developUpload(
  lab: Pick<PictureLab, 'develop'>,
  photo: Photo,
  { file, bytes, sha256 }: OpenUpload,
  watermark: Watermark,
): Promise<Developed> {
  return lab
    .develop({
      original: { bytes, pieces: file },
      originalSha256: sha256,
      turns: photo.turns as DevelopRequest['turns'],
      watermark,
    })
    .catch((error: unknown) => {
      // The store broke off within the file, which is not at fault.
      throw file.errored === null ? error : storageUnavailable(file.errored);
    })
    .finally(() => file.destroy());
}

async function addKeywords(tx: Writer, photo: Photo, facts: PictureFacts): Promise<void> {
  if (facts.keywords.length === 0) return;
  const present = await photoWritesSql.listKeywords(tx, photo.id);
  const owner = { photoId: photo.id, galleryId: photo.galleryId, organizationId: photo.organizationId };
  await photoWritesSql.insertKeywords(tx, owner, facts.keywords.slice(0, MAX_KEYWORDS - present.length));
}

/** Applies what changed during development: rotation, and the organization's watermark. */
async function catchUp(ctx: IngestDeps, tx: Writer, photo: Photo, now: { turns: number; mark: MarkSetting | null }) {
  if (now.turns !== photo.turns) await ctx.jobs.enqueue(tx, turnPhotoJob, { photoId: photo.id });
  if (now.mark && markName(now.mark) !== markName(photo.mark))
    await ctx.jobs.enqueue(tx, remarkPhotosJob, { organizationId: photo.organizationId });
}

/**
 * Everything that makes it ready, in one transaction, after everything that it needs is stored. Independent statements are sent
 * together.
 */
export async function makeReady(
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

export async function fail(ctx: IngestDeps, photoId: number, problem: string): Promise<void> {
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

/** How long a photo waits for a store or a database that is unreachable or full. */
const AWAY_SECONDS = 10;
/** An unreachable database cannot record that a photo waits for it; this is shorter than a job may run. */
const NOTED_WITHIN_MS = 120_000;
const NOTED_AGAIN_MS = 1_000;

/** Whether neither the file nor our processing is at fault. */
export const isOfMachine = (error: unknown): boolean => isProblem(error) && MACHINE_FAULTS.has(error.code);
const MACHINE_FAULTS: ReadonlySet<string> = new Set(['unavailable', 'storage_full']);

export async function waitForMachine(ctx: IngestDeps, photoId: number): Promise<void> {
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

/** After the last attempt: the photo fails with a sentence, so that it never waits forever (fault F4). */
export function giveUp(ctx: IngestDeps, photoId: number): Promise<void> {
  return fail(ctx, photoId, INGEST_FAILED);
}
