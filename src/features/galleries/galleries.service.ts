/**
 * A club stores its photos in galleries: it creates them, sets their price and password, lists them, and is notified of
 * what happens in them. Every other module asks here for the caller's access to a gallery.
 */
import { requireEditor, requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import {
  deletedGallery,
  DELETED_PER_PAGE,
  FORM_MADE_ANOTHER,
  GALLERY_IS_DELETED,
  type DeletedGalleries,
  type GalleryAnswer,
  type GalleryChanges,
  type GalleryEvent,
  type LockedGalleryAnswer,
  type NewGallery,
  type SeenValues,
} from '#src/features/galleries/galleries.contract.ts';
import {
  NO_SECRETS,
  presentGallery,
  presentLocked,
  readGalleryPlace,
  writeGalleryPlace,
  type GallerySecrets,
  type GalleryView,
} from '#src/features/galleries/galleries.rules.ts';
import * as galleriesSql from '#src/features/galleries/galleries.sql.ts';
import { createGalleryAccess } from '#src/features/galleries/gallery-access.service.ts';
import { createGalleryEditing } from '#src/features/galleries/gallery-editing.service.ts';
import { createGalleryEvents } from '#src/features/galleries/gallery-events.service.ts';
import * as galleryWritesSql from '#src/features/galleries/gallery-writes.sql.ts';
import type { OfferReading } from '#src/features/offers/offer-reading.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { PUBLIC, tenantScope, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { openText } from '#src/platform/secrets.ts';
import { present } from '#src/shared/field-names.ts';
import { pageBy, placeAfter } from '#src/shared/paging.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

type GalleryDeps = Pick<Platform, 'database' | 'clock' | 'limits' | 'cdn'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  keys: Keys;
  offers: Pick<OfferReading, 'ofGalleries' | 'refuseForeign'>;
};
export type GalleryService = ReturnType<typeof createGalleryService>;

const OPEN_KEY: Scope = {
  kind: 'system',
  why: 'where anyone may contribute, the page carries the contribute key (rule 8)',
};
/** Event streams of one gallery that one member may open in a minute. */
const OPEN_PAGES_A_MINUTE = 60;

type GalleryContext = ReturnType<typeof contextOf>;

function contextOf(deps: GalleryDeps) {
  const access = createGalleryAccess(deps);
  const editing = createGalleryEditing({ ...deps, access });
  const events = createGalleryEvents(deps);
  return { ...deps, access, editing, events };
}

async function secretsFor(ctx: GalleryContext, view: GalleryView): Promise<GallerySecrets> {
  const { gallery, editor } = view;
  if (!editor && !gallery.allowPublicContributions) return NO_SECRETS;
  const open = (sealed: Buffer | null, key: Buffer) => (sealed === null ? null : openText(key, sealed));
  return ctx.database.read(editor ? ctx.access.scopeOf(view) : OPEN_KEY, async (db) => {
    const sealed = await galleriesSql.findSealed(db, gallery.id);
    const contributeKey = open(sealed.keyEncrypted, ctx.keys.contributeKeys);
    if (!editor) return { ...NO_SECRETS, contributeKey };
    return {
      contributeKey,
      password: open(sealed.passwordEncrypted, ctx.keys.galleryPasswords),
      unlockKey: ctx.access.unlockKeyOf(gallery),
      contributors: await galleriesSql.listContributors(db, gallery.id),
    };
  });
}

/** The gallery for the API, by the caller's view. */
export async function answerFor(ctx: GalleryContext, view: GalleryView): Promise<GalleryAnswer | LockedGalleryAnswer> {
  return view.locked ? presentLocked(view.gallery) : presentOpen(ctx, view);
}

async function presentOpen(ctx: GalleryContext, view: GalleryView): Promise<GalleryAnswer> {
  const { gallery } = view;
  const secrets = await secretsFor(ctx, view);
  if (gallery.priceSheetId === null) return presentGallery(view, secrets);
  const offers = await ctx.database.read(ctx.access.scopeOf(view), (db) => ctx.offers.ofGalleries(db, [gallery]));
  return presentGallery(view, secrets, offers.get(gallery.id));
}

async function answerForEditor(ctx: GalleryContext, caller: Caller, galleryId: number): Promise<GalleryAnswer> {
  const view = await ctx.access.view(caller, galleryId);
  requireEditor(caller.actor, view.gallery);
  return presentOpen(ctx, view);
}

/** Names and shown goals of these galleries, for someone who may see their photos; active ones, in any order. */
export async function goals(ctx: GalleryContext, galleryIds: readonly number[]): Promise<galleriesSql.GalleryGoal[]> {
  if (galleryIds.length === 0) return [];
  return ctx.database.read(PUBLIC, (db) => galleriesSql.listGoals(db, galleryIds));
}

/**
 * Creates a gallery, and returns it as its owner sees it. A form that may be sent again has a key, which creates one
 * gallery and returns it from then on.
 * @throws as `editing.create`; forbidden when that gallery was deleted meanwhile; conflict, with the `gallery`, when
 * the form has other content
 */
export async function createOnce(ctx: GalleryContext, caller: Caller, input: NewGallery, clientKey: string | null) {
  const { galleryId, isNew, isSameContent } = await ctx.editing.create(caller, input, clientKey);
  const gallery = await answerForEditor(ctx, caller, galleryId);
  if (!gallery.active) throw problem('forbidden', GALLERY_IS_DELETED);
  if (!isSameContent) throw problem('conflict', FORM_MADE_ANOTHER, { extra: { gallery } });
  return { gallery, isNew };
}

/** @throws as `editing.change`. */
export async function change(
  ctx: GalleryContext,
  caller: Caller,
  galleryId: number,
  changes: GalleryChanges,
  seen?: SeenValues,
): Promise<GalleryAnswer> {
  await ctx.editing.change(caller, galleryId, changes, seen);
  return answerForEditor(ctx, caller, galleryId);
}

/** @throws as `editing.deactivate`. */
export async function deactivate(ctx: GalleryContext, caller: Caller, galleryId: number): Promise<GalleryAnswer> {
  await ctx.editing.deactivate(caller, galleryId);
  return answerForEditor(ctx, caller, galleryId);
}

/** Follows the events of a gallery until the returned function is called. @throws unauthenticated; not_found; too_many */
export async function follow(
  ctx: GalleryContext,
  caller: Caller,
  galleryId: number,
  page: { onEvent: (event: GalleryEvent) => void; ended: () => void },
): Promise<() => void> {
  const gallery = await ctx.access.ownGallery(caller, galleryId);
  const userId = caller.actor.kind === 'user' ? caller.actor.userId : null;
  if (userId !== null)
    await ctx.limits.take({
      bucket: `events:${userId}:${gallery.id}`,
      limit: OPEN_PAGES_A_MINUTE,
      windowSeconds: 60,
    });
  return ctx.events.follow(gallery.id, { userId, ...page });
}

/**
 * Deleted galleries for platform admins, newest first; `change` restores one.
 * @throws unauthenticated; forbidden; invalid for an `after` that we did not write
 */
export async function listDeleted(
  ctx: GalleryContext,
  caller: Caller,
  organizationId: number,
  after: string | null = null,
): Promise<DeletedGalleries> {
  requirePlatformAdmin(caller.actor);
  const place = placeAfter(after, readGalleryPlace);
  const rows = await ctx.database.read(tenantScope(organizationId), (db) =>
    galleriesSql.listDeleted(db, organizationId, { after: place, limit: DELETED_PER_PAGE + 1 }),
  );
  const { shown, next } = pageBy(rows, DELETED_PER_PAGE, writeGalleryPlace);
  return { galleries: shown.map((row) => present(deletedGallery, row)), next };
}

/** Announces a sale to members' open pages, right after the order's commit. */
export function announceOrderPaid(ctx: GalleryContext, notice: { galleryIds: readonly number[]; vanityId: string }) {
  return ctx.events.announceNow(notice.galleryIds, { name: 'order.paid', data: { vanity_id: notice.vanityId } });
}

/** For a transaction that adds photos: locks the gallery against others that do. @throws not_found when it is not active */
export async function lockForPhotos(tx: Writer, galleryId: number): Promise<{ freeTier: boolean; photoCount: number }> {
  const locked = await galleryWritesSql.lockForPhotos(tx, galleryId);
  if (!locked) throw notFound();
  return locked;
}

/** The given galleries that are not deleted. */
export const activeGalleries = galleriesSql.listActive;

/** The given organizations that have an active gallery. */
export const ownersOfGalleries = galleriesSql.listOwnersOfActive;

export function createGalleryService(deps: GalleryDeps) {
  const ctx = contextOf(deps);
  return {
    ...ctx.access,
    /** For modules that create galleries in their own transaction (bulk-imports). @throws as `editing.createWithin`. */
    createWithin: ctx.editing.createWithin,
    /** Notifies members' open pages when the transaction commits. */
    announce: ctx.events.announce,
    /** Adds to the sales counters in the settling transaction; negative numbers subtract. After the photos' own counters. */
    recordSales: galleryWritesSql.addSales,
    /** For a price sheet that is archived or no longer shared, in the caller's transaction. */
    releasePriceSheet: galleryWritesSql.releasePriceSheet,
    lockForPhotos,
    ...bind(ctx, {
      answerFor,
      goals,
      createOnce,
      change,
      deactivate,
      follow,
      listDeleted,
      announceOrderPaid,
    }),
  };
}
