/**
 * A checkout key that was used before: returns the same order, waits for its outcome, or, if it failed, tries another card. If
 * the process that charged has died, the provider is asked. No one is charged twice, because an order has one live charge.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { refuseAfterDeclines } from '#src/features/billing/decline-limits.service.ts';
import type { AllowanceUses } from '#src/features/allowances/allowance-uses.service.ts';
import {
  pay,
  presentPlaced,
  type ChargingContext,
  type OpenCharge,
  type PaidBody,
} from '#src/features/orders/charging.service.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import type { CouponUseService } from '#src/features/coupons/coupon-uses.service.ts';
import { requireNotOwned, writeUnlessOwned, type StoringDeps } from '#src/features/orders/storing.service.ts';
import * as contract from '#src/features/orders/orders.contract.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import * as passesSql from '#src/features/orders/order-passes.sql.ts';
import * as paymentsSql from '#src/features/orders/payments.sql.ts';
import type { ProcessorKeyService } from '#src/features/tenancy/processor-keys.service.ts';
import { recover } from '#src/features/orders/settlement.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { problem, fieldProblem } from '#src/shared/problem.ts';

const CHECKOUT = { kind: 'system', why: 'an order is found by the key that only its buyer holds' } as const;
/** How long a second submit waits for the outcome of the first one. */
const WAIT_FOR_OTHER_MS = 3_000;
const POLL_EVERY_MS = 100;
/** A longer charge belongs to a request that has probably died. */
const PROBABLY_DEAD_SECONDS = 5;

type Existing = ordersSql.ExistingOrder;

export type ExistingOrderContext = ChargingContext &
  StoringDeps & {
    coupons: Pick<CouponUseService, 'reserveAgain'>;
    allowances: Pick<AllowanceUses, 'reserveAgain'>;
    credit: Pick<CreditService, 'reserveAgain'>;
    processorKeys: Pick<ProcessorKeyService, 'accountOf'>;
  };

/**
 * The order of this checkout key.
 * @throws conflict when other things were ordered with it. That order is not named, because a program's key may be
 * guessed and a receipt's address may not (rule 6).
 */
export async function findExisting(ctx: ExistingOrderContext, body: PaidBody, contentHash: Buffer) {
  const existing = await ctx.database.read(CHECKOUT, (db) => ordersSql.findByCheckoutKey(db, body.order.checkout_key));
  if (!existing || existing.contentHash.equals(contentHash)) return existing;
  throw problem('conflict', contract.CHECKOUT_KEY_TAKEN);
}

/** A submit with a known key: returns the order with its outcome, or tries this card. */
export async function resume(
  ctx: ExistingOrderContext,
  caller: Caller,
  body: PaidBody,
  existing: Existing,
): Promise<contract.OrderPlaced> {
  if (existing.status === 'failed') return retry(ctx, caller, body, existing);
  if (existing.status !== 'pending') return presentPlaced(existing);
  const { decided, action } = await outcomeOf(ctx, existing, body);
  if (decided.status !== 'failed') return presentPlaced(decided, action);
  // The earlier try never reached the provider, so this card may be tried immediately (fault F5).
  if (decided.declineMessage === contract.PAYMENT_UNAVAILABLE) return retry(ctx, caller, body, decided);
  throw problem('card_refused', decided.declineMessage ?? '');
}

/** Waits for a request that is charging; if that request has died, or the buyer returns from 3-D Secure, asks the provider. */
async function outcomeOf(ctx: ExistingOrderContext, existing: Existing, body: PaidBody) {
  const refresh = async () => (await findExisting(ctx, body, existing.contentHash)) ?? existing;
  const isDead = (order: Existing) => (order.waitingSeconds ?? 0) > PROBABLY_DEAD_SECONDS;
  const deadline = Date.now() + WAIT_FOR_OTHER_MS;
  let now = existing;
  while (now.status === 'pending' && !now.asksBuyer && !isDead(now) && Date.now() < deadline) {
    await pause(POLL_EVERY_MS);
    now = await refresh();
  }
  if (now.status !== 'pending' || now.chargeKey === null || !(now.asksBuyer || isDead(now)))
    return { decided: now, action: null };
  const action = await recover(ctx, now.chargeKey);
  return { decided: await refresh(), action };
}

async function retry(ctx: ExistingOrderContext, caller: Caller, body: PaidBody, existing: Existing) {
  if (!body.stripe_token) throw fieldProblem({ stripe_token: [contract.CARD_REQUIRED] });
  await refuseAfterDeclines(ctx, caller, body.order.user.email);
  const account = existing.processor === 'custom' ? await ctx.processorKeys.accountOf(existing.organizationId) : null;
  if (existing.processor === 'custom' && !account) throw problem('unavailable', contract.PAYMENT_UNAVAILABLE);
  const open: OpenCharge = {
    account,
    accountSecret: account?.secretSealed ?? null,
    orderId: existing.id,
    vanityId: existing.vanityId,
    idempotencyKey: randomUUID(),
    amountCents: existing.totalCents - existing.creditCents,
    totalCents: existing.totalCents,
  };
  if (await writeUnlessOwned(ctx, caller, (tx) => reopen(ctx, tx, body, open))) return pay(ctx, caller, body, open);
  const other = await findExisting(ctx, body, existing.contentHash);
  if (!other || other.status === 'failed')
    throw problem('card_refused', other?.declineMessage ?? existing.declineMessage ?? '');
  return resume(ctx, caller, body, other);
}

/** Reserves its codes again; its passes may have been bought meanwhile. False if it cannot be reopened. @throws invalid */
async function reopen(ctx: ExistingOrderContext, tx: Writer, { order }: PaidBody, open: OpenCharge) {
  const opened = await paymentsSql.reopenOrder(tx, open);
  if (!opened?.isOffered) return opened !== null;
  const passes = await passesSql.listPassesOf(tx, open.orderId);
  await requireNotOwned(tx, { ...passes, email: order.user.email, besideKey: order.checkout_key });
  await ctx.allowances.reserveAgain(tx, open.orderId);
  await ctx.coupons.reserveAgain(tx, open.orderId);
  await ctx.credit.reserveAgain(tx, open.orderId);
  return true;
}

/** A program's key may be guessed, so it returns nothing; a browser's is 128 random bits, as safe as the receipt's address. */
export async function answerExisting(
  ctx: ExistingOrderContext,
  checkoutKey: string,
): Promise<contract.CheckoutStatusAnswer> {
  const existing = contract.BROWSER_CHECKOUT_KEY.test(checkoutKey)
    ? await ctx.database.read(CHECKOUT, (db) => ordersSql.findByCheckoutKey(db, checkoutKey))
    : null;
  return { vanity_id: existing?.vanityId ?? null, status: existing?.status ?? null };
}
