/** The photos of a sold pass, page by page. `orders/receipts.service.ts` decides what its key opens. */
import { NO_DOWNLOADS, ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import { isDownloadable } from '#src/features/orders/orders.rules.ts';
import * as passesSql from '#src/features/orders/order-passes.sql.ts';
import { boughtImageAddress, isVanityId } from '#src/features/orders/receipt.rules.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import {
  PASS_NOT_FOUND,
  PASS_PHOTOS_PER_PAGE,
  type PassPhotosAnswer,
  type PassPhotosQuery,
} from '#src/features/passes/passes.contract.ts';
import { readPassPlace, writePassPlace } from '#src/features/passes/passes.rules.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { pageOf, placeAfter } from '#src/shared/paging.ts';
import { notFound } from '#src/shared/problem.ts';

const RECEIPTS = {
  kind: 'system',
  why: 'a receipt is opened by its unguessable address, and its passes with it',
} as const;

type PassDeps = { database: Database };
type PassOfOrder = { vanityId: string; passId: number };
export type PassService = ReturnType<typeof createPasses>;

/**
 * What a pass opens now, newest first: without hidden, withheld and removed photos, and with new ones until its last
 * day.
 * @throws not_found for unknown orders and passes, and without available downloads; invalid for an `after` that we did
 * not write
 */
export async function photos(ctx: PassDeps, pass: PassOfOrder, query: PassPhotosQuery): Promise<PassPhotosAnswer> {
  return (await read(ctx, pass, query)).page;
}

/** For the page of its order: the newest photos, and which bought photos of the order are among all of its photos. */
export async function onOrderPage(ctx: PassDeps, pass: PassOfOrder, limit: number) {
  const { page, boughtIds } = await read(ctx, pass, { limit });
  return { first: page, boughtIds };
}

async function read(
  ctx: PassDeps,
  { vanityId, passId }: PassOfOrder,
  { after, limit = PASS_PHOTOS_PER_PAGE }: PassPhotosQuery,
) {
  const place = placeAfter(after, readPassPlace);
  return ctx.database.read(RECEIPTS, async (db) => {
    const receipt = isVanityId(vanityId) ? await receiptsSql.findReceipt(db, { vanityId }) : null;
    if (!receipt) throw notFound(ORDER_NOT_FOUND);
    const pass = receipt.passes.find(({ id }) => id === passId);
    if (!pass) throw notFound(PASS_NOT_FOUND);
    if (!isDownloadable(receipt.status) || pass.isRevoked) throw notFound(NO_DOWNLOADS);
    const rows = await passesSql.listPassPhotos(db, { vanityId, passId }, { after: place, limit: limit + 1 });
    const { shown, next } = pageOf(rows, limit);
    const last = next === null ? undefined : shown.at(-1);
    const page: PassPhotosAnswer = {
      photos: shown.map(({ id, galleryId, name, addedAt }) => ({
        id,
        gallery_id: galleryId,
        name,
        image_url: boughtImageAddress({ galleryId, photoId: id, orderKey: pass.orderKey }),
        added_at: new Date(Number(addedAt) / 1000).toISOString(),
      })),
      next: last ? writePassPlace(last) : null,
    };
    return { page, boughtIds: pass.boughtIds };
  });
}

export const createPasses = (deps: PassDeps) => bind(deps, { photos, onOrderPage });
