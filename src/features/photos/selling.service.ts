/** Which photos and galleries may be bought, and by whom: used by the cart, the checkout and quotes. */
import { mayEdit, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { listNewPlaces } from '#src/features/photos/photo-moves.sql.ts';
import { priceOf } from '#src/features/photos/photos.rules.ts';
import * as photosSql from '#src/features/photos/photos.sql.ts';
import { PUBLIC, tenantOf, type Database, type Scope } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';

/** The families module's answer to "which of these photos does a card of this browser show?". */
export type FamilyPhotos = { seenPhotos(caller: Caller, photoIds: readonly number[]): Promise<ReadonlySet<number>> };

export type SellingDeps = {
  database: Database;
  galleries: Pick<GalleryService, 'isLocked'>;
  /** Absent without family cards. */
  families?: FamilyPhotos;
};

const OF_FAMILIES: Scope = { kind: 'system', why: 'the cards of a family were asked which of these photos they show' };
const MAX_SELLABLE = 1_000;

/**
 * The given photos that this caller may see and buy; one query, and two more for a browser with cards of children if
 * something is missing. At most 1,000 are looked up.
 */
export async function sellable(ctx: SellingDeps, caller: Caller, photoIds: readonly number[]) {
  const wanted = [...new Set(photoIds)].slice(0, MAX_SELLABLE);
  if (wanted.length === 0) return [];
  const rows = await ctx.database.read(PUBLIC, (db) => photosSql.listSellable(db, wanted));
  const galleries = new Set(rows.map(({ gallery }) => gallery));
  for (const gallery of galleries) if (!mayBuyFrom(ctx, caller, gallery)) galleries.delete(gallery);
  const open = rows.filter(({ gallery }) => galleries.has(gallery));
  return [...open, ...(await sellableToFamily(ctx, caller, wanted, open))].map(
    ({ id, name, priceOverrideCents, gallery: { id: galleryId, organizationId, offered, ...gallery } }) => ({
      id,
      galleryId,
      organizationId,
      name: photoTitle(name, id),
      priceCents: priceOf({ priceOverrideCents }, gallery),
      hasOwnPrice: (priceOverrideCents ?? 0) > gallery.priceCents,
      offered,
    }),
  );
}

const mayBuyFrom = (ctx: SellingDeps, caller: Caller, gallery: photosSql.SellingGallery) =>
  mayEdit(caller.actor, gallery) || !ctx.galleries.isLocked(caller, gallery);

/** Those of the other photos that a family sees of its child. */
async function sellableToFamily(
  ctx: SellingDeps,
  caller: Caller,
  wanted: readonly number[],
  open: readonly photosSql.SellableRow[],
): Promise<photosSql.SellableRow[]> {
  if (caller.family === undefined || !ctx.families) return [];
  const found = new Set(open.map(({ id }) => id));
  const missing = wanted.filter((id) => !found.has(id));
  const seen = await ctx.families.seenPhotos(caller, missing);
  return seen.size === 0 ? [] : ctx.database.read(OF_FAMILIES, (db) => photosSql.listSellable(db, [...seen], true));
}

/**
 * Where photos that moved to another gallery of their seller are now, by their old id, if this caller may buy them there. Like
 * their old links they do not lead to a private gallery (decision record 0178).
 */
export async function moved(
  ctx: SellingDeps,
  caller: Caller,
  organizationId: number,
  photos: readonly { id: number; gallery_id: number }[],
): Promise<ReadonlyMap<number, { id: number; gallery_id: number; name: string }>> {
  const from = new Map(photos.map(({ id, gallery_id: galleryId }) => [id, galleryId]));
  const places = await ctx.database.read(tenantOf({ organizationId }), (db) =>
    listNewPlaces(db, organizationId, [...from.keys()]),
  );
  const own = places.filter(({ old }) => from.get(old.photoId) === old.galleryId);
  if (own.length === 0) return new Map();
  const ids = own.map(({ now }) => now.photoId);
  const rows = await ctx.database.read(PUBLIC, (db) => photosSql.listSellable(db, ids));
  const open = rows.filter(({ gallery }) => !gallery.isPrivate || mayEdit(caller.actor, gallery));
  const buyable = open.filter(({ gallery }) => mayBuyFrom(ctx, caller, gallery));
  const sold = [...buyable, ...(await sellableToFamily(ctx, caller, ids, buyable))];
  const byId = new Map(
    sold.map(({ id, name, gallery }) => [id, { id, gallery_id: gallery.id, name: photoTitle(name, id) }]),
  );
  return new Map(
    own.flatMap(({ old, now }) => {
      const photo = byId.get(now.photoId);
      return photo ? [[old.photoId, photo]] : [];
    }),
  );
}

/** The given galleries that have a price sheet and that this caller may see; one query. */
export async function offered(ctx: SellingDeps, caller: Caller, galleryIds: readonly number[]) {
  const galleries = await ctx.database.read(PUBLIC, (db) => photosSql.listOffered(db, galleryIds));
  return galleries.filter((gallery) => mayBuyFrom(ctx, caller, gallery));
}

export const createSelling = (deps: SellingDeps) => ({
  ...bind(deps, { sellable, moved, offered }),
  /** For the price sheets, whose module is below this one. */
  pricesOfSheet: photosSql.listPricesOfSheet,
});
