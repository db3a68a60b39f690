/**
 * The outcome of a stored refund. The provider is asked outside any transaction; the first process that learns the outcome
 * records it, books it, answers the request for it and emails the buyer, in one transaction.
 */
import { REFUND_NEVER_ARRIVED, REFUND_REFUSED, REFUNDED_THERE } from '#src/features/refunds/refunds.contract.ts';
import { refundEmail, requestDecidedEmail } from '#src/features/refunds/refunds.mail.tsx';
import * as refundsSql from '#src/features/refunds/refunds.sql.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import type { ChargeStatusService } from '#src/features/refunds/charge-status.service.ts';
import type { ProcessorKeyService } from '#src/features/tenancy/processor-keys.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { PaymentProvider, RefundOutcome, RefundRequest } from '#src/platform/payments/payments.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';

const REFUNDS = { kind: 'system', why: 'a refund is settled by the process that learns its outcome' } as const;

/** The provider forgets keys after a day: an older refund that it does not show is not sent again (fault F6). */
const KEYS_LAST_SECONDS = 23 * 3_600;
/** After this time no one still waits for the answer. */
export const ABANDONED_AFTER_SECONDS = 15;
const SWEEP_AT_MOST = 50;

export type RefundSettlementDeps = Pick<Platform, 'database' | 'outbox'> & {
  payments: Pick<PaymentProvider, 'refund' | 'findRefund'>;
  processorKeys: Pick<ProcessorKeyService, 'secretOf'>;
  chargeStatus: Pick<ChargeStatusService, 'checkCharge' | 'bookReturnedCredit'>;
  origin: SiteOrigin;
  log: { error(details: object, message: string): void };
};
/** The seller's own account, if the order was paid there. */
function accountOf(ctx: RefundSettlementDeps, { organizationId, accountSecret }: refundsSql.SentRefund) {
  if (accountSecret === null) return {};
  return { account: { organizationId, secretKey: ctx.processorKeys.secretOf(accountSecret) } };
}

function requestFor(ctx: RefundSettlementDeps, sent: refundsSql.SentRefund): RefundRequest {
  const { idempotencyKey, chargeRef: chargeId } = sent;
  const amountCents = cents(sent.amountCents - sent.creditCents);
  return { idempotencyKey, chargeId, amountCents, ...accountOf(ctx, sent) };
}

type Given = Pick<refundsSql.SentRefund, 'id' | 'orderId' | 'amountCents' | 'creditCents' | 'closes'>;

/** Runs in the transaction that books the refund. `refundRef`: null if codes get all of it, and the card nothing. */
export async function complete(ctx: RefundSettlementDeps, tx: Writer, sent: Given, refundRef: string | null) {
  if (!(await refundsSql.markGiven(tx, sent.id, refundRef))) return;
  if (sent.creditCents > 0) await ctx.chargeStatus.bookReturnedCredit(tx, sent.orderId, sent.creditCents);
  const receipt = await receiptsSql.findReceipt(tx, { id: sent.orderId });
  if (!receipt) throw new Error(`order ${sent.orderId} is not there`);
  await ctx.outbox.queueEmail(tx, refundEmail(receipt, sent, ctx.origin));
  const answered = await refundsSql.answerRequest(tx, sent.orderId, sent.id);
  const request = answered === null ? null : await refundsSql.findRequest(tx, answered);
  if (request?.askerEmail)
    await ctx.outbox.queueEmail(
      tx,
      requestDecidedEmail(
        receipt,
        { id: request.id, state: 'given', amountCents: sent.amountCents, note: '', to: request.askerEmail },
        ctx.origin,
      ),
    );
  crashAt('refund.before_commit');
}

async function settle(ctx: RefundSettlementDeps, sent: refundsSql.SentRefund, outcome: RefundOutcome): Promise<void> {
  switch (outcome.state) {
    case 'unknown':
      ctx.log.error({ err: outcome.cause, refundId: sent.id }, 'the outcome of a refund is unknown');
      return;
    case 'succeeded':
      await ctx.chargeStatus.checkCharge(sent.chargeRef, {
        ...accountOf(ctx, sent),
        inSameTransaction: (tx) => complete(ctx, tx, sent, outcome.refundId),
      });
      return;
    case 'declined': {
      const isThere = outcome.code === 'charge_already_refunded';
      ctx.log.error({ refundId: sent.id, code: outcome.code, message: outcome.message }, 'a refund was refused');
      await ctx.database.write(REFUNDS, (tx) =>
        refundsSql.markRefused(tx, sent.id, isThere ? REFUNDED_THERE : REFUND_REFUSED),
      );
      await checkChargeOf(ctx, sent);
    }
  }
}

/** After a refund that was not given: its charge may be refunded there, or disputed, which takes of a code what is free again. */
async function checkChargeOf(ctx: RefundSettlementDeps, sent: refundsSql.SentRefund): Promise<void> {
  await ctx.chargeStatus.checkCharge(sent.chargeRef, accountOf(ctx, sent));
}

function find(ctx: RefundSettlementDeps, id: number) {
  return ctx.database.read(REFUNDS, (db) => refundsSql.findUndecided(db, id));
}

/**
 * Sends a stored refund and settles it. Safe to repeat, because the provider recognizes the key. Does not reject when the
 * provider does.
 */
export async function send(ctx: RefundSettlementDeps, id: number): Promise<void> {
  const sent = await find(ctx, id);
  if (!sent) return;
  crashAt('refund.before_provider');
  const outcome = await ctx.payments.refund(requestFor(ctx, sent));
  crashAt('refund.after_provider');
  await settle(ctx, sent, outcome);
}

/** Checks a refund that was left behind; if the provider does not have it, it is sent again with its key. */
export async function recover(ctx: RefundSettlementDeps, id: number): Promise<void> {
  const sent = await find(ctx, id);
  if (!sent) return;
  const found = await ctx.payments.findRefund(requestFor(ctx, sent));
  if (found.state !== 'absent') return settle(ctx, sent, found);
  if (sent.ageSeconds < KEYS_LAST_SECONDS) return send(ctx, id);
  await ctx.database.write(REFUNDS, (tx) => refundsSql.markRefused(tx, id, REFUND_NEVER_ARRIVED));
  await checkChargeOf(ctx, sent);
}

/** Checks every refund that was left behind. One that fails does not stop the others. */
export async function sweep(ctx: RefundSettlementDeps): Promise<void> {
  const ids = await ctx.database.read(REFUNDS, (db) =>
    refundsSql.listLeftBehind(db, ABANDONED_AFTER_SECONDS, SWEEP_AT_MOST),
  );
  for (const id of ids)
    await recover(ctx, id).catch((error: unknown) =>
      ctx.log.error({ err: error, refundId: id }, 'a refund could not be settled'),
    );
}
