/**
 * Updates an order to the status of its charge at the provider: paid, refunded, disputed, with its real fee. However often, in
 * whatever order and from wherever it is called, each thing is booked once, under the order's lock.
 */
import { createHash } from 'node:crypto';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import * as disputesSql from '#src/features/refunds/disputes.sql.ts';
import * as refundsSql from '#src/features/refunds/refunds.sql.ts';
import { refundedSale } from '#src/features/refunds/refund-by-photo.rules.ts';
import type { Receipt } from '#src/features/orders/receipt.rules.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import { bookLostCredit, countSale, saleOf, type CountingDeps } from '#src/features/orders/settlement.service.ts';
import { statusOfSold, stepsOfDispute } from '#src/features/orders/orders.rules.ts';
import { estimateFee, postings } from '#src/features/ledger/ledger.rules.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { ChargeStatus, ProcessorAccount } from '#src/platform/payments/payments.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { cents, type Cents } from '#src/shared/money.ts';

const BOOKS = { kind: 'system', why: 'the provider reports charges of every seller' } as const;

type ChargeStatusDeps = Pick<Platform, 'database' | 'payments' | 'clock'> & {
  ledger: Pick<LedgerService, 'haveAccounts' | 'post'>;
  credit: Pick<CreditService, 'refundToCode' | 'refundBonus' | 'takeLostCredit' | 'takeBack'>;
  log: { error(details: object, message: string): void };
  settlement: Pick<OrderService, 'recover'>;
} & CountingDeps;

type OfOrder = { orderId: number; organizationId: number };

export type ChargeStatusService = ReturnType<typeof createChargeStatus>;

async function bookNews(
  ctx: ChargeStatusDeps,
  tx: Writer,
  orderId: number,
  idempotencyKey: string,
  charge: ChargeStatus,
): Promise<void> {
  const order = await disputesSql.lockSold(tx, orderId);
  const receipt = await receiptsSql.findReceipt(tx, { id: orderId });
  if (!receipt) throw new Error(`order ${orderId} is not there`);
  const now = ctx.clock.now();
  const realFee = charge.outcome.state === 'succeeded' ? charge.outcome.feeCents : null;
  const sale = saleOf(receipt, order.feeCents === null ? realFee : cents(order.feeCents));
  const isCredit = order.kind === 'credit';
  const ownAccount = order.processor === 'custom';
  if (order.feeCents === null && realFee !== null) {
    const bookedCents = estimateFee(cents(order.totalCents - order.creditCents));
    if (!ownAccount) await ctx.ledger.post(tx, postings.feeAdjustment(sale, bookedCents, realFee), now);
    await disputesSql.updateFee(tx, idempotencyKey, realFee);
  }
  // Earlier refunds stay: an older response of the provider may arrive later.
  const refunded = Math.max(order.refundedCents, charge.refundedCents + order.creditReturnedCents);
  if (refunded > order.refundedCents) {
    const [beforeCents, afterCents] = [cents(order.refundedCents), cents(refunded)];
    if (isCredit) await bookCreditRefund(ctx, tx, sale, { beforeCents, afterCents, ownAccount });
    else await ctx.ledger.post(tx, postings.refund(sale, { beforeCents, afterCents, ownAccount }), now);
    await finishRefund(ctx, tx, receipt, { beforeCents, afterCents });
  }
  const known = await disputesSql.listDisputes(tx, orderId);
  for (const dispute of charge.disputes) {
    const steps = stepsOfDispute(known.get(dispute.id), dispute.status);
    for (const step of ownAccount ? [] : steps)
      await ctx.ledger.post(tx, postings.dispute({ ...sale, ...dispute }, step), now);
    if (steps.length === 0) continue;
    await disputesSql.saveDispute(tx, { ...dispute, orderId, organizationId: sale.organizationId });
    known.set(dispute.id, dispute.status);
  }
  const disputes = [...known.values()].map((status) => ({ status }));
  if (isCredit && disputes.some(({ status }) => status === 'lost')) await bookLostCredit(ctx, tx, orderId);
  const status = statusOfSold(order.totalCents, refunded, disputes);
  if (status !== order.status) await disputesSql.updateStatus(tx, orderId, status);
}

type Refunded = { beforeCents: Cents; afterCents: Cents };

/** What a booked refund changes in an order of photos or credit and in the counters. */
async function finishRefund(ctx: ChargeStatusDeps, tx: Writer, receipt: Receipt, refunded: Refunded): Promise<void> {
  const isWhole = refunded.afterCents >= receipt.totalCents;
  await refundsSql.updateRefunded(tx, receipt.id, refunded.afterCents, isWhole);
  if (receipt.kind === 'credit') return;
  if (isWhole) await ctx.credit.refundBonus(tx, receipt.id);
  // Of what its codes got back.
  if ((receipt.offered?.credit.length ?? 0) > 0) await bookLostCredit(ctx, tx, receipt.id);
  await countSale(ctx, tx, refundedSale(receipt, refunded));
}

/** For credit that was sold: reduces its code. */
async function bookCreditRefund(
  ctx: ChargeStatusDeps,
  tx: Writer,
  sale: OfOrder,
  { ownAccount, ...refunded }: Refunded & { ownAccount: boolean },
): Promise<void> {
  const { inFlightCents } = (await refundsSql.lockOrder(tx, sale.orderId)) ?? { inFlightCents: 0 };
  const amountCents = refunded.afterCents - refunded.beforeCents;
  const unusedCents = await ctx.credit.takeBack(tx, sale.orderId, { amountCents, inFlightCents });
  if (!ownAccount)
    await ctx.ledger.post(tx, postings.creditRefund(sale, { ...refunded, unusedCents }), ctx.clock.now());
}

/**
 * Returns to codes what they paid for an order, without a provider. In the transaction of the refund, after the card's part.
 * @throws when there is no such order
 */
export async function bookReturnedCredit(ctx: ChargeStatusDeps, tx: Writer, orderId: number, creditCents: number) {
  const order = await refundsSql.lockOrder(tx, orderId);
  const receipt = await receiptsSql.findReceipt(tx, { id: orderId });
  if (!order || !receipt) throw new Error(`order ${orderId} is not there`);
  const toCredit = await ctx.credit.refundToCode(tx, orderId, creditCents);
  const [beforeCents, afterCents] = [cents(order.refundedCents), cents(order.refundedCents + creditCents)];
  const ownAccount = order.processor === 'custom';
  // The parts of share and tax are a part of the sale, whatever fee the card had.
  const posting = postings.refund(saleOf(receipt, null), { beforeCents, afterCents, ownAccount, toCredit });
  await ctx.ledger.haveAccounts(tx, posting);
  await ctx.ledger.post(tx, posting, ctx.clock.now());
  await finishRefund(ctx, tx, receipt, { beforeCents, afterCents });
  await refundsSql.addCreditReturned(tx, orderId, creditCents);
  const disputes = [...(await disputesSql.listDisputes(tx, orderId)).values()].map((status) => ({ status }));
  await disputesSql.updateStatus(tx, orderId, statusOfSold(order.totalCents, afterCents, disputes));
}

/** Refunds a charge that succeeded although its order was reported as failed (money M13, comparison R5). */
async function refundCharge(ctx: ChargeStatusDeps, chargeRef: string, idempotencyKey: string, charge: ChargeStatus) {
  if (charge.refundedCents >= charge.amountCents) return;
  ctx.log.error({ chargeRef, idempotencyKey }, 'a charge of a failed order is refunded');
  const outcome = await ctx.payments.refund({
    idempotencyKey: createHash('sha256').update(`orphan ${idempotencyKey}`).digest('hex'),
    chargeId: chargeRef,
    amountCents: cents(charge.amountCents - charge.refundedCents),
  });
  if (outcome.state === 'unknown')
    throw new Error('the refund of an orphan charge is unknown', { cause: outcome.cause });
  if (outcome.state === 'declined')
    ctx.log.error({ chargeRef, idempotencyKey }, `an orphan charge cannot be refunded: ${outcome.message}`);
}

/**
 * Checks a charge by the provider's id, in the seller's own Stripe account if it is there. Charges that belong to no order are
 * ignored. `inSameTransaction`: runs in the transaction that books a paid order.
 * @throws when the provider or the database does not respond.
 */
export async function checkCharge(
  ctx: ChargeStatusDeps,
  chargeRef: string,
  {
    account,
    inSameTransaction,
  }: { account?: ProcessorAccount; inSameTransaction?: (tx: Writer) => Promise<void> } = {},
): Promise<void> {
  const atProvider = await ctx.payments.chargeStatus(chargeRef, account);
  const key = atProvider.idempotencyKey;
  const charge = key === null ? null : await ctx.database.read(BOOKS, (db) => disputesSql.findCharge(db, key));
  if (key === null || !charge) return;
  if (charge.state !== 'succeeded' && charge.state !== 'failed') await ctx.settlement.recover(key);
  const decided = await ctx.database.read(BOOKS, (db) => disputesSql.findCharge(db, key));
  if (decided?.state === 'failed' && atProvider.outcome.state === 'succeeded')
    await refundCharge(ctx, chargeRef, key, atProvider);
  if (decided?.state === 'succeeded')
    await ctx.database.write(BOOKS, async (tx) => {
      await bookNews(ctx, tx, decided.orderId, key, atProvider);
      await inSameTransaction?.(tx);
    });
}

export const createChargeStatus = (deps: ChargeStatusDeps) => bind(deps, { checkCharge, bookReturnedCredit });
