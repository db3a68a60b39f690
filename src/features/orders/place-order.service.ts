/**
 * A visitor sends a cart and a card. The server prices it again, stores the order as pending under the browser's
 * checkout key, charges with an idempotency key that is already stored, and settles. However often it is sent, from
 * however many tabs and after any crash, there is one order and one charge.
 */
import { createHash, randomUUID } from 'node:crypto';
import { CREDIT_CHANGED } from '#src/features/credit/credit.contract.ts';
import { acquireCharge, refuseAfterDeclines } from '#src/features/billing/decline-limits.service.ts';
import { pay, presentPlaced } from '#src/features/orders/charging.service.ts';
import { storeOrder, type StoringDeps } from '#src/features/orders/storing.service.ts';
import { findExisting, resume, type ExistingOrderContext } from '#src/features/orders/existing-orders.service.ts';
import {
  CARD_REQUIRED,
  minimumCharge,
  type OrderPlaced,
  type PlaceOrderBody,
} from '#src/features/orders/orders.contract.ts';
import { chargeNeeded, isBelowMinimum, MINIMUM_CHARGE_CENTS, orderContent } from '#src/features/orders/orders.rules.ts';
import type { NewOrder, StoredOrder } from '#src/features/orders/orders.sql.ts';
import {
  price,
  priceAsSeen,
  pricesChanged,
  type PricedOrder,
  type PricingDeps,
} from '#src/features/orders/pricing.service.ts';
import type { UnpaidSale } from '#src/features/orders/receipt.rules.ts';
import { freeReceiptLimits } from '#src/features/orders/receipts.service.ts';
import { completeFreeSale, announceSale } from '#src/features/orders/settlement.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { OwnAccount } from '#src/features/tenancy/processor-keys.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { formatDollars } from '#src/shared/money.ts';
import { isProblem, problem, fieldProblem } from '#src/shared/problem.ts';

/** Of photos and of credit together. */
const ORDERS_IN_TEN_MINUTES = 120;

export type PlaceOrderContext = ExistingOrderContext & PricingDeps & StoringDeps;

/** @throws too_many for an address that has sent many orders */
export const limitOrders = (ctx: Pick<PlaceOrderContext, 'limits'>, caller: Caller) =>
  ctx.limits.take({ bucket: `orders:ip:${caller.ip}`, limit: ORDERS_IN_TEN_MINUTES, windowSeconds: 600 });

/**
 * Places and pays an order: limit, price, take turn, store, charge, settle. `status` is "pending" while the payment is
 * being confirmed.
 * @throws invalid; conflict for changed prices and used keys; card_refused with the provider's message; too_many.
 */
export async function place(ctx: PlaceOrderContext, caller: Caller, body: PlaceOrderBody): Promise<OrderPlaced> {
  await limitOrders(ctx, caller);
  const contentHash = createHash('sha256').update(orderContent(body)).digest();
  let priced: PricedOrder;
  try {
    priced = await priceForCheckout(ctx, caller, body);
  } catch (refusal) {
    // An existing order stays, even if its photos have changed. The repeat after 3-D Secure has no card and ends here, too.
    const existing = await findExisting(ctx, body, contentHash);
    if (!existing || existing.status === 'failed') throw refusal;
    return resume(ctx, caller, body, existing);
  }
  try {
    if (!chargeNeeded(priced.chargeCents)) return await placeFree(ctx, caller, body, { priced, contentHash });
    const release = await acquireCharge(caller.ip);
    try {
      return await placePaid(ctx, caller, body, { priced, contentHash });
    } finally {
      release();
    }
  } catch (refusal) {
    // Credit was spent elsewhere since it was priced: the refusal contains the new prices.
    if (isProblem(refusal) && refusal.message === CREDIT_CHANGED) throw pricesChanged(await price(ctx, caller, body));
    throw refusal;
  }
}

type Ready = { priced: PricedOrder; contentHash: Buffer };

/** @throws invalid below the minimum charge, and without a card */
async function priceForCheckout(ctx: PlaceOrderContext, caller: Caller, body: PlaceOrderBody): Promise<PricedOrder> {
  const priced = await priceAsSeen(ctx, caller, body);
  const { chargeCents } = priced;
  if (!chargeNeeded(chargeCents)) return priced;
  if (isBelowMinimum(chargeCents)) throw problem('invalid', minimumCharge(formatDollars(MINIMUM_CHARGE_CENTS)));
  if (!body.stripe_token) throw fieldProblem({ stripe_token: [CARD_REQUIRED] });
  return priced;
}

/** Stores the order as pending, then charges and settles it. */
async function placePaid(ctx: PlaceOrderContext, caller: Caller, body: PlaceOrderBody, ready: Ready) {
  const { seller, totals, offered, credit, chargeCents } = ready.priced;
  const account = seller.canAddCustomPayment ? await ctx.processorKeys.accountOf(seller.id) : null;
  const charge = {
    idempotencyKey: randomUUID(),
    amountCents: chargeCents,
    accountSecret: account?.secretSealed ?? null,
  };
  const order = { ...newOrder(body, ready, account, ctx.clock.now()), charge };
  const parentId = seller.parentOrganizationId;
  const host = parentId === null ? seller : await ctx.organizations.byId(parentId);
  const requireAllowed = (tx: Writer) => refuseAfterDeclines(ctx, caller, order.email, tx);
  // Nothing else in its transaction: the charge follows.
  const stored = await storeOrder(ctx, caller, { order, offered, credit, requireAllowed }, async (_tx, row) => row);
  if (stored === null) return answerKnownKey(ctx, caller, body, ready.contentHash);
  const { totalCents } = totals;
  const sale = offered || !host ? null : plainSale(order, ready.priced, { ...stored, hostLabel: host.domainName });
  return pay(ctx, caller, body, { ...charge, account, sale, orderId: stored.id, vanityId: order.vanityId, totalCents });
}

/** An order that costs nothing, or that credit pays for, is paid in the transaction that stores it. */
async function placeFree(ctx: PlaceOrderContext, caller: Caller, body: PlaceOrderBody, ready: Ready) {
  const { seller, offered, credit, totals } = ready.priced;
  // Paid by codes alone, it is a sale on the seller's own Stripe account, which has the money of its codes.
  const isOwn = totals.totalCents > 0 && seller.canAddCustomPayment;
  const account = isOwn ? await ctx.processorKeys.accountOf(seller.id) : null;
  const order = { ...newOrder(body, ready, account, ctx.clock.now()), charge: null };
  // Anyone may order free photos for anyone's address: beyond the limit only the order's page has the receipt.
  const isMailed = totals.totalCents > 0 || (await mayTake(ctx.limits, ...freeReceiptLimits(order.email)));
  const receipt = await storeOrder(ctx, caller, { order, offered, credit }, async (tx, { id }) => {
    const sold = await completeFreeSale(ctx, tx, id, { paidAt: order.createdAt, isMailed });
    crashAt('checkout.before_settle_commit');
    return sold;
  });
  crashAt('checkout.after_settle');
  if (receipt === null) return answerKnownKey(ctx, caller, body, ready.contentHash);
  announceSale(ctx, receipt);
  return presentPlaced({ vanityId: order.vanityId, status: 'paid', totalCents: totals.totalCents });
}

/** The key already has an order, from another tab or a request whose response was lost. */
async function answerKnownKey(ctx: PlaceOrderContext, caller: Caller, body: PlaceOrderBody, contentHash: Buffer) {
  const existing = await findExisting(ctx, body, contentHash);
  if (existing) return resume(ctx, caller, body, existing);
  // The seller was deleted after the cart was priced: pricing it again says so.
  await price(ctx, caller, body);
  throw problem('unavailable', 'We couldn’t save this order. Please try again.', { retryAfterSeconds: 1 });
}

function newOrder(
  body: PlaceOrderBody,
  { priced: { seller, lines, totals, tax, donationGalleryId, credit, offered }, contentHash }: Ready,
  account: OwnAccount | null,
  now: Date,
): Omit<NewOrder, 'charge'> {
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
    kind: 'photos',
    creditCents: credit.reduce((sum, code) => sum + code.cents, 0),
    bonusCents: offered?.bonusCents ?? 0,
    createdAt: now,
    lines: lines.map((line) => ({
      photoId: line.photoId,
      galleryId: line.galleryId,
      priceCents: line.paidCents,
      orderKey: randomToken(16),
    })),
  };
}

/** What `findReceipt` will read of an order without offers once it is paid. */
function plainSale(
  order: Omit<NewOrder, 'charge'>,
  { seller, lines: priced, totals }: PricedOrder,
  { id, taxId, hostLabel }: StoredOrder & { hostLabel: string },
): UnpaidSale {
  const { name, domainName: path, parentOrganizationId: parentId, primaryColor: accent, timeZone } = seller;
  const lines = order.lines.map((line, at) => ({
    ...line,
    name: priced[at]?.name ?? '',
    singleCents: line.priceCents,
    offerId: null,
    isRevoked: false,
  }));
  return {
    ...order,
    id,
    status: 'paid',
    totalCents: totals.totalCents,
    refundedCents: 0,
    creditReturnedCents: 0,
    declineMessage: null,
    seller: { id: seller.id, name, path, parentId, hostLabel, accent, taxId, timeZone },
    lines,
    offered: null,
    passes: [],
    soldCredit: null,
  };
}
