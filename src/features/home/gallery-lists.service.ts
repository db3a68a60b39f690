/**
 * Lists of galleries. An organization's own, newest first: visitors see the public ones (active, not private, with visible
 * photos), members all active ones, including fields that are secret to others. However many galleries there are, a list needs
 * at most three queries. Home pages show real galleries: the newest of the organizations that a platform admin selected (rule
 * 52), or the newest of each affiliate of a parent; everyone sees the same ones, so the results are cached for a minute.
 */
import { mayEdit, requireEditor, type Caller, type Owned } from '#src/features/tenancy/actor.rules.ts';
import * as words from '#src/features/galleries/galleries.contract.ts';
import type { ListedGallery, PagedGallery, PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import {
  NO_SECRETS,
  presentGallery,
  readGalleryPlace,
  writeGalleryPlace,
  type GallerySecrets,
} from '#src/features/galleries/galleries.rules.ts';
import * as galleriesSql from '#src/features/galleries/galleries.sql.ts';
import { createAnswerCache } from '#src/shared/answer-cache.ts';
import { placeAfter, pageBy } from '#src/shared/paging.ts';
import { photosOfGalleries, previewsOf } from '#src/features/photos/photo-lists.service.ts';
import { PUBLIC, tenantScope, type Reader } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { openText } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';
import * as galleryShowcaseSql from '#src/features/home/gallery-showcase.sql.ts';

export type GalleryListService = ReturnType<typeof createGalleryLists>;

const SHOWN = { kind: 'public', mayLag: true } as const;
/** Above it a list says "1,000" and means "1,000 or more". */
const COUNTED_AT_MOST = 1_000;
/** Photos per response of the members' pages, shared by its galleries. */
const PHOTOS_PER_ANSWER = 5_000;
/** Longer than any name. */
const MAX_SEARCH_CHARACTERS = 200;
const REMEMBER_MS = 60_000;
const REMEMBER_AT_MOST = 500;

type GalleryListDeps = Pick<Platform, 'database' | 'clock' | 'cdn'> & {
  keys: Pick<Keys, 'galleryPasswords' | 'contributeKeys'>;
  galleries: Pick<GalleryService, 'isLocked' | 'unlockKeyOf'>;
  organizations: Pick<OrganizationService, 'byId'>;
};

type GalleryList = {
  galleries: ListedGallery[];
  /** Opaque; null after the last one. */
  next: string | null;
  /** Counted up to `COUNTED_AT_MOST`. */
  total: number;
};

type GalleryListContext = ReturnType<typeof contextOf>;

function contextOf(deps: GalleryListDeps) {
  const kept = { keptMs: REMEMBER_MS, atMost: REMEMBER_AT_MOST, now: () => deps.clock.now() };
  const showcases = createAnswerCache<ShowcaseGallery[]>(kept);
  const counted = createAnswerCache<number>({
    ...kept,
    // "1,000 or more" stays right for a while; a smaller number is exact.
    isWorthIt: (total) => total === COUNTED_AT_MOST,
  });
  return { ...deps, showcases, counted };
}

function secretsOf(ctx: GalleryListContext, row: galleriesSql.ListedRow): GallerySecrets {
  return {
    password: row.passwordEncrypted === null ? null : openText(ctx.keys.galleryPasswords, row.passwordEncrypted),
    contributeKey: row.keyEncrypted === null ? null : openText(ctx.keys.contributeKeys, row.keyEncrypted),
    unlockKey: ctx.galleries.unlockKeyOf(row),
    contributors: [],
  };
}

/**
 * The first galleries, or those after `after`, whose name contains `search`; `asVisitor` shows a member what visitors see. A
 * locked gallery has no pictures.
 * @throws invalid for an unknown `after`
 */
export async function listForOrganization(
  ctx: GalleryListContext,
  caller: Caller,
  owner: Owned,
  options: {
    search?: string | undefined;
    after?: string | null | undefined;
    limit?: number | undefined;
    asVisitor?: boolean | undefined;
  } = {},
): Promise<GalleryList> {
  const { search = '', after = null, limit = words.GALLERIES_PER_PAGE, asVisitor = false } = options;
  const place = placeAfter(after, readGalleryPlace);
  if (search.length > MAX_SEARCH_CHARACTERS) return { galleries: [], next: null, total: 0 };
  const editor = !asVisitor && mayEdit(caller.actor, owner);
  const audience = editor ? 'members' : 'public';
  const filter = { organizationId: owner.organizationId, audience, search: search.trim() } as const;
  const most = Math.min(Math.max(1, limit), words.MAX_GALLERIES_PER_PAGE);
  return ctx.database.read(editor ? tenantScope(owner.organizationId) : SHOWN, async (db) => {
    const rows = await galleriesSql.listGalleries(db, filter, { after: place, skip: 0, limit: most + 1 });
    const { shown, next } = pageBy(rows, most, writeGalleryPlace);
    const open = shown.filter((row) => editor || !ctx.galleries.isLocked(caller, row));
    const previews = await previewsOf(
      db,
      open.map((row) => row.id),
      { audience, most: words.PREVIEW_PHOTOS, cdn: ctx.cdn },
    );
    // A list that ends on its first page needs no count.
    const isWhole = place === null && rows.length <= most;
    const total = isWhole
      ? rows.length
      : await ctx.counted([owner.organizationId, audience, filter.search].join(' '), () =>
          galleriesSql.countGalleries(db, filter, COUNTED_AT_MOST),
        );
    return {
      galleries: shown.map((row) => ({
        ...presentGallery({ gallery: row, editor }, editor ? secretsOf(ctx, row) : NO_SECRETS),
        preview: previews.get(row.id) ?? [],
      })),
      next,
      total,
    };
  });
}

/**
 * The specification's pages, for members: from 1, an empty list after the last. `gallery_photo` is JSON text of the gallery's
 * photos in order; a page contains at most 5,000 of them, an equal share per gallery.
 * @throws unauthenticated; not_found
 */
export async function pageOfAffiliate(
  ctx: GalleryListContext,
  caller: Caller,
  organizationId: number,
  { page, perPage }: { page: number; perPage: number },
): Promise<PagedGallery[]> {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) throw notFound();
  const owner = { organizationId, parentOrganizationId: organization.parentOrganizationId };
  requireEditor(caller.actor, owner);
  const filter = { organizationId: owner.organizationId, audience: 'members', search: '' } as const;
  return ctx.database.read(tenantScope(owner.organizationId), async (db) => {
    const rows = await galleriesSql.listGalleries(db, filter, {
      after: null,
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    const photos = await photosOfGalleries(db, rows, {
      visitorId: caller.visitorId,
      most: Math.floor(PHOTOS_PER_ANSWER / perPage),
    });
    return rows.map((row) => ({
      ...presentGallery({ gallery: row, editor: true }, secretsOf(ctx, row)),
      gallery_photo: JSON.stringify(photos.get(row.id) ?? []),
    }));
  });
}

export type ShowcaseGallery = galleryShowcaseSql.ShowcaseRow & { preview: readonly PhotoPreview[] };

function remember(
  ctx: GalleryListContext,
  key: string,
  read: (db: Reader) => Promise<galleryShowcaseSql.ShowcaseRow[]>,
): Promise<ShowcaseGallery[]> {
  return ctx.showcases(key, () =>
    ctx.database.read(PUBLIC, async (db) => {
      const rows = await read(db);
      const previews = await previewsOf(
        db,
        rows.map((row) => row.id),
        { audience: 'public', most: words.PREVIEW_PHOTOS, cdn: ctx.cdn },
      );
      return rows.map((row) => ({ ...row, preview: previews.get(row.id) ?? [] }));
    }),
  );
}

/** The newest public galleries of the organizations that a platform admin selected for the home page. */
export function showcase(ctx: GalleryListContext, limit: number): Promise<ShowcaseGallery[]> {
  return remember(ctx, `all:${limit}`, (db) => galleryShowcaseSql.newestGalleries(db, limit));
}

/** The newest public gallery of each of these organizations; those without one are left out. */
export async function showcaseOfEach(ctx: GalleryListContext, organizationIds: readonly number[]) {
  return organizationIds.length === 0
    ? []
    : remember(ctx, `each:${organizationIds.join()}`, (db) => galleryShowcaseSql.newestOfEach(db, organizationIds));
}

export const createGalleryLists = (deps: GalleryListDeps) =>
  bind(contextOf(deps), { listForOrganization, pageOfAffiliate, showcase, showcaseOfEach });
