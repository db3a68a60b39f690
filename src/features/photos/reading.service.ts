/**
 * Visitors read a gallery's public photos, members all of them, page by page or one by one. A visitor's page costs one query,
 * whatever the size of the gallery, a member's two: access, and the next photos.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Subject } from '#src/features/tenancy/revisions.sql.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { Gallery, GalleryView } from '#src/features/galleries/galleries.rules.ts';
import type { PhotoShow } from '#src/features/photos/photo-grid.contract.ts';
import { countShows } from '#src/features/photos/photo-grid.sql.ts';
import {
  presentMemberPhoto,
  presentPhoto,
  type MemberPhotoRow,
  type ShownPhotoRow,
} from '#src/features/photos/photo-answers.rules.ts';
import { withPublicAddress } from '#src/features/photos/picture-addresses.service.ts';
import { readPhotoPlace, writePhotoPlace, type PhotoPlace } from '#src/features/photos/photo-order.rules.ts';
import * as contract from '#src/features/photos/photos.contract.ts';
import type { FullGallery, PhotoAnswer, PhotosPage } from '#src/features/photos/photos.contract.ts';
import { searchWords, textOfSearch } from '#src/features/photos/keyword-search.rules.ts';
import * as keywordSearchSql from '#src/features/photos/keyword-search.sql.ts';
import { numbersOf, pageByNumber, withNumbers } from '#src/features/photos/numbers.service.ts';
import { listOpenGallery, listOpenPage } from '#src/features/photos/open-page.sql.ts';
import * as photosSql from '#src/features/photos/photos.sql.ts';
import { createSelling, type SellingDeps } from '#src/features/photos/selling.service.ts';
import type { Cdn } from '#src/platform/cdn/cdn.ts';
import { tenantOf, type Database, type Reader, type Scope } from '#src/platform/db/db.ts';
import type { Clock } from '#src/platform/clock.ts';
import { createAnswerCache } from '#src/shared/answer-cache.ts';
import { placeAfter, readPages } from '#src/shared/paging.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

type PhotoReadingDeps = SellingDeps & {
  database: Database;
  clock: Clock;
  cdn: Pick<Cdn, 'addressOf'>;
  galleries: Pick<GalleryService, 'view' | 'scopeOf' | 'isLocked' | 'answerFor'>;
};
export type PhotoReading = ReturnType<typeof createPhotoReading>;

type PageOptions = {
  /** `next` of the previous page. */
  after?: string | null | undefined;
  /** 1 to 100; 10 when absent. */
  limit?: number | undefined;
  /** Part of a keyword, ignoring case and accents. */
  keyword?: string | undefined;
  /** An athlete's number, and the id of a team. */
  number?: string | undefined;
  team?: number | undefined;
  /** Shows a member what visitors see. */
  asVisitor?: boolean | undefined;
  /** A member's filter; visitors see public ones in any case. */
  show?: PhotoShow | undefined;
  /** Called with what the page depends on, if everyone without a session sees the same photos. */
  setSubjects?: ((subjects: readonly Subject[]) => void) | undefined;
};

/** A photo with its position. `index` counts from 0; neighbors wrap around. */
type FoundPhoto = { photo: PhotoAnswer; index: number; total: number; previousId: number; nextId: number };

/** Only for showing; the same rows decide whether it may be seen. */
const SHOWN: Scope = { kind: 'public', mayLag: true };
const NOTHING: PhotosPage = { photos: [], next: null, total: 0 };
/** The page size of `full`. */
const FULL_STEP = 2_000;
/** Smaller counts are not cached, because they cost little. */
const FOUND_KEPT_FROM = 100;
const FOUND_KEPT_MS = 30_000;
const FOUND_KEPT_AT_MOST = 1_000;

type ReadingContext = ReturnType<typeof contextOf>;

function contextOf(deps: PhotoReadingDeps) {
  const foundCounts = createAnswerCache<number>({
    keptMs: FOUND_KEPT_MS,
    atMost: FOUND_KEPT_AT_MOST,
    now: () => deps.clock.now(),
    isWorthIt: (found) => found >= FOUND_KEPT_FROM,
  });
  return { ...deps, foundCounts };
}

type Request = Omit<photosSql.PageRequest, 'audience'> &
  Pick<PageOptions, 'setSubjects'> & { after: PhotoPlace | null };

/** Behind a password nothing is the same for everyone. */
function nameSubjects(
  { setSubjects }: Pick<PageOptions, 'setSubjects'>,
  gallery: Pick<Gallery, 'id' | 'organizationId' | 'passwordRequired'>,
) {
  if (gallery.passwordRequired) return;
  setSubjects?.([0, gallery.id].map((galleryId) => ({ organizationId: gallery.organizationId, galleryId })));
}

function audienceOf(view: GalleryView): photosSql.Audience {
  return view.editor ? 'members' : 'public';
}

function present(ctx: ReadingContext, view: GalleryView, row: photosSql.ListedPhoto, index: number): PhotoAnswer {
  const { gallery } = view;
  if (view.editor) return presentMemberPhoto(gallery, row as MemberPhotoRow, index);
  return withPublicAddress({ cdn: ctx.cdn, gallery, row }, presentPhoto(gallery, row, index));
}

type Viewing = Pick<PageOptions, 'asVisitor'>;

async function viewOf(ctx: ReadingContext, caller: Caller, galleryId: number, { asVisitor }: Viewing) {
  const view = await ctx.galleries.view(caller, galleryId);
  if (!asVisitor || !view.editor) return view;
  if (!view.gallery.active) throw notFound();
  return { ...view, editor: false };
}

async function totalOf(db: Reader, view: GalleryView, show: PhotoShow = 'default'): Promise<number> {
  const { gallery } = view;
  if (!view.editor) return gallery.publicPhotoCount;
  if (show !== 'default') return (await countShows(db, gallery)).counts[show];
  return gallery.photoCount + (await photosSql.countFailed(db, gallery.id));
}

async function listAll(ctx: ReadingContext, caller: Caller, view: GalleryView): Promise<PhotoAnswer[]> {
  const request = {
    galleryId: view.gallery.id,
    audience: audienceOf(view),
    visitorId: caller.visitorId,
    limit: FULL_STEP,
  };
  return ctx.database.read(ctx.galleries.scopeOf(view), async (db) => {
    const photos: PhotoAnswer[] = [];
    const pages = readPages(FULL_STEP, (after: photosSql.ListedPhoto | null) =>
      photosSql.listPhotos(db, { ...request, after }),
    );
    for await (const rows of pages) for (const row of rows) photos.push(present(ctx, view, row, photos.length));
    return photos;
  });
}

/** A visitor's page: the gallery is read with its photos. */
async function openPage(ctx: ReadingContext, caller: Caller, request: Request): Promise<PhotosPage> {
  const open = await ctx.database.read(SHOWN, (db) => listOpenPage(db, request));
  if (!open) throw notFound();
  return showOpen(ctx, caller, request, open);
}

/** As `openPage`, with all facts of the gallery. */
async function openWhole(ctx: ReadingContext, caller: Caller, request: Request) {
  const open = await ctx.database.read(SHOWN, (db) => listOpenGallery(db, request));
  if (!open) throw notFound();
  const locked = ctx.galleries.isLocked(caller, open.gallery);
  const view: GalleryView = { gallery: open.gallery, editor: false, locked };
  return { view, page: await showOpen(ctx, caller, request, open), revisions: open.revisions };
}

/** Photos of a locked gallery are discarded. */
async function showOpen(
  ctx: ReadingContext,
  caller: Caller,
  request: Request,
  open: { gallery: photosSql.OpenGallery; photos: readonly ShownPhotoRow[] },
): Promise<PhotosPage> {
  const { galleryId, after } = request;
  const gallery = { ...open.gallery, id: galleryId };
  if (ctx.galleries.isLocked(caller, gallery)) return NOTHING;
  nameSubjects(request, gallery);
  const show = (row: ShownPhotoRow, index: number) =>
    withPublicAddress({ cdn: ctx.cdn, gallery, row }, presentPhoto(gallery, row, index));
  const total = after?.total ?? gallery.publicPhotoCount;
  const found = pageOf(open.photos, { after, most: request.limit - 1, total, show });
  return { ...found, photos: await withNumbers(ctx, caller, { ...gallery, editor: false }, found.photos) };
}

type Search = { keyword: string; words: keywordSearchSql.WordGroups };

/**
 * How many photos a search finds. A large count is cached for half a minute, like the counts of the chips; hiding or showing a
 * photo invalidates it in every process, because the gallery's own counts are part of the key.
 */
function countFound(ctx: ReadingContext, db: Reader, view: GalleryView, { keyword, words }: Search): Promise<number> {
  const { id, photoCount, publicPhotoCount } = view.gallery;
  const audience = audienceOf(view);
  return ctx.foundCounts(JSON.stringify([id, audience, photoCount, publicPhotoCount, keyword]), () =>
    keywordSearchSql.countWithWords(db, { galleryId: id, audience, words }),
  );
}

/** Words first, then their photos; the count is read only with the first page. */
async function pageByKeyword(
  ctx: ReadingContext,
  db: Reader,
  view: GalleryView,
  { keyword, ...request }: Request & { keyword: string },
): Promise<PhotosPage> {
  const { gallery } = view;
  const { after } = request;
  const list = { galleryId: gallery.id, audience: audienceOf(view) };
  const words = await findWords(db, list, keyword);
  if (!words) return NOTHING;
  const sought = { ...list, words };
  const total = after?.total ?? (await countFound(ctx, db, view, { keyword, words }));
  if (total === 0) return NOTHING;
  const { photoCount } = gallery;
  const rows = await keywordSearchSql.listWithWords(db, { ...request, ...sought, found: total, photoCount });
  return pageOf(rows, { after, most: request.limit - 1, total, show: (row, index) => present(ctx, view, row, index) });
}

/** The position of a photo among those that a keyword finds; null if it finds none. */
async function besideByKeyword(
  ctx: ReadingContext,
  db: Reader,
  view: GalleryView,
  { keyword, ...place }: photosSql.Beside & { keyword: string },
) {
  if (keyword === '') return null;
  const words = await findWords(db, place, keyword);
  const total = words ? await countFound(ctx, db, view, { keyword, words }) : 0;
  if (!words || total === 0) return null;
  const { photoCount } = view.gallery;
  const beside = await keywordSearchSql.findBesideWithWords(db, { ...place, words, found: total, photoCount });
  return beside && { ...beside, index: Math.min(beside.index, total - 1), total };
}

type PageRequest = Request & { keyword: string; byNumber: boolean; isOpen: boolean };

/** `isOpen`: a visitor reads all public photos. @throws invalid for an `after` that we did not write */
function requestOf(caller: Caller, galleryId: number, options: PageOptions): PageRequest {
  const after = placeAfter(options.after, readPhotoPlace);
  const keyword = textOfSearch(options.keyword);
  const most = Math.min(Math.max(1, options.limit ?? contract.PHOTOS_PER_PAGE), contract.MAX_PHOTOS_PER_PAGE);
  const byNumber = options.number !== undefined || options.team !== undefined;
  const isOpen = caller.actor.kind === 'visitor' && keyword === '' && !byNumber;
  const { setSubjects } = options;
  return { galleryId, visitorId: caller.visitorId, after, limit: most + 1, setSubjects, keyword, byNumber, isOpen };
}

/**
 * Photos that the caller may see, in order; none of a locked gallery.
 * @throws not_found; invalid for an `after` that we did not write
 */
export async function page(ctx: ReadingContext, caller: Caller, galleryId: number, options: PageOptions = {}) {
  const request = requestOf(caller, galleryId, options);
  if (request.isOpen) return openPage(ctx, caller, request);
  return pageOfView(ctx, caller, await viewOf(ctx, caller, galleryId, options), request, options);
}

/** The gallery as the caller sees it, and `page` of its photos: one query, also for `outline`, if a visitor does not search. @throws as `page` */
export async function open(ctx: ReadingContext, caller: Caller, galleryId: number, options: PageOptions = {}) {
  // A locked gallery asks for its password at every position.
  if (options.after && !readPhotoPlace(options.after)) {
    const view = await viewOf(ctx, caller, galleryId, options);
    if (view.locked) return { view, page: NOTHING, revisions: undefined };
  }
  const request = requestOf(caller, galleryId, options);
  if (request.isOpen) return openWhole(ctx, caller, request);
  const view = await viewOf(ctx, caller, galleryId, options);
  return { view, page: await pageOfView(ctx, caller, view, request, options), revisions: undefined };
}

async function pageOfView(
  ctx: ReadingContext,
  caller: Caller,
  view: GalleryView,
  { keyword, byNumber, ...request }: PageRequest,
  { number, team, ...options }: PageOptions,
): Promise<PhotosPage> {
  const { gallery, locked } = view;
  if (locked) return NOTHING;
  nameSubjects(request, gallery);
  const { after } = request;
  const most = request.limit - 1;
  const show = (row: photosSql.ListedPhoto, index: number) => present(ctx, view, row, index);
  const found = await ctx.database.read(
    gallery.hasTags ? tenantOf(gallery) : ctx.galleries.scopeOf(view),
    async (db) => {
      if (gallery.hasTags && (byNumber || keyword !== '')) {
        const sought = { ...request, number, team, keyword, total: after?.total ?? null };
        const numbered = await pageByNumber(db, view, sought, ctx.foundCounts);
        if (numbered) return pageOf(numbered.rows, { after, most, total: numbered.total, show });
      }
      if (byNumber) return NOTHING;
      if (keyword !== '') return pageByKeyword(ctx, db, view, { ...request, keyword });
      const filter = view.editor ? options.show : undefined;
      const rows = await photosSql.listPhotos(db, { ...request, audience: audienceOf(view), show: filter });
      const total = after?.total ?? (await totalOf(db, view, filter));
      return pageOf(rows, { after, most, total, show });
    },
  );
  return { ...found, photos: await withNumbers(ctx, caller, { ...gallery, editor: view.editor }, found.photos) };
}

/** All photos of a gallery that the caller may see; none of a locked one. @throws not_found */
export async function all(ctx: ReadingContext, caller: Caller, galleryId: number, options: Viewing = {}) {
  const view = await viewOf(ctx, caller, galleryId, options);
  return view.locked ? [] : listAll(ctx, caller, view);
}

/** The gallery with all its photos, as `GET /galleries/{id}/full` answers it. @throws not_found */
export async function full(ctx: ReadingContext, caller: Caller, galleryId: number): Promise<FullGallery> {
  const view = await ctx.galleries.view(caller, galleryId);
  const answer = await ctx.galleries.answerFor(view);
  return { ...answer, gallery_photo: view.locked ? [] : await listAll(ctx, caller, view) } as FullGallery;
}

/**
 * One photo with its position and neighbors. `index` is the position if the caller's list knows it: then nothing is counted,
 * otherwise the photos before it are. With `keyword`, position and neighbors are among the photos that it finds.
 * @throws not_found, also for hidden and locked ones and those of others
 */
export async function find(
  ctx: ReadingContext,
  caller: Caller,
  galleryId: number,
  photoId: number,
  options: Viewing & { index?: number; keyword?: string } = {},
): Promise<FoundPhoto> {
  const view = await viewOf(ctx, caller, galleryId, options);
  if (view.locked) throw notFound();
  const audience = audienceOf(view);
  const found = await ctx.database.read(ctx.galleries.scopeOf(view), async (db) => {
    const row = await photosSql.findPhoto(db, { galleryId, photoId, audience, visitorId: caller.visitorId });
    if (!row) throw notFound();
    const place = { galleryId, audience, featured: row.featured, orderKey: row.orderKey, id: row.id };
    const among = await besideByKeyword(ctx, db, view, { ...place, keyword: textOfSearch(options.keyword) });
    if (among) return { photo: present(ctx, view, row, among.index), ...among };
    const neighbors = await photosSql.findNeighbors(db, place);
    const total = await totalOf(db, view);
    const { index: known = -1 } = options;
    const isPlace = Number.isSafeInteger(known) && known >= 0 && known < total;
    const index = isPlace ? known : await photosSql.countBefore(db, place);
    return { photo: present(ctx, view, row, index), index, total, ...neighbors };
  });
  const [photo = found.photo] = await withNumbers(ctx, caller, { ...view.gallery, editor: view.editor }, [found.photo]);
  return { ...found, photo };
}

/** Public numbers of athletes on a gallery's photos; none of a locked gallery. @throws not_found */
export async function numbers(
  ctx: ReadingContext,
  caller: Caller,
  galleryId: number,
  setSubjects?: PageOptions['setSubjects'],
): Promise<contract.NumbersAnswer> {
  const { gallery, locked } = await ctx.galleries.view(caller, galleryId);
  if (locked) return { numbers: [] };
  nameSubjects({ setSubjects }, gallery);
  const found = await numbersOf(ctx, gallery);
  return { numbers: found.map(({ teamId, team, number, photos }) => ({ team_id: teamId, team, number, photos })) };
}

/** One photo for its editor. @throws not_found */
export async function one(ctx: ReadingContext, caller: Caller, galleryId: number, photoId: number) {
  const view = await ctx.galleries.view(caller, galleryId);
  if (view.locked) throw notFound();
  const audience = audienceOf(view);
  return ctx.database.read(ctx.galleries.scopeOf(view), async (db) => {
    const row = await photosSql.findPhoto(db, { galleryId, photoId, audience, visitorId: caller.visitorId });
    if (!row) throw notFound();
    return present(ctx, view, row, await photosSql.countBefore(db, { ...row, galleryId, audience }));
  });
}

export const createPhotoReading = (deps: PhotoReadingDeps) => ({
  ...bind(contextOf(deps), { page, open, all, full, find, numbers, one }),
  ...createSelling(deps),
});

/** The meaning of a search in this gallery; null when it finds nothing. */
async function findWords(db: Reader, list: { galleryId: number; audience: photosSql.Audience }, keyword: string) {
  const words = searchWords(keyword);
  return words.length === 0 ? null : keywordSearchSql.findWords(db, list, words);
}

type Showing<Row> = {
  after: PhotoPlace | null;
  most: number;
  total: number;
  show: (row: Row, index: number) => PhotoAnswer;
};

/** A page of rows, each presented by `show`, counted from `after`; one more row than `most` means that there is a next page. */
function pageOf<Row extends ShownPhotoRow>(
  rows: readonly Row[],
  { after, most, total, show }: Showing<Row>,
): PhotosPage {
  const first = after ? after.index + 1 : 0;
  const photos = rows.slice(0, most).map((row, step) => show(row, first + step));
  const last = rows[most - 1];
  if (rows.length <= most || !last) return { photos, next: null, total };
  const { featured, orderKey, id } = last;
  return { photos, next: writePhotoPlace({ featured, orderKey, id, index: first + most - 1, total }), total };
}
