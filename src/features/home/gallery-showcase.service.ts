/**
 * The home pages show real galleries: the newest of the organizations that a platform admin picked (rule 52), or the newest
 * gallery of each affiliate of a parent. They change slowly and everyone sees the same ones, so the answers are kept for
 * a minute.
 */
import { PREVIEW_PHOTOS, type PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import * as showcaseSql from '#src/features/home/gallery-showcase.sql.ts';
import { previewsOf } from '#src/features/photos/photo-lists.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import { bind } from '#src/shared/bind.ts';
import type { Database, Reader } from '#src/platform/db/db.ts';

export type ShowcaseGallery = showcaseSql.ShowcaseRow & { preview: readonly PhotoPreview[] };

const PUBLIC = { kind: 'public' } as const;
const REMEMBER_MS = 60_000;
const REMEMBER_AT_MOST = 500;

export type GalleryShowcaseDeps = { database: Database; clock: Clock };

type GalleryShowcaseContext = ReturnType<typeof contextOf>;

function contextOf(deps: GalleryShowcaseDeps) {
  const remembered = new Map<string, { galleries: ShowcaseGallery[]; untilMs: number }>();
  return { ...deps, remembered };
}

async function remember(
  ctx: GalleryShowcaseContext,
  key: string,
  read: (db: Reader) => Promise<showcaseSql.ShowcaseRow[]>,
): Promise<ShowcaseGallery[]> {
  const nowMs = ctx.clock.now().getTime();
  const known = ctx.remembered.get(key);
  if (known && known.untilMs > nowMs) return known.galleries;
  const galleries = await ctx.database.read(PUBLIC, async (db) => {
    const rows = await read(db);
    const previews = await previewsOf(
      db,
      rows.map((row) => row.id),
      { audience: 'public', most: PREVIEW_PHOTOS },
    );
    return rows.map((row) => ({ ...row, preview: previews.get(row.id) ?? [] }));
  });
  if (ctx.remembered.size >= REMEMBER_AT_MOST) ctx.remembered.clear();
  ctx.remembered.set(key, { galleries, untilMs: nowMs + REMEMBER_MS });
  return galleries;
}

/** The newest galleries that anyone may look at, of the organizations that a platform admin picked for the home page. */
export function showcase(ctx: GalleryShowcaseContext, limit: number): Promise<ShowcaseGallery[]> {
  return remember(ctx, `all:${limit}`, (db) => showcaseSql.newestGalleries(db, limit));
}

/** The newest such gallery of each of these organizations; those without one are left out. */
export async function showcaseOfEach(
  ctx: GalleryShowcaseContext,
  organizationIds: readonly number[],
): Promise<ShowcaseGallery[]> {
  return organizationIds.length === 0
    ? []
    : remember(ctx, `each:${organizationIds.join()}`, (db) => showcaseSql.newestOfEach(db, organizationIds));
}

export const createGalleryShowcase = (deps: GalleryShowcaseDeps) => bind(contextOf(deps), { showcase, showcaseOfEach });
