/** Orders: what a cart costs, placing and paying it, and reading it back. */
import { answerExisting } from '#src/features/orders/existing-orders.service.ts';
import type { QuoteAnswer, QuoteBody, CheckoutStatusAnswer } from '#src/features/orders/orders.contract.ts';
import { quoteOffers } from '#src/features/order-offers/quoted-offers.rules.ts';
import { galleriesOf } from '#src/features/orders/orders.rules.ts';
import { hasPendingMoney, lockPayableOrders } from '#src/features/orders/orders.sql.ts';
import { place, type PlaceOrderContext } from '#src/features/orders/place-order.service.ts';
import { goalsOf, presentGoal, presentPrices, price } from '#src/features/orders/pricing.service.ts';
import { paidLine, read, type ReceiptDeps } from '#src/features/orders/receipts.service.ts';
import { hasLeftBehind, planSweep, recover, sweep } from '#src/features/orders/settlement.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { MemoryLimits } from '#src/platform/limits/memory-limits.ts';
import { bind } from '#src/shared/bind.ts';

const STATUS_READS_IN_TEN_MINUTES = 300;
/** A school's parents behind one address stay below it; at the limit, an address takes some 2 % of a process's time (record 0131). */
const QUOTES_IN_TEN_MINUTES = 12_000;
/** A larger cart counts once more for each of these. */
const PHOTOS_A_QUOTE = 50;

type OrderDeps = PlaceOrderContext & ReceiptDeps & { memoryLimits: MemoryLimits };
export type OrderService = ReturnType<typeof createOrderService>;

/** The public card key of a seller with its own Stripe account; null for the platform's. */
export async function publishableKeyOf(ctx: OrderDeps, seller: { id: number; canAddCustomPayment: boolean }) {
  if (!seller.canAddCustomPayment) return null;
  return (await ctx.processorKeys.accountOf(seller.id))?.publishableKey ?? null;
}

/** What the cart costs this caller now. @throws too_many; invalid as pricing does. */
export async function quote(ctx: OrderDeps, caller: Caller, body: QuoteBody): Promise<QuoteAnswer> {
  ctx.memoryLimits.take({
    bucket: `quotes:ip:${caller.ip}`,
    limit: QUOTES_IN_TEN_MINUTES,
    windowSeconds: 600,
    cost: 1 + Math.floor(body.items.length / PHOTOS_A_QUOTE),
  });
  const priced = await price(ctx, caller, body);
  const galleries = await goalsOf(ctx, galleriesOf(body));
  const offers = priced.offered && quoteOffers(priced.offered, priced);
  return { ...presentPrices(priced), galleries: galleries.map(presentGoal), ...offers };
}

/** What was ordered under a key that only its browser knows, for a buyer whose response was lost. @throws too_many */
export async function checkoutStatus(
  ctx: OrderDeps,
  caller: Caller,
  checkoutKey: string,
): Promise<CheckoutStatusAnswer> {
  await ctx.limits.take({
    bucket: `order_status:ip:${caller.ip}`,
    limit: STATUS_READS_IN_TEN_MINUTES,
    windowSeconds: 600,
  });
  return answerExisting(ctx, checkoutKey);
}

export function createOrderService(deps: OrderDeps) {
  return {
    ...bind(deps, {
      quote,
      place,
      checkoutStatus,
      read,
      paidLine,
      publishableKeyOf,
      recover,
      sweep,
      hasLeftBehind,
      planSweep,
    }),
    /** What a payout needs to know about orders; they stay locked until its transaction ends. */
    lockPayableOrders,
    /** Whether a charge or refund of an organization is pending, in the caller's transaction. */
    hasPendingMoney,
  };
}
