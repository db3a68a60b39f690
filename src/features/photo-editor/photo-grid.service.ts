/**
 * An editor's grid shows thousands of photos: it loads the layout of all, page by page along the index of its filter, and full
 * data of those in view.
 */
import type * as z from 'zod/mini';
import { requireEditor, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { presentMemberPhoto } from '#src/features/photos/photo-answers.rules.ts';
import {
  MAX_LAYOUT_PER_PAGE,
  type layoutQuery,
  type PhotoFact,
  type PhotoLayout,
} from '#src/features/photos/photo-grid.contract.ts';
import * as photoGridSql from '#src/features/photos/photo-grid.sql.ts';
import { readPhotoPlace, writePhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import { badPlace, placeAfter } from '#src/shared/paging.ts';
import { searchWords } from '#src/features/photos/keyword-search.rules.ts';
import { findWords } from '#src/features/photos/keyword-search.sql.ts';
import type { Database, Reader } from '#src/platform/db/db.ts';

export type PhotoGridDeps = {
  database: Database;
  galleries: Pick<GalleryService, 'view' | 'scopeOf'>;
};

async function viewOf(ctx: PhotoGridDeps, caller: Caller, galleryId: number) {
  const view = await ctx.galleries.view(caller, galleryId);
  requireEditor(caller.actor, view.gallery);
  return view;
}

/** Null without a search. */
async function seek(db: Reader, galleryId: number, text: string): Promise<photoGridSql.Sought | null> {
  if (text === '') return null;
  const words = searchWords(text);
  const groups = words.length === 0 ? null : await findWords(db, { galleryId, audience: 'members' }, words);
  return { text, groups: groups ?? [] };
}

/** @throws unauthenticated; not_found for others; invalid for an `after` that we did not write */
export async function layout(
  ctx: PhotoGridDeps,
  caller: Caller,
  galleryId: number,
  options: z.infer<typeof layoutQuery>,
): Promise<PhotoLayout> {
  const sort = options.sort ?? 'custom';
  const after = placeAfter(options.after, readPhotoPlace);
  if (after && sort !== 'custom' && !/^\d{1,18}$/.test(after.orderKey)) throw badPlace();
  const view = await viewOf(ctx, caller, galleryId);
  const show = options.show ?? 'default';
  const most = options.limit ?? MAX_LAYOUT_PER_PAGE;
  return ctx.database.read(ctx.galleries.scopeOf(view), async (db) => {
    const sought = await seek(db, galleryId, options.keyword?.trim() ?? '');
    const rows = await photoGridSql.listLayout(db, { galleryId, after, show, sort, sought, limit: most + 1 });
    const counts = after ? null : (await photoGridSql.countShows(db, view.gallery)).counts;
    const all = sought && !after ? await photoGridSql.countFound(db, { galleryId, show, sought }) : counts?.[show];
    const total = after?.total ?? all ?? 0;
    const photos = rows.slice(0, most).map(({ id, width, height, shown, featured, failed }) => ({
      id,
      ratio: width && height ? Math.round((width / height) * 10_000) / 10_000 : null,
      shown,
      featured,
      failed,
    }));
    const last = rows[most - 1];
    const index = (after ? after.index + 1 : 0) + most - 1;
    const next = rows.length <= most || !last ? null : writePhotoPlace({ ...last, index, total });
    return { photos, next, total, counts };
  });
}

/** These photos for members, in the given order; deleted ones are missing. @throws as `layout` */
export async function facts(
  ctx: PhotoGridDeps,
  caller: Caller,
  galleryId: number,
  ids: readonly number[],
): Promise<PhotoFact[]> {
  const view = await viewOf(ctx, caller, galleryId);
  const rows = await ctx.database.read(ctx.galleries.scopeOf(view), (db) =>
    photoGridSql.listFacts(db, { galleryId, ids, visitorId: caller.visitorId }),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { sequence_index: _unknown, ...fact } = presentMemberPhoto(view.gallery, row, 0);
    return [fact];
  });
}

/** The count of each filter, and whether new photos are held. @throws as `layout` */
export async function showCounts(ctx: PhotoGridDeps, caller: Caller, galleryId: number) {
  const view = await viewOf(ctx, caller, galleryId);
  return ctx.database.read(ctx.galleries.scopeOf(view), (db) => photoGridSql.countShows(db, view.gallery));
}
