/**
 * The worker makes a photo of an uploaded file: it keeps the file under its own hash, has it
 * developed, stores the renditions under theirs, and only then says that the photo is ready. It
 * may be killed anywhere and begin again: whatever it wrote before means the same twice.
 */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import * as ingestSql from '#src/features/photos/ingest.sql.ts';
import * as keywordsSql from '#src/features/photos/keywords.sql.ts';
import { keyInBatch } from '#src/features/photos/photo-order.rules.ts';
import { INGEST_FAILED, MAX_KEYWORDS, UPLOAD_CHANGED, UPLOAD_LOST } from '#src/features/photos/photos.contract.ts';
import { MAX_UPLOAD_BYTES } from '#src/features/photos/uploads.contract.ts';
import type { Database, Scope, Writer } from '#src/platform/db/db.ts';
import type {
  Developed,
  PictureFacts,
  PictureLab,
  Rendition,
  RenditionFormat,
  Watermark,
} from '#src/platform/images/images.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

export type IngestDeps = { database: Database; storage: Storage; galleries: Pick<GalleryService, 'announce'> };

type Picture = Extract<Developed, { ok: true }>;
type Photo = ingestSql.PhotoToIngest;

const WORKER: Scope = { kind: 'system', why: 'the worker develops the photos of every tenant' };
const MEDIA_TYPES: Record<RenditionFormat, string> = { jpeg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif' };
const ENDINGS: Record<RenditionFormat, string> = { jpeg: 'jpg', webp: 'webp', avif: 'avif' };

export function createIngest({ database, storage, galleries }: IngestDeps) {
  /** The bytes that were claimed, or why they are not there any more. */
  async function readUpload(photo: Photo): Promise<{ bytes: Buffer } | { problem: string }> {
    const upload = await storage.stream(photo.uploadKey);
    if (!upload) return { problem: UPLOAD_LOST };
    if (upload.info.etag !== photo.uploadEtag || upload.info.bytes > MAX_UPLOAD_BYTES) {
      upload.body.destroy();
      return { problem: UPLOAD_CHANGED };
    }
    const bytes = Buffer.concat(await upload.body.toArray());
    if (bytes.length !== upload.info.bytes)
      throw new Error(`upload ${photo.uploadKey} broke off after ${bytes.length} of ${upload.info.bytes} bytes`);
    return { bytes };
  }

  async function watermarkOf(photo: Photo): Promise<Watermark> {
    const png = photo.watermarkKey === null ? null : await storage.get(photo.watermarkKey);
    return png
      ? { kind: 'image', png, placement: 'tiled', name: photo.organizationName }
      : { kind: 'text', text: photo.organizationName };
  }

  /** Stores each distinct picture once; equal ones share an object. Answers the rows to be. */
  async function storeRenditions(renditions: readonly Rendition[]): Promise<ingestSql.RenditionRow[]> {
    const rows = renditions.map(({ bytes, ...rendition }) => ({
      ...rendition,
      bytes: bytes.length,
      key: renditionKey(rendition),
    }));
    const distinct = [...new Map(renditions.map((rendition) => [renditionKey(rendition), rendition]))];
    const half = Math.ceil(distinct.length / 2);
    const put = ([key, { bytes, format }]: [string, Rendition]) =>
      storage.put(key, bytes, { contentType: MEDIA_TYPES[format], bytes: bytes.length });
    await Promise.all(distinct.slice(0, half).map(put));
    crashAt('ingest.mid_renditions');
    await Promise.all(distinct.slice(half).map(put));
    return rows;
  }

  async function addKeywords(tx: Writer, photo: Photo, facts: PictureFacts): Promise<void> {
    if (facts.keywords.length === 0) return;
    const present = await keywordsSql.listKeywords(tx, photo.id);
    const owner = { photoId: photo.id, galleryId: photo.galleryId, organizationId: photo.organizationId };
    await keywordsSql.insertKeywords(tx, owner, facts.keywords.slice(0, MAX_KEYWORDS - present.length));
  }

  /** Everything that makes it ready, in one transaction, after everything that it needs is stored. */
  async function makeReady(
    photo: Photo,
    picture: Picture,
    stored: { original: ingestSql.StoredOriginal; renditions: readonly ingestSql.RenditionRow[] },
  ): Promise<void> {
    const { facts } = picture;
    await database.write(WORKER, async (tx) => {
      const waiting = await ingestSql.lockProcessing(tx, photo.id);
      if (!waiting) return;
      const { batchPrefix, name } = waiting;
      const orderKey =
        batchPrefix === null || facts.capturedAt === null
          ? null
          : keyInBatch(batchPrefix, { takenAt: facts.capturedAt, name, photoId: photo.id });
      await ingestSql.replaceRenditions(tx, photo, stored.renditions);
      await ingestSql.markReady(tx, photo.id, { facts, original: stored.original, orderKey });
      await addKeywords(tx, photo, facts);
      const data = { photo_id: photo.id, name, status: 'ready', width: facts.width, height: facts.height };
      await galleries.announce(tx, photo.galleryId, { name: 'photo.ready', data });
      crashAt('ingest.before_ready');
    });
    crashAt('ingest.after_ready');
    await storage.remove(photo.uploadKey);
  }

  async function fail(photoId: number, problem: string): Promise<void> {
    const failed = await database.write(WORKER, async (tx) => {
      const row = await ingestSql.markFailed(tx, photoId, problem);
      if (row)
        await galleries.announce(tx, row.galleryId, {
          name: 'photo.failed',
          data: { photo_id: photoId, status: 'failed', problem },
        });
      return row;
    });
    if (failed?.uploadKey) await storage.remove(failed.uploadKey);
  }

  return {
    /**
     * Makes the photo ready, or failed with a sentence when its file is at fault. Does nothing for one that is decided.
     * Rejects when the machine is at fault (picture process, store, database): the job is then done again.
     */
    async ingest(photoId: number, lab: Pick<PictureLab, 'develop'>): Promise<void> {
      const photo = await database.read(WORKER, (db) => ingestSql.findPhotoToIngest(db, photoId));
      if (!photo) return;
      const upload = await readUpload(photo);
      if ('problem' in upload) return fail(photoId, upload.problem);
      const picture = await lab.develop({
        original: upload.bytes,
        turns: quarterTurns(photo.turns),
        watermark: await watermarkOf(photo),
      });
      if (!picture.ok) return fail(photoId, picture.problem);
      const original = {
        key: `originals/${picture.originalSha256.slice(0, 2)}/${picture.originalSha256}.jpg`,
        sha256: picture.originalSha256,
        bytes: upload.bytes.length,
      };
      if (!(await storage.copy(photo.uploadKey, original.key, { ifEtag: photo.uploadEtag })))
        return fail(photoId, UPLOAD_CHANGED);
      crashAt('ingest.after_original');
      await makeReady(photo, picture, { original, renditions: await storeRenditions(picture.renditions) });
    },

    /** After the last attempt: the photo fails with a sentence, so that it never waits for ever (fault F4). */
    giveUp: (photoId: number): Promise<void> => fail(photoId, INGEST_FAILED),
  };
}

function renditionKey({ sha256, format }: Pick<Rendition, 'sha256' | 'format'>): string {
  return `renditions/${sha256.slice(0, 2)}/${sha256}.${ENDINGS[format]}`;
}

function quarterTurns(turns: number): 0 | 1 | 2 | 3 {
  return turns === 1 || turns === 2 || turns === 3 ? turns : 0;
}
