/**
 * An owner changes the watermark of an organization: every watermarked rendition of its photos is made again in the background,
 * from the clean one, while visitors see the old watermark. Each photo changes in one transaction that checks whether the
 * watermark is still current, so that the last of many changes wins.
 */
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { markName, TEXT_DRAWING, watermarkFor, type MarkSetting } from '#src/features/pictures/mark.rules.ts';
import * as marksSql from '#src/features/pictures/marks.sql.ts';
import { remarkPhotosJob } from '#src/features/pictures/pictures.jobs.ts';
import {
  MARK_KEY_UNKNOWN,
  MARK_PREVIEW_UNAVAILABLE,
  type MarkPreviewQuery,
  type MarkProgress,
} from '#src/features/pictures/pictures.contract.ts';
import { ChangedMeanwhile, watermarkOf } from '#src/features/pictures/developing.service.ts';
import * as renditionStore from '#src/features/pictures/rendition-store.service.ts';
import * as renditionsSql from '#src/features/pictures/renditions.sql.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { RenditionWork, Watermark } from '#src/platform/images/images.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { notFound, fieldProblem, problem } from '#src/shared/problem.ts';

export type MarkDeps = Pick<Platform, 'database' | 'storage' | 'jobs' | 'limits'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  /** Draws previews in a picture process, like all uploaded files. */
  previews: Pick<RenditionWork, 'preview'>;
  /** The watermark that this user uploaded for the organization and has not saved yet, as a PNG; null for every other key. */
  uploadedMark: (userId: number, organization: Organization, key: string) => Promise<Buffer | null>;
};

const WORKER: Scope = { kind: 'system', why: 'the worker watermarks the photos of every tenant' };
const CHUNK = 50;
/** A run ends after this time and the next one continues, so that no job runs forever. */
const RUN_MS = 60_000;
const PREVIEWS_A_MINUTE = 60;

/** Every distinct clean picture once, with its sizes. */
async function readClean(ctx: MarkDeps, photo: marksSql.PhotoToRemark) {
  const sizesOf = Map.groupBy(photo.clean, ({ key }) => key);
  if (sizesOf.size === 0) throw new Error(`photo ${photo.id} has no clean renditions`);
  return Promise.all(
    [...sizesOf].map(async ([key, pictures]) => {
      const bytes = await ctx.storage.get(key);
      if (!bytes) throw new Error(`clean rendition ${key} of photo ${photo.id} is missing from the store`);
      return { sizes: pictures.map(({ size }): RenditionSize => size), bytes };
    }),
  );
}

async function remarkOne(
  ctx: MarkDeps,
  photo: marksSql.PhotoToRemark,
  mark: { name: string; watermark: Watermark },
  lab: Pick<RenditionWork, 'remark'>,
): Promise<void> {
  const { originalSha256 } = photo;
  const renditions = await lab.remark({
    clean: await readClean(ctx, photo),
    originalSha256,
    watermark: mark.watermark,
  });
  const stored = await renditionStore.storeForNow(ctx, renditions);
  crashAt('remark.after_store');
  await ctx.database.write(WORKER, async (tx) => {
    // Photo first, then organization: the lock order of ingest.
    const isThere = await marksSql.setMark(tx, photo, mark.name);
    const current = isThere ? await marksSql.lockMark(tx, photo.organizationId) : null;
    if (!current || markName(current) !== mark.name) throw new ChangedMeanwhile();
    await renditionStore.protectFromPurge(ctx, tx, stored);
    const next = { id: photo.id, pixelVersion: photo.pixelVersion + 1 };
    await renditionsSql.replaceRenditions(tx, next, stored.rows, 'marked');
    crashAt('remark.before_commit');
  });
}

/**
 * Called in the transaction that changes an organization's watermark (picture, text, placement, or the name that is drawn
 * without them): its photos are watermarked again after the commit. Old watermarks are shown until the new ones are complete.
 */
export function remark(ctx: MarkDeps, tx: Writer, organizationId: number): Promise<void> {
  return ctx.jobs.enqueue(tx, remarkPhotosJob, { organizationId });
}

/** The next run for the remaining photos. */
export function remarkLater(ctx: MarkDeps, organizationId: number): Promise<void> {
  return ctx.database.write(WORKER, (tx) => ctx.jobs.enqueue(tx, remarkPhotosJob, { organizationId }));
}

/**
 * Queues the work if text watermarks are now drawn differently than on existing photos: when the worker starts, after an
 * update.
 */
export async function remarkOldDrawings(ctx: MarkDeps): Promise<void> {
  await ctx.database.write(WORKER, async (tx) => {
    for (const organizationId of await marksSql.listToRedraw(tx, TEXT_DRAWING))
      await ctx.jobs.enqueue(tx, remarkPhotosJob, { organizationId });
  });
}

/**
 * Watermarks photos until all have the current watermark, for a minute at most; returns whether some are left. Each photo is
 * finished separately, and one that changes meanwhile is done again.
 * @throws Error when photos could not be watermarked; the others are
 */
export async function remarkPhotos(
  ctx: MarkDeps,
  organizationId: number,
  lab: Pick<RenditionWork, 'remark'>,
  signal?: AbortSignal,
): Promise<{ isDone: boolean }> {
  const failed = new Map<number, unknown>();
  for (const end = Date.now() + RUN_MS; Date.now() < end && signal?.aborted !== true;) {
    const setting = await ctx.database.read(WORKER, (db) => marksSql.findMark(db, organizationId));
    if (!setting) return { isDone: true };
    const mark = { name: markName(setting), watermark: await watermarkOf(ctx, setting) };
    const photos = await ctx.database.read(WORKER, async (db) => {
      const except = [...failed.keys()];
      const ids = await marksSql.listToRemark(db, { organizationId, markName: mark.name, except, limit: CHUNK });
      return marksSql.listWithClean(db, ids);
    });
    if (photos.length === 0) {
      if (failed.size > 0) throw new AggregateError(failed.values(), `${failed.size} photos could not be watermarked`);
      return { isDone: true };
    }
    for (const photo of photos) {
      try {
        await remarkOne(ctx, photo, mark, lab);
      } catch (error) {
        // The watermark or the pixels have changed: the next query decides.
        if (error instanceof ChangedMeanwhile) break;
        failed.set(photo.id, error);
      }
    }
  }
  return { isDone: false };
}

/** The organization, for one of its editors, within the limit of previews. @throws unauthenticated; not_found; too_many */
async function previewedBy(ctx: MarkDeps, caller: Caller, organizationId: number, question: string) {
  const organization = await editedBy(ctx.organizations, caller, organizationId);
  const { userId } = requireUser(caller.actor);
  await ctx.limits.take({ bucket: `${question}:${userId}`, limit: PREVIEWS_A_MINUTE, windowSeconds: 60 });
  return { organization, userId };
}

/**
 * The progress of the new watermark. Polled every few seconds by the page that started it.
 * @throws unauthenticated; not_found; too_many
 */
export async function markProgress(ctx: MarkDeps, caller: Caller, organizationId: number): Promise<MarkProgress> {
  const { organization } = await previewedBy(ctx, caller, organizationId, 'mark progress');
  return ctx.database.read(tenantScope(organization.id), async (db) => {
    const setting = await marksSql.findMark(db, organization.id);
    if (!setting) throw notFound();
    return marksSql.countMarked(db, organization.id, markName(setting));
  });
}

/**
 * A JPEG of the first photo of the organization's newest gallery, or of the built-in sample, with the watermark: `key` is an
 * uploaded one, else `text`; absent fields are the current ones.
 * @throws unauthenticated; not_found; invalid for a key of someone else; too_many; unavailable when the picture process fails,
 * for example because a busy machine is slower than its time limit
 */
export async function previewMark(ctx: MarkDeps, caller: Caller, organizationId: number, query: MarkPreviewQuery) {
  const { organization, userId } = await previewedBy(ctx, caller, organizationId, 'mark preview');
  const scope: Scope = tenantScope(organization.id);
  const [setting, sampleKey] = await ctx.database.read(scope, async (db) => [
    await marksSql.findMark(db, organization.id),
    await marksSql.findSample(db, organization.id),
  ]);
  if (!setting) throw notFound();
  const wanted: MarkSetting = {
    ...setting,
    watermarkPlacement: query.placement ?? setting.watermarkPlacement,
    watermarkStrength: query.strength ?? setting.watermarkStrength,
    ...(query.text === undefined ? {} : { watermarkKey: null, watermarkText: query.text === '' ? null : query.text }),
  };
  const uploaded = query.key === undefined ? null : await ctx.uploadedMark(userId, organization, query.key);
  if (query.key !== undefined && uploaded === null) throw fieldProblem({ key: [MARK_KEY_UNKNOWN] });
  const rendition = sampleKey === null ? null : await ctx.storage.get(sampleKey);
  const watermark = uploaded ? watermarkFor(wanted, uploaded) : await watermarkOf(ctx, wanted);
  try {
    return await ctx.previews.preview({ rendition, watermark });
  } catch (cause) {
    throw problem('unavailable', MARK_PREVIEW_UNAVAILABLE, { retryAfterSeconds: 5, cause });
  }
}
