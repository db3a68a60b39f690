/**
 * Numbers of athletes in galleries: searched and shown if the organization allows it (mode `numbers`); in other modes
 * everything looks as if no one were tagged. Members see tags with names. Only galleries that were ever tagged run these
 * queries.
 */
import type { Gallery, GalleryView } from '#src/features/galleries/galleries.rules.ts';
import * as numbersSql from '#src/features/photos/numbers.sql.ts';
import { presentTag, sortNumbers, typedNumber, type ShownNumber } from '#src/features/photos/numbers.rules.ts';
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import type { ListedPhoto, PageRequest } from '#src/features/photos/photos.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { tenantOf, type Database, type Reader } from '#src/platform/db/db.ts';

type Tagged = Pick<Gallery, 'id' | 'organizationId' | 'hasTags'>;

/** From a call, or typed by someone: a typed number counts only if photos have it. */
type NumberQuery = { number?: string | undefined; team?: number | undefined; keyword: string };

/** The search in a gallery; null means no search by number, and with `isTyped` a search by keyword. */
async function soughtIn(db: Reader, { gallery, editor }: GalleryView, query: NumberQuery) {
  const setting = editor ? null : await numbersSql.findNumberSearch(db, gallery.organizationId);
  if (!editor && setting === null) return null;
  const place = { galleryId: gallery.id, audience: editor ? ('members' as const) : ('public' as const), setting };
  if (query.number !== undefined || query.team !== undefined)
    return { ...place, number: query.number ?? null, teamIds: query.team === undefined ? null : [query.team] };
  const typed = typedNumber(query.keyword);
  if (typed === null) return null;
  if (typed.team === null) return { ...place, number: typed.number, teamIds: null };
  const teamIds = await numbersSql.findTeamsCalled(db, gallery.organizationId, typed.team);
  return teamIds.length === 0 ? null : { ...place, number: typed.number, teamIds };
}

/** Photos with a number after a position, and their total; null if none is searched or found. `total`: from the previous page. */
export async function pageByNumber(
  db: Reader,
  view: GalleryView,
  { total: known, ...request }: Omit<PageRequest, 'audience'> & NumberQuery & { total: number | null },
  cached: (key: string, count: () => Promise<number>) => Promise<number>,
): Promise<{ rows: ListedPhoto[]; total: number } | null> {
  const sought = await soughtIn(db, view, request);
  if (!sought) return null;
  const { photoCount, publicPhotoCount } = view.gallery;
  const key = JSON.stringify(['number', sought, photoCount, publicPhotoCount]);
  const total = known ?? (await cached(key, () => numbersSql.countWithNumber(db, sought)));
  if (total === 0) return null;
  const { audience } = sought;
  return {
    rows: await numbersSql.listWithNumber(db, { ...request, audience, sought, found: total, photoCount }),
    total,
  };
}

/** The same answers, with `numbers` for everyone and `tags` for members; API tokens get no names. */
export async function withNumbers<Answer extends PhotoAnswer>(
  { database }: { database: Database },
  caller: Caller,
  gallery: Tagged & { editor: boolean },
  photos: Answer[],
): Promise<Answer[]> {
  if (!gallery.hasTags || photos.length === 0) return photos;
  const ids = photos.map(({ id }) => id);
  return database.read(tenantOf(gallery), async (db) => {
    if (gallery.editor && caller.actor.kind === 'user') {
      const tags = Map.groupBy(await numbersSql.listTagsOn(db, ids), ({ photoId }) => photoId);
      return photos.map((photo) => ({ ...photo, tags: (tags.get(photo.id) ?? []).map(presentTag) }));
    }
    const setting = await numbersSql.findNumberSearch(db, gallery.organizationId);
    if (setting === null) return photos;
    const numbers = await numbersSql.listNumbersOn(db, ids, setting);
    return photos.map((photo) => ({ ...photo, numbers: numbers.get(photo.id) ?? [] }));
  });
}

/** Public numbers of a gallery, by team, then by number. */
export async function numbersOf({ database }: { database: Database }, gallery: Tagged): Promise<ShownNumber[]> {
  if (!gallery.hasTags) return [];
  return database.read(tenantOf(gallery), async (db) => {
    const setting = await numbersSql.findNumberSearch(db, gallery.organizationId);
    return setting === null ? [] : sortNumbers(await numbersSql.listNumbers(db, gallery.id, setting));
  });
}
