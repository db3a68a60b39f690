/**
 * Orders are read by an address that no one can guess; by number only by those who manage the seller. A paid line's key
 * opens exactly its photo, for its buyer, with a limit per hour.
 */
import { createHash } from 'node:crypto';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import { isForeignToken, isKnown, mayEdit, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { ORDER_NOT_FOUND, type OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { PHOTO_WITHDRAWN } from '#src/features/orders/withdrawn.contract.ts';
import {
  broughtToGalleries,
  helpedGoals,
  isOrderKey,
  isVanityId,
  presentOrder,
  type Receipt,
} from '#src/features/orders/receipt.rules.ts';
import type { PricingDeps } from '#src/features/orders/pricing.service.ts';
import * as passesSql from '#src/features/orders/order-passes.sql.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { RateLimit, Limits } from '#src/platform/limits/rate-limits.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

const RECEIPTS = {
  kind: 'system',
  why: 'a receipt is opened by its unguessable address; by number only after the caller was asked who they are',
} as const;
const VIEWS_AN_HOUR = 600;
const DOWNLOADS_AN_HOUR = 60;
/** One key opens all photos of a pass. */
const PHOTOS_OF_A_PASS = 20;
/** To one address. */
const FREE_RECEIPTS = { hour: 10, day: 30 };

/** Receipts that cost their sender nothing: of free orders, and repeated ones. More are shown only on the page (threat 31). */
export function freeReceiptLimits(email: string): RateLimit[] {
  const address = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
  return [
    { bucket: `free receipts:hour:${address}`, limit: FREE_RECEIPTS.hour, windowSeconds: HOUR_SECONDS },
    { bucket: `free receipts:day:${address}`, limit: FREE_RECEIPTS.day, windowSeconds: DAY_SECONDS },
  ];
}

export type ReceiptDeps = {
  database: Database;
  limits: Limits;
  credit: Pick<CreditService, 'codeFor'>;
} & Pick<PricingDeps, 'galleries'>;

async function find(ctx: ReceiptDeps, caller: Caller, idText: string): Promise<Receipt | null> {
  if (isVanityId(idText)) {
    const receipt = await ctx.database.read(RECEIPTS, (db) => receiptsSql.findReceipt(db, { vanityId: idText }));
    return receipt && isForeignToken(caller.actor, { organizationId: receipt.seller.id }) ? null : receipt;
  }
  const id = readId(idText);
  if (id === null || !isKnown(caller.actor)) return null;
  const receipt = await ctx.database.read(RECEIPTS, (db) => receiptsSql.findReceipt(db, { id }));
  if (
    !receipt ||
    !mayEdit(caller.actor, { organizationId: receipt.seller.id, parentOrganizationId: receipt.seller.parentId })
  )
    return null;
  return receipt;
}

/**
 * The receipt by vanity id, or by number for members and platform admins. An API token gets none of its keys: they
 * would outlive the token.
 * @throws not_found "Order not found."
 */
export async function read(ctx: ReceiptDeps, caller: Caller, idText: string): Promise<OrderAnswer> {
  const receipt = await find(ctx, caller, idText);
  if (!receipt) throw notFound(ORDER_NOT_FOUND);
  const brought = broughtToGalleries(receipt);
  const goals = helpedGoals(brought, await ctx.galleries.goals([...brought.keys()]));
  // Only the buyer sees the code: members, who read by number, see its last four characters, and no vanity id that shows it.
  const isBuyer = isVanityId(idText);
  const code = isBuyer ? await ctx.credit.codeFor(receipt) : null;
  const withKeys = caller.actor.kind !== 'token' && (isBuyer || receipt.soldCredit === null);
  return presentOrder(receipt, goals, { withKeys, code });
}

/**
 * What an order key opens of this photo, while it is paid and not revoked: its line, or the photo itself if it is in
 * the pass of this key. Else null. Downloads have a strict limit per key, viewing the bought picture a loose one.
 * @throws gone for a photo that a family withdrew; too_many
 */
export async function paidLine(
  ctx: Pick<ReceiptDeps, 'database' | 'limits'>,
  orderKey: string,
  use: 'view' | 'download' = 'download',
  photo: { photoId: number; galleryId: number } | null = null,
): Promise<{ photoId: number; galleryId: number } | null> {
  if (!isOrderKey(orderKey)) return null;
  const [line, pass] = await ctx.database.read(RECEIPTS, async (db) => {
    const found = await receiptsSql.findPaidLine(db, orderKey);
    return [found, found === null && photo !== null ? await passesSql.passOpens(db, orderKey, photo) : null] as const;
  });
  if (!line && !pass) return null;
  if (line?.isWithdrawn || pass === 'withdrawn') throw problem('gone', PHOTO_WITHDRAWN);
  const limit = (use === 'download' ? DOWNLOADS_AN_HOUR : VIEWS_AN_HOUR) * (pass ? PHOTOS_OF_A_PASS : 1);
  await ctx.limits.take({ bucket: `orderkey:${use}:${orderKey}`, limit, windowSeconds: HOUR_SECONDS });
  return line ?? photo;
}
