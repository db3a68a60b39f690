/**
 * Owners rotate photos by quarter turns. A request is stored immediately and adds up; the worker then makes all renditions
 * again from the uploaded file and replaces them in one transaction, so that no one ever sees half of it. Buyers still get the
 * uploaded file.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { requireUserId, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { developAgain } from '#src/features/pictures/developing.service.ts';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { PHOTO_HAS_FAILED, PHOTO_IS_NOT_READY, type PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { turnPhotoJob } from '#src/features/pictures/pictures.jobs.ts';
import type { PhotoReading } from '#src/features/photos/reading.service.ts';
import * as turningSql from '#src/features/pictures/turning.sql.ts';
import { tenantScope, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { PictureFacts, PictureLab } from '#src/platform/images/images.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { notFound, problem } from '#src/shared/problem.ts';

export type TurningDeps = Pick<Platform, 'database' | 'jobs' | 'limits'> & {
  storage: Pick<Storage, 'get' | 'put'>;
  galleries: Pick<GalleryService, 'editable' | 'announce'>;
  reading: Pick<PhotoReading, 'one'>;
};

const WORKER: Scope = { kind: 'system', why: 'the worker turns the photos of every tenant' };
/** Below three seconds, after which people look at something else. */
const WAIT_MS = 2_800;
const POLL_EVERY_MS = 100;
/** Of one person: each rotation develops a whole file, and others' photos wait meanwhile. */
const TURNS_A_MINUTE = 120;

async function untilTurned(ctx: TurningDeps, photoId: number): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(POLL_EVERY_MS)) {
    if (await ctx.database.read(WORKER, (db) => turningSql.isTurned(db, photoId))) return;
  }
}

/**
 * Rotates a photo clockwise, by quarter turns that add to earlier requests. Returns it rotated, or, if that takes longer than
 * three seconds, with `turning: true` and later the event `photo.ready`. A photo that is still processing will be rotated when
 * it is ready.
 * @throws unauthenticated; not_found; forbidden in a deleted gallery; conflict for a photo that failed; too_many
 */
export async function rotate(
  ctx: TurningDeps,
  caller: Caller,
  galleryId: number,
  photoId: number,
  turns: 1 | 2 | 3 = 1,
): Promise<PhotoAnswer> {
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const userId = requireUserId(caller.actor);
  await ctx.limits.take({ bucket: `turn:${userId}`, limit: TURNS_A_MINUTE, windowSeconds: 60 });
  const photo = { galleryId, photoId };
  const scope: Scope = tenantScope(gallery.organizationId);
  const status = await ctx.database.write(scope, async (tx) => {
    const turned = await turningSql.addTurns(tx, photo, turns);
    if (!turned) {
      const row = await photoWritesSql.lockPhoto(tx, photo);
      if (!row) throw notFound();
      throw problem('conflict', row.status === 'failed' ? PHOTO_HAS_FAILED : PHOTO_IS_NOT_READY);
    }
    if (turned.status === 'ready') await ctx.jobs.enqueue(tx, turnPhotoJob, { photoId });
    return turned.status;
  });
  if (status === 'ready') await untilTurned(ctx, photoId);
  return ctx.reading.one(caller, galleryId, photoId);
}

/** Makes the renditions show the requested rotation; does nothing if they do. Rejects when the machine is at fault. */
export async function turn(ctx: TurningDeps, photoId: number, lab: Pick<PictureLab, 'develop'>): Promise<void> {
  for (;;) {
    const photo = await ctx.database.read(WORKER, (db) => turningSql.findPhotoToTurn(db, photoId));
    if (!photo) return;
    const within = (tx: Writer, { width, height }: PictureFacts) =>
      ctx.galleries.announce(tx, photo.galleryId, {
        name: 'photo.ready',
        data: { photo_id: photo.id, name: photo.name, status: 'ready', width, height },
      });
    if ((await developAgain(ctx, photo, { lab, why: 'turn', within })) !== 'changed') return;
  }
}

/** After the last attempt: the photo stays as it is shown, and open pages are notified. */
export async function giveUpTurn(ctx: TurningDeps, photoId: number): Promise<void> {
  await ctx.database.write(WORKER, async (tx) => {
    const photo = await turningSql.giveUpTurns(tx, photoId);
    if (photo)
      await ctx.galleries.announce(tx, photo.galleryId, {
        name: 'photo.ready',
        data: { photo_id: photoId, status: 'ready' },
      });
  });
}
