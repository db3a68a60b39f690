/**
 * A visitor sends a cart and a card. The server prices it anew, keeps the order as pending under
 * the browser's checkout key, charges with a key that is already stored, and settles. However often,
 * from however many tabs and through whatever crash it is sent, there is one order and one charge.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '#src/features/accounts/actor.rules.ts';
import {
  CARD_REQUIRED,
  CHECKOUT_KEY_TAKEN,
  minimumCharge,
  PAYMENT_UNAVAILABLE,
  type OrderPlaced,
  type OrderStatus,
  type PlaceOrderBody,
  type QuoteAnswer,
  type QuoteBody,
} from '#src/features/orders/orders.contract.ts';
import { createCharging, type ChargingDeps } from '#src/features/orders/charging.service.ts';
import { chargeNeeded, MINIMUM_CHARGE_CENTS, orderContent } from '#src/features/orders/orders.rules.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import * as paymentsSql from '#src/features/orders/payments.sql.ts';
import { createPricing, presentPrices, type PricedOrder, type PricingDeps } from '#src/features/orders/pricing.service.ts';
import { createReceipts } from '#src/features/orders/receipts.service.ts';
import { createSettlement, type SettlementDeps } from '#src/features/orders/settlement.service.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { cents, formatDollars, toDollars } from '#src/shared/money.ts';
import { problem } from '#src/shared/problem.ts';

const CHECKOUT = { kind: 'system', why: 'a visitor buys: the order is written for the seller whose photos were priced' } as const;
/** How long a second submit waits for the first one to be decided. */
const WAIT_FOR_OTHER_MS = 3_000;
const LOOK_AGAIN_MS = 100;
/** A charge that is out for longer belongs to a request that has probably died. */
const PROBABLY_DEAD_SECONDS = 5;
const ORDERS_IN_TEN_MINUTES = 120;

export type OrderDeps = PricingDeps & SettlementDeps & Omit<ChargingDeps, 'settlement'>;
export type OrderService = ReturnType<typeof createOrderService>;
type Charge = paymentsSql.SentCharge & { vanityId: string };

export function createOrderService(deps: OrderDeps) {
  const { database, limits, clock } = deps;
  const pricing = createPricing(deps);
  const settlement = createSettlement(deps);
  const charging = createCharging({ ...deps, settlement });
  const receipts = createReceipts(deps);

  /** What stands under the key. @throws conflict when other things were ordered with it, naming that order if it is not failed: the key's holder is its buyer. */
  async function findStanding(body: PlaceOrderBody, contentHash: Buffer): Promise<ordersSql.StandingOrder | null> {
    const standing = await database.read(CHECKOUT, (db) => ordersSql.findByCheckoutKey(db, body.order.checkout_key));
    if (!standing || standing.contentHash.equals(contentHash)) return standing;
    throw problem('conflict', CHECKOUT_KEY_TAKEN, standing.status === 'failed' ? {} : { extra: { vanity_id: standing.vanityId, status: standing.status } });
  }

  async function prepare(caller: Caller, body: PlaceOrderBody): Promise<PricedOrder> {
    const priced = await pricing.priceAsSeen(caller, body);
    const { totalCents } = priced.totals;
    if (!chargeNeeded(totalCents)) return priced;
    if (totalCents < MINIMUM_CHARGE_CENTS) throw problem('invalid', minimumCharge(formatDollars(MINIMUM_CHARGE_CENTS)));
    if (!body.stripe_token) throw problem('invalid', CARD_REQUIRED, { errors: { stripe_token: [CARD_REQUIRED] } });
    return priced;
  }

  async function pay(caller: Caller, body: PlaceOrderBody, charge: Charge): Promise<OrderPlaced> {
    crashAt('checkout.after_pending');
    const status = await charging.charge(caller, { ...charge, email: body.order.user.email, token: body.stripe_token ?? '' });
    return answer({ vanityId: charge.vanityId, status, totalCents: charge.amountCents });
  }

  /** A submit whose key is known: the same order again, its outcome as soon as it is known, or another try with this card. */
  async function continueStanding(caller: Caller, body: PlaceOrderBody, standing: ordersSql.StandingOrder): Promise<OrderPlaced> {
    if (standing.status === 'failed') return retry(caller, body, standing);
    if (standing.status !== 'pending') return answer(standing);
    const decided = await outcomeOf(standing, body);
    if (decided.status !== 'failed') return answer(decided);
    // The one before never reached the provider, so this card may be tried at once (fault F5).
    if (decided.declineMessage === PAYMENT_UNAVAILABLE) return retry(caller, body, decided);
    throw problem('card_refused', decided.declineMessage ?? '');
  }

  /** Waits for whoever is charging; where that request has died, asks the provider in its place. */
  async function outcomeOf(standing: ordersSql.StandingOrder, body: PlaceOrderBody): Promise<ordersSql.StandingOrder> {
    const look = async () => (await findStanding(body, standing.contentHash)) ?? standing;
    const isDead = (order: ordersSql.StandingOrder) => (order.waitingSeconds ?? 0) > PROBABLY_DEAD_SECONDS;
    let now = standing;
    for (const deadline = Date.now() + WAIT_FOR_OTHER_MS; now.status === 'pending' && !isDead(now) && Date.now() < deadline; now = await look()) {
      await pause(LOOK_AGAIN_MS);
    }
    if (now.status !== 'pending' || now.chargeKey === null || !isDead(now)) return now;
    await settlement.recover(now.chargeKey);
    return look();
  }

  async function retry(caller: Caller, body: PlaceOrderBody, standing: ordersSql.StandingOrder): Promise<OrderPlaced> {
    if (!body.stripe_token) throw problem('invalid', CARD_REQUIRED, { errors: { stripe_token: [CARD_REQUIRED] } });
    await charging.refuseAfterDeclines(caller, body.order.user.email);
    const charge: Charge = { orderId: standing.id, vanityId: standing.vanityId, idempotencyKey: randomUUID(), amountCents: standing.totalCents };
    if (await database.write(CHECKOUT, (tx) => paymentsSql.reopenOrder(tx, charge))) return pay(caller, body, charge);
    const other = await findStanding(body, standing.contentHash);
    if (!other || other.status === 'failed') throw problem('card_refused', other?.declineMessage ?? standing.declineMessage ?? '');
    return continueStanding(caller, body, other);
  }

  return {
    read: receipts.read,
    paidLine: receipts.paidLine,
    recover: settlement.recover,
    sweep: settlement.sweep,
    planSweep: settlement.planSweep,

    /** What the cart costs this caller now. @throws invalid as pricing does. */
    async quote(caller: Caller, body: QuoteBody): Promise<QuoteAnswer> {
      return presentPrices(await pricing.price(caller, body));
    },

    /**
     * Places and pays an order. `status` is "pending" while the payment is being confirmed.
     * @throws invalid; conflict for changed prices and used keys; card_refused in the provider's words; too_many.
     */
    async place(caller: Caller, body: PlaceOrderBody): Promise<OrderPlaced> {
      await limits.take({ bucket: `orders:ip:${caller.ip}`, limit: ORDERS_IN_TEN_MINUTES, windowSeconds: 600 });
      const contentHash = createHash('sha256').update(orderContent(body)).digest();
      let priced: PricedOrder;
      try {
        priced = await prepare(caller, body);
      } catch (refusal) {
        // What has been ordered stays ordered, whatever has become of its photos since.
        const standing = await findStanding(body, contentHash);
        if (!standing || standing.status === 'failed') throw refusal;
        return continueStanding(caller, body, standing);
      }
      const isFree = !chargeNeeded(priced.totals.totalCents);
      if (!isFree) await charging.refuseAfterDeclines(caller, body.order.user.email);
      const order = newOrder(body, priced, contentHash, clock.now());
      const placed = await database.write(CHECKOUT, async (tx) => {
        const orderId = await ordersSql.insertOrder(tx, order);
        if (orderId === null) return null;
        return { orderId, receipt: isFree ? await settlement.completeSale(tx, orderId, cents(0), order.createdAt) : null };
      });
      if (!placed) {
        const standing = await findStanding(body, contentHash);
        if (!standing) throw problem('unavailable', 'This order could not be kept. Please try again.', { retryAfterSeconds: 1 });
        return continueStanding(caller, body, standing);
      }
      if (placed.receipt) {
        await settlement.announce(placed.receipt);
        return answer({ vanityId: order.vanityId, status: 'paid', totalCents: 0 });
      }
      if (!order.charge) throw new Error('an order with a price was kept without a charge');
      return pay(caller, body, { ...order.charge, orderId: placed.orderId, vanityId: order.vanityId });
    },
  };
}

function answer(order: { vanityId: string; status: OrderStatus; totalCents: number }): OrderPlaced {
  return { vanity_id: order.vanityId, status: order.status, total: toDollars(cents(order.totalCents)) };
}

function newOrder(body: PlaceOrderBody, { seller, lines, totals, tax, donationGalleryId }: PricedOrder, contentHash: Buffer, now: Date): ordersSql.NewOrder {
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
    createdAt: now,
    lines: lines.map((line) => ({ photoId: line.photoId, galleryId: line.galleryId, priceCents: line.priceCents, orderKey: randomToken(16) })),
    charge: chargeNeeded(totals.totalCents) ? { idempotencyKey: randomUUID(), amountCents: totals.totalCents } : null,
  };
}
