/**
 * Members request a refund of one of their orders; a platform admin gives it, in full or in part, or declines it. A refund is
 * stored with its key before it is sent to the provider, so that no crash, double click or lost response gives it twice or
 * forgets it.
 */
import {
  requireEditor,
  requirePlatformAdmin,
  requireUser,
  requireAdminUser,
  type Caller,
  type SignedIn,
} from '#src/features/tenancy/actor.rules.ts';
import { createHash } from 'node:crypto';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import { isVanityId, type Receipt } from '#src/features/orders/receipt.rules.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import * as words from '#src/features/refunds/refunds.contract.ts';
import { recoverRefundJob } from '#src/features/refunds/refunds.jobs.ts';
import { requestDecidedEmail } from '#src/features/refunds/refunds.mail.tsx';
import { creditPartOf, keyAsUuid, named } from '#src/features/refunds/refunds.rules.ts';
import { returnedParts, type Returned, type Wanted } from '#src/features/refunds/returned-parts.rules.ts';
import * as refundsSql from '#src/features/refunds/refunds.sql.ts';
import {
  recover,
  complete,
  send,
  sweep,
  ABANDONED_AFTER_SECONDS,
  type RefundSettlementDeps,
} from '#src/features/refunds/refund-settlement.service.ts';
import type { OwnAccount, ProcessorKeyService } from '#src/features/tenancy/processor-keys.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { formatDollars, toDollars, type Cents } from '#src/shared/money.ts';
import { isProblem, notFound, problem } from '#src/shared/problem.ts';
import { bind } from '#src/shared/bind.ts';
import { columnsOf, present } from '#src/shared/field-names.ts';
import { readId } from '#src/shared/read-id.ts';

const REFUNDS = {
  kind: 'system',
  why: 'the caller was asked whose order it is; platform admins work in every tenant',
} as const;

type RefundDeps = RefundSettlementDeps & {
  jobs: Pick<Jobs, 'enqueue'>;
  credit: Pick<CreditService, 'unusedOf'>;
  audit: AuditRecorder;
  accounts: { requireRecentPassword(actor: SignedIn): void };
  processorKeys: Pick<ProcessorKeyService, 'accountOf'>;
};
export type RefundService = ReturnType<typeof createRefundService>;

type NewRefund = Partial<Wanted> & {
  /** Null: the amount of the chosen photos and passes, or everything that is left. */
  amountCents: Cents | null;
  reason: string;
  /** A uuid of the caller; the same key refunds once. */
  idempotencyKey: string;
};

/** By number or vanity id. @throws unauthenticated; not_found for orders of others */
async function ownOrder(ctx: RefundDeps, caller: Caller, idText: string): Promise<Receipt> {
  requireUser(caller.actor);
  const id = readId(idText);
  const receipt =
    isVanityId(idText) || id !== null
      ? await ctx.database.read(REFUNDS, (db) =>
          receiptsSql.findReceipt(db, isVanityId(idText) ? { vanityId: idText } : { id: id ?? 0 }),
        )
      : null;
  if (!receipt) throw notFound(ORDER_NOT_FOUND);
  const { id: organizationId, parentId: parentOrganizationId } = receipt.seller;
  requireEditor(caller.actor, { organizationId, parentOrganizationId }, ORDER_NOT_FOUND);
  return receipt;
}

async function locked(ctx: RefundDeps, tx: Writer, orderId: number) {
  const order = await refundsSql.lockOrder(tx, orderId);
  if (!order) throw notFound(ORDER_NOT_FOUND);
  const unusedCents = order.kind === 'credit' ? await ctx.credit.unusedOf(tx, orderId) : null;
  return { ...order, unusedCents };
}

/** What is refunded, of the locked order. @throws as `returnedParts` */
async function returnedOf(tx: Writer, order: Awaited<ReturnType<typeof locked>>, wanted: Wanted): Promise<Returned> {
  const isByPart = wanted.photoIds.length + wanted.passIds.length > 0;
  const sold = isByPart ? await refundsSql.findSoldThings(tx, order.id) : null;
  // Without parts everything that is left would be refunded.
  if (isByPart && !sold) throw notFound(ORDER_NOT_FOUND);
  const returned = returnedParts(order, sold, wanted);
  if (isProblem(returned)) throw returned;
  return returned;
}

const orNull = (ids: readonly number[]): number[] | null => (ids.length === 0 ? null : [...ids]);
/** Whether an earlier refund has the same parts; with a pass it also has the photos that the pass covers. */
function namesSame(earlier: { photos: number[] | null; passes: number[] | null }, wanted: Omit<Wanted, 'amountCents'>) {
  const [photos, passes] = [new Set(earlier.photos), new Set(earlier.passes)];
  const { photoIds, passIds } = wanted;
  return (
    passes.size === passIds.length &&
    passIds.every((id) => passes.has(id)) &&
    photoIds.every((id) => photos.has(id)) &&
    (passIds.length > 0 || photos.size === photoIds.length)
  );
}

/** Stores the refund, or finds the one with its key; returns its id. */
async function store(
  ctx: RefundDeps,
  /** Null: an automatic refund (`refundHidden`). */
  caller: Caller | null,
  receipt: Receipt,
  { photoIds = [], passIds = [], ...wanted }: NewRefund,
  account: OwnAccount | null,
) {
  const actorId = caller && requireUser(caller.actor).userId;
  const isAll = wanted.amountCents === null && photoIds.length + passIds.length === 0;
  return ctx.database.write(REFUNDS, async (tx) => {
    const order = await locked(ctx, tx, receipt.id);
    const earlier = await refundsSql.findByKey(tx, wanted.idempotencyKey);
    if (earlier) {
      const isSame =
        earlier.kind === 'refund' &&
        earlier.orderId === order.id &&
        earlier.reason === wanted.reason &&
        isAll === (earlier.askedForAll ?? isAll) &&
        namesSame(earlier, { photoIds, passIds }) &&
        (wanted.amountCents ?? earlier.amountCents) === earlier.amountCents;
      if (!isSame) throw problem('conflict', words.REFUND_KEY_TAKEN);
      return earlier.id;
    }
    const { amountCents, photoIds: backIds } = await returnedOf(tx, order, { ...wanted, photoIds, passIds });
    const { id: orderId, organizationId } = order;
    const { idempotencyKey, reason } = wanted;
    const accountSecret = account === null ? null : Buffer.from(account.secretSealed);
    const creditCents = creditPartOf(order, amountCents);
    const isAllCredit = creditCents === amountCents;
    if (!isAllCredit && receipt.processor === 'custom' && account === null)
      throw problem('conflict', words.OWN_ACCOUNT_WITHOUT_KEYS);
    const refund = {
      orderId,
      organizationId,
      idempotencyKey,
      amountCents,
      creditCents,
      askedForAll: isAll,
      accountSecret,
      actorId,
      reason,
      photoIds: orNull(backIds),
      passIds: orNull(passIds),
    };
    const id = await refundsSql.insertRefund(tx, columnsOf(refund));
    if (!isAllCredit)
      await ctx.jobs.enqueue(
        tx,
        recoverRefundJob,
        { refundId: id },
        { startAfterSeconds: ABANDONED_AFTER_SECONDS, singletonKey: String(id) },
      );
    await ctx.audit.record(tx, caller, {
      action: 'order.refunded',
      organizationId,
      object: ['order', orderId],
      details: { amount_cents: amountCents, refund_id: id },
    });
    // No provider is involved: it is given in the transaction that stores it.
    if (isAllCredit) {
      const closes = backIds.length + passIds.length > 0;
      await complete(ctx, tx, { id, orderId, amountCents, creditCents, closes }, null);
    }
    return id;
  });
}

async function answerOf(ctx: RefundDeps, id: number, orderId: number): Promise<words.RefundGiven> {
  const [refund, receipt] = await ctx.database.read(REFUNDS, async (db) => [
    await refundsSql.findRefund(db, id),
    await receiptsSql.findReceipt(db, { id: orderId }),
  ]);
  if (!refund || !receipt) throw new Error(`refund ${id} is not there`);
  const answer = present(words.refundAnswer, named(refund));
  if (answer.state === 'refused') throw problem('conflict', answer.error ?? '');
  const message =
    answer.state === 'given' ? words.refundedText(formatDollars(refund.amountCents)) : words.REFUND_PENDING;
  return { refund: answer, refunded: toDollars(receipt.refundedCents), message };
}

/** A preview of the refund of photos and passes. @throws unauthenticated; not_found; conflict; invalid */
export async function quote(ctx: RefundDeps, caller: Caller, idText: string, { photos, passes }: words.RefundParts) {
  const receipt = await ownOrder(ctx, caller, idText);
  const wanted = { amountCents: null, photoIds: photos ?? [], passIds: passes ?? [] };
  const { amountCents, text } = await ctx.database.write(REFUNDS, async (tx) =>
    returnedOf(tx, await locked(ctx, tx, receipt.id), wanted),
  );
  return { amount: toDollars(amountCents), text };
}

/** A member requests a refund. @throws unauthenticated; not_found; conflict; invalid when more than is left */
export async function requestRefund(ctx: RefundDeps, caller: Caller, idText: string, body: words.AskRefundBody) {
  const receipt = await ownOrder(ctx, caller, idText);
  const { userId } = requireUser(caller.actor);
  const { amount = null, reason, photos, passes } = body;
  const [photoIds, passIds] = [photos ?? [], passes ?? []];
  const request = await ctx.database.write(REFUNDS, async (tx) => {
    const order = await locked(ctx, tx, receipt.id);
    const returned = await returnedOf(tx, order, { amountCents: amount, photoIds, passIds });
    const amountCents = photoIds.length + passIds.length === 0 ? amount : returned.amountCents;
    const { id: orderId, organizationId } = order;
    const requested = { orderId, organizationId, amountCents, reason, askedBy: userId };
    const id = await refundsSql.insertRequest(
      tx,
      columnsOf({ ...requested, photoIds: orNull(photoIds), passIds: orNull(passIds) }),
    );
    if (id === null) throw problem('conflict', words.ALREADY_REQUESTED);
    await ctx.audit.record(tx, caller, {
      action: 'refund.asked',
      organizationId: order.organizationId,
      object: ['order', order.id],
      details: { amount_cents: amountCents, request_id: id },
    });
    return refundsSql.findRequest(tx, id);
  });
  if (!request) throw new Error('a request was lost');
  return present(words.requestAnswer, named(request));
}

/**
 * Refunds an order in full or in part. "pending" while the provider has not responded; a job finds out.
 * @throws unauthenticated, also without a recently typed password; forbidden; not_found; conflict, also if the provider
 * refuses; invalid
 */
export async function give(ctx: RefundDeps, caller: Caller, idText: string | number, wanted: NewRefund) {
  requirePlatformAdmin(caller.actor);
  const receipt = await ownOrder(ctx, caller, String(idText));
  ctx.accounts.requireRecentPassword(requireUser(caller.actor));
  const account = receipt.processor === 'custom' ? await ctx.processorKeys.accountOf(receipt.seller.id) : null;
  const id = await store(ctx, caller, receipt, wanted, account);
  crashAt('refund.after_store');
  try {
    await send(ctx, id);
  } catch (error) {
    // The money may have moved: the refund's own job finds out.
    ctx.log.error({ err: error, refundId: id }, 'a refund could not be settled yet');
  }
  return answerOf(ctx, id, receipt.id);
}

/**
 * Refunds photos that a consent hid before their order was paid (decision record 0118), once, however often it is called. Does
 * nothing if nothing was paid for them, or all of it was already refunded.
 * @throws conflict if it must be tried again later, or the seller's account is unreachable
 */
export async function refundHidden(ctx: RefundDeps, orderId: number, photoIds: readonly number[]): Promise<void> {
  const receipt = await ctx.database.read(REFUNDS, (db) => receiptsSql.findReceipt(db, { id: orderId }));
  if (!receipt) return;
  const account = receipt.processor === 'custom' ? await ctx.processorKeys.accountOf(receipt.seller.id) : null;
  if (receipt.processor === 'custom' && !account) throw problem('conflict', words.OWN_ACCOUNT_WITHOUT_KEYS);
  const wanted = { amountCents: null, photoIds, isUndelivered: true, reason: words.WITHDRAWN_BEFORE_PAID };
  try {
    await send(ctx, await store(ctx, null, receipt, { ...wanted, idempotencyKey: hiddenKey(orderId) }, account));
  } catch (refusal) {
    if (!isProblem(refusal) || refusal.message === words.REFUND_IN_FLIGHT) throw refusal;
    ctx.log.error({ err: refusal, orderId }, 'photos that were hidden before they were paid could not be refunded');
  }
}

/** One refund of an order has this key, a uuid like all keys. */
function hiddenKey(orderId: number): string {
  return keyAsUuid(createHash('sha256').update(`hidden before paid ${orderId}`).digest('hex'));
}

/** Declines a request; the person who asked gets the reason. @throws unauthenticated; forbidden; not_found; conflict */
export async function decline(ctx: RefundDeps, caller: Caller, requestId: number, note: string) {
  const admin = requireAdminUser(caller.actor);
  const declined = await ctx.database.write(REFUNDS, async (tx) => {
    const request = await refundsSql.findRequest(tx, requestId);
    if (!request) throw notFound(words.REQUEST_NOT_FOUND);
    if (!(await refundsSql.declineRequest(tx, requestId, admin.userId, note)))
      throw problem('conflict', words.REQUEST_IS_DECIDED);
    const receipt = await receiptsSql.findReceipt(tx, { id: request.orderId });
    if (receipt && request.askerEmail !== null)
      await ctx.outbox.queueEmail(
        tx,
        requestDecidedEmail(
          receipt,
          { id: requestId, state: 'declined', amountCents: null, note, to: request.askerEmail },
          ctx.origin,
        ),
      );
    await ctx.audit.record(tx, caller, {
      action: 'refund.declined',
      organizationId: request.organizationId,
      object: ['order', request.orderId],
      details: { request_id: requestId },
    });
    return refundsSql.findRequest(tx, requestId);
  });
  if (!declined) throw notFound(words.REQUEST_NOT_FOUND);
  return present(words.requestAnswer, named(declined));
}

export const createRefundService = (deps: RefundDeps) =>
  bind(deps, { quote, requestRefund, give, refundHidden, decline, recover, sweep });
