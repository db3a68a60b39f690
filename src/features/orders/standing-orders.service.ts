/**
 * A checkout key that was used before: the same order is answered again, its outcome waited for,
 * or, when it failed, tried with another card. Where the process that charged has died, the
 * provider is asked in its place. Nobody charges twice, because an order has one live charge.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Charging } from '#src/features/orders/charging.service.ts';
import {
  BROWSER_CHECKOUT_KEY,
  CARD_REQUIRED,
  CHECKOUT_KEY_TAKEN,
  PAYMENT_UNAVAILABLE,
  type OrderPlaced,
  type OrderStatus,
  type PlaceOrderBody,
  type StandingAnswer,
} from '#src/features/orders/orders.contract.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import * as paymentsSql from '#src/features/orders/payments.sql.ts';
import type { OwnAccount } from '#src/features/tenancy/processor-keys.service.ts';
import type { Settlement } from '#src/features/orders/settlement.service.ts';
import type { Database } from '#src/platform/db/db.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { RequiresAction } from '#src/platform/payments/payments.ts';
import { cents, toDollars } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

const CHECKOUT = { kind: 'system', why: 'an order is found by the key that only its buyer holds' } as const;
/** How long a second submit waits for the first one to be decided. */
const WAIT_FOR_OTHER_MS = 3_000;
const LOOK_AGAIN_MS = 100;
/** A charge that is out for longer belongs to a request that has probably died. */
const PROBABLY_DEAD_SECONDS = 5;

type Charge = paymentsSql.SentCharge & { vanityId: string; account: OwnAccount | null };
type Standing = ordersSql.StandingOrder;

export type StandingOrderDeps = {
  database: Database;
  charging: Charging;
  settlement: Settlement;
  processorKeys: { accountOf(organizationId: number): Promise<OwnAccount | null> };
};

/** What stands under the key. @throws conflict when other things were ordered with it; which order that was is told to nobody, because a program's key may be guessed and a receipt's address may not (decision 6). */
export async function find(
  ctx: StandingOrderDeps,
  body: PlaceOrderBody,
  contentHash: Buffer,
): Promise<Standing | null> {
  const standing = await ctx.database.read(CHECKOUT, (db) => ordersSql.findByCheckoutKey(db, body.order.checkout_key));
  if (!standing || standing.contentHash.equals(contentHash)) return standing;
  throw problem('conflict', CHECKOUT_KEY_TAKEN);
}

export async function pay(
  ctx: StandingOrderDeps,
  caller: Caller,
  body: PlaceOrderBody,
  charge: Charge,
): Promise<OrderPlaced> {
  crashAt('checkout.after_pending');
  const { status, action } = await ctx.charging.charge(caller, {
    ...charge,
    email: body.order.user.email,
    token: body.stripe_token ?? '',
  });
  return presentPlaced({ vanityId: charge.vanityId, status, totalCents: charge.amountCents }, action);
}

/** A submit whose key is known: the same order again, its outcome as soon as it is known, or another try with this card. */
export async function resume(
  ctx: StandingOrderDeps,
  caller: Caller,
  body: PlaceOrderBody,
  standing: Standing,
): Promise<OrderPlaced> {
  if (standing.status === 'failed') return retry(ctx, caller, body, standing);
  if (standing.status !== 'pending') return presentPlaced(standing);
  const { decided, action } = await outcomeOf(ctx, standing, body);
  if (decided.status !== 'failed') return presentPlaced(decided, action);
  // The one before never reached the provider, so this card may be tried at once (fault F5).
  if (decided.declineMessage === PAYMENT_UNAVAILABLE) return retry(ctx, caller, body, decided);
  throw problem('card_refused', decided.declineMessage ?? '');
}

/**
 * Waits for whoever is charging; where that request has died, or the buyer comes back from their bank, asks the
 * provider in its place.
 */
async function outcomeOf(
  ctx: StandingOrderDeps,
  standing: Standing,
  body: PlaceOrderBody,
): Promise<{ decided: Standing; action: RequiresAction | null }> {
  const look = async () => (await find(ctx, body, standing.contentHash)) ?? standing;
  const isDead = (order: Standing) => (order.waitingSeconds ?? 0) > PROBABLY_DEAD_SECONDS;
  let now = standing;
  for (
    const deadline = Date.now() + WAIT_FOR_OTHER_MS;
    now.status === 'pending' && !now.asksBuyer && !isDead(now) && Date.now() < deadline;
    now = await look()
  ) {
    await pause(LOOK_AGAIN_MS);
  }
  if (now.status !== 'pending' || now.chargeKey === null || !(now.asksBuyer || isDead(now)))
    return { decided: now, action: null };
  const action = await ctx.settlement.recover(now.chargeKey);
  return { decided: await look(), action };
}

async function retry(
  ctx: StandingOrderDeps,
  caller: Caller,
  body: PlaceOrderBody,
  standing: Standing,
): Promise<OrderPlaced> {
  if (!body.stripe_token) throw problem('invalid', CARD_REQUIRED, { errors: { stripe_token: [CARD_REQUIRED] } });
  await ctx.charging.refuseAfterDeclines(caller, body.order.user.email);
  const account = standing.processor === 'custom' ? await ctx.processorKeys.accountOf(standing.organizationId) : null;
  if (standing.processor === 'custom' && !account) throw problem('unavailable', PAYMENT_UNAVAILABLE);
  const charge: Charge = {
    account,
    accountSecret: account?.secretSealed ?? null,
    orderId: standing.id,
    vanityId: standing.vanityId,
    idempotencyKey: randomUUID(),
    amountCents: standing.totalCents,
  };
  if (await ctx.database.write(CHECKOUT, (tx) => paymentsSql.reopenOrder(tx, charge)))
    return pay(ctx, caller, body, charge);
  const other = await find(ctx, body, standing.contentHash);
  if (!other || other.status === 'failed')
    throw problem('card_refused', other?.declineMessage ?? standing.declineMessage ?? '');
  return resume(ctx, caller, body, other);
}

/** A program's key may be guessed, so it is told nothing; a browser's is 128 random bits, as good as the receipt's address. */
export async function answer(ctx: StandingOrderDeps, checkoutKey: string): Promise<StandingAnswer> {
  const standing = BROWSER_CHECKOUT_KEY.test(checkoutKey)
    ? await ctx.database.read(CHECKOUT, (db) => ordersSql.findByCheckoutKey(db, checkoutKey))
    : null;
  return { vanity_id: standing?.vanityId ?? null, status: standing?.status ?? null };
}

export const createStandingOrders = (deps: StandingOrderDeps) => bind(deps, { find, pay, resume, answer });

/** What a buyer is told of their order, and what their bank waits for. */
export function presentPlaced(
  order: { vanityId: string; status: OrderStatus; totalCents: number },
  action: RequiresAction | null = null,
): OrderPlaced {
  return {
    vanity_id: order.vanityId,
    status: order.status,
    total: toDollars(cents(order.totalCents)),
    ...(action ? { requires_action: { client_secret: action.clientSecret } } : {}),
  };
}
