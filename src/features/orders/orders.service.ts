/**
 * A visitor sends a cart and a card. The server prices it anew, keeps the order as pending under
 * the browser's checkout key, charges with a key that is already stored, and settles. However often,
 * from however many tabs and through whatever crash it is sent, there is one order and one charge.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import {
  CARD_REQUIRED,
  minimumCharge,
  type OrderPlaced,
  type PlaceOrderBody,
  type QuoteAnswer,
  type QuoteBody,
  type StandingAnswer,
} from '#src/features/orders/orders.contract.ts';
import { createArchives, type ArchiveDeps } from '#src/features/orders/archives.service.ts';
import { createCharging, type ChargingDeps } from '#src/features/orders/charging.service.ts';
import { chargeNeeded, galleriesOf, MINIMUM_CHARGE_CENTS, orderContent } from '#src/features/orders/orders.rules.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import { lockPayableOrders } from '#src/features/orders/payable-orders.sql.ts';
import {
  createPricing,
  presentGoal,
  presentPrices,
  type PricedOrder,
  type PricingDeps,
} from '#src/features/orders/pricing.service.ts';
import type { OwnAccount } from '#src/features/tenancy/processor-keys.service.ts';
import { createReceipts, freeReceiptLimits } from '#src/features/orders/receipts.service.ts';
import {
  createStandingOrders,
  presentPlaced,
  type StandingOrderDeps,
} from '#src/features/orders/standing-orders.service.ts';
import { createSettlement, type SettlementDeps } from '#src/features/orders/settlement.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { formatDollars } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem, problem } from '#src/shared/problem.ts';

const CHECKOUT = {
  kind: 'system',
  why: 'a visitor buys: the order is written for the seller whose photos were priced',
} as const;
const ORDERS_IN_TEN_MINUTES = 120;
const STANDINGS_IN_TEN_MINUTES = 300;

export type OrderDeps = PricingDeps &
  SettlementDeps &
  Omit<ChargingDeps, 'settlement'> &
  ArchiveDeps &
  Pick<StandingOrderDeps, 'processorKeys'>;
export type OrderService = ReturnType<typeof createOrderService>;

type OrderContext = ReturnType<typeof contextOf>;

function contextOf(deps: OrderDeps) {
  const pricing = createPricing(deps);
  const settlement = createSettlement(deps);
  const charging = createCharging({ ...deps, settlement });
  const standingOrders = createStandingOrders({ ...deps, charging, settlement });
  const receipts = createReceipts(deps);
  return { ...deps, pricing, settlement, charging, standingOrders, receipts };
}

async function prepare(ctx: OrderContext, caller: Caller, body: PlaceOrderBody): Promise<PricedOrder> {
  const priced = await ctx.pricing.priceAsSeen(caller, body);
  const { totalCents } = priced.totals;
  if (!chargeNeeded(totalCents)) return priced;
  if (totalCents < MINIMUM_CHARGE_CENTS) throw problem('invalid', minimumCharge(formatDollars(MINIMUM_CHARGE_CENTS)));
  if (!body.stripe_token) throw problem('invalid', CARD_REQUIRED, { errors: { stripe_token: [CARD_REQUIRED] } });
  return priced;
}

/** Anybody may order free photos for anybody's address: beyond so many the order's page alone is the receipt. */
async function mayMailFreeReceipt(ctx: OrderContext, email: string): Promise<boolean> {
  try {
    for (const share of freeReceiptLimits(email)) await ctx.limits.take(share);
    return true;
  } catch (error) {
    if (isProblem(error) && error.code === 'too_many') return false;
    throw error;
  }
}

/** Keeps the order under its checkout key and charges; what stands under the key already is answered again. */
async function keepAndPay(
  ctx: OrderContext,
  caller: Caller,
  body: PlaceOrderBody,
  priced: PricedOrder,
  contentHash: Buffer,
): Promise<OrderPlaced> {
  const isFree = !chargeNeeded(priced.totals.totalCents);
  const account =
    !isFree && priced.seller.canAddCustomPayment ? await ctx.processorKeys.accountOf(priced.seller.id) : null;
  const order = newOrder(body, priced, account, contentHash, ctx.clock.now());
  const isMailed = !isFree || (await mayMailFreeReceipt(ctx, order.email));
  const keep = async (tx: Writer) => {
    const orderId = await ordersSql.insertOrder(tx, order);
    if (orderId === null) return null;
    return {
      orderId,
      receipt: isFree
        ? await ctx.settlement.completeFreeSale(tx, orderId, { paidAt: order.createdAt, isMailed })
        : null,
    };
  };
  const placed = await ctx.database.write(CHECKOUT, keep, isFree ? { sendsAtOnce: true } : { isOneStatement: true });
  if (!placed) {
    const standing = await ctx.standingOrders.find(body, contentHash);
    // The seller was deleted after the cart was priced: priced again, it says so.
    if (!standing) await ctx.pricing.price(caller, body);
    if (!standing)
      throw problem('unavailable', 'This order could not be kept. Please try again.', { retryAfterSeconds: 1 });
    return ctx.standingOrders.resume(caller, body, standing);
  }
  if (placed.receipt) {
    await ctx.settlement.announce(placed.receipt);
    return presentPlaced({ vanityId: order.vanityId, status: 'paid', totalCents: 0 });
  }
  if (!order.charge) throw new Error('an order with a price was kept without a charge');
  const { vanityId } = order;
  return ctx.standingOrders.pay(caller, body, { ...order.charge, account, orderId: placed.orderId, vanityId });
}

/** The public card key of a seller who charges over an account of their own; null where it is the platform's. */
export async function publishableKeyOf(
  ctx: OrderContext,
  seller: { id: number; canAddCustomPayment: boolean },
): Promise<string | null> {
  if (!seller.canAddCustomPayment) return null;
  return (await ctx.processorKeys.accountOf(seller.id))?.publishableKey ?? null;
}

/** What the cart costs this caller now. @throws invalid as pricing does. */
export async function quote(ctx: OrderContext, caller: Caller, body: QuoteBody): Promise<QuoteAnswer> {
  const prices = presentPrices(await ctx.pricing.price(caller, body));
  const galleries = await ctx.pricing.goalsOf(galleriesOf(prices.items));
  return { ...prices, galleries: galleries.map(presentGoal) };
}

/** What was ordered under a key that only its browser knows; for a buyer whose answer was lost on the way. @throws too_many */
export async function standing(ctx: OrderContext, caller: Caller, checkoutKey: string): Promise<StandingAnswer> {
  await ctx.limits.take({ bucket: `standing:ip:${caller.ip}`, limit: STANDINGS_IN_TEN_MINUTES, windowSeconds: 600 });
  return ctx.standingOrders.answer(checkoutKey);
}

/**
 * Places and pays an order. `status` is "pending" while the payment is being confirmed.
 * @throws invalid; conflict for changed prices and used keys; card_refused in the provider's words; too_many.
 */
export async function place(ctx: OrderContext, caller: Caller, body: PlaceOrderBody): Promise<OrderPlaced> {
  await ctx.limits.take({ bucket: `orders:ip:${caller.ip}`, limit: ORDERS_IN_TEN_MINUTES, windowSeconds: 600 });
  const contentHash = createHash('sha256').update(orderContent(body)).digest();
  let priced: PricedOrder;
  try {
    priced = await prepare(ctx, caller, body);
  } catch (refusal) {
    // What has been ordered stays ordered, whatever has become of its photos since.
    const standing = await ctx.standingOrders.find(body, contentHash);
    if (!standing || standing.status === 'failed') throw refusal;
    return ctx.standingOrders.resume(caller, body, standing);
  }
  const go = () => keepAndPay(ctx, caller, body, priced, contentHash);
  return chargeNeeded(priced.totals.totalCents) ? ctx.charging.inTurn(caller, body.order.user.email, go) : go();
}

export function createOrderService(deps: OrderDeps) {
  const ctx = contextOf(deps);
  return {
    read: ctx.receipts.read,
    archive: createArchives(ctx).archive,
    paidLine: ctx.receipts.paidLine,
    recover: ctx.settlement.recover,
    sweep: ctx.settlement.sweep,
    planSweep: ctx.settlement.planSweep,
    /** What a pay-out has to know of orders, which stay as they are until its transaction ends. */
    lockForPayout: lockPayableOrders,
    /** Whether money of an organization is on its way to or from the provider, in the caller's transaction. */
    hasPendingMoney: ordersSql.hasUndecided,
    ...bind(ctx, { publishableKeyOf, quote, standing, place }),
  };
}

function newOrder(
  body: PlaceOrderBody,
  { seller, lines, totals, tax, donationGalleryId }: PricedOrder,
  account: OwnAccount | null,
  contentHash: Buffer,
  now: Date,
): ordersSql.NewOrder {
  const { user, checkout_key: checkoutKey } = body.order;
  return {
    vanityId: randomToken(16),
    organizationId: seller.id,
    checkoutKey,
    contentHash,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    zip: user.zip || null,
    subtotalCents: totals.subtotalCents,
    taxCents: totals.taxCents,
    donationCents: totals.donationCents,
    donationGalleryId,
    taxRatePpm: tax.ratePpm,
    taxReason: tax.reason,
    shareBps: seller.shareBps,
    processor: account ? 'custom' : 'platform',
    createdAt: now,
    lines: lines.map((line) => ({
      photoId: line.photoId,
      galleryId: line.galleryId,
      priceCents: line.priceCents,
      orderKey: randomToken(16),
    })),
    charge: chargeNeeded(totals.totalCents)
      ? {
          idempotencyKey: randomUUID(),
          amountCents: totals.totalCents,
          accountSecret: account?.secretSealed ?? null,
        }
      : null,
  };
}
