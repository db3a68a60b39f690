/**
 * The outcome of a charge. The first process that learns the outcome stores it: the request that sent the card, the
 * recovery job, or another request of the same buyer. Each charge is decided once, under its row's lock; an order is
 * paid, booked, counted and its receipt queued in one transaction.
 */
import { creditParts } from '#src/features/credit/credit.rules.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import { PAYMENT_UNAVAILABLE, PHOTO_NOT_AVAILABLE } from '#src/features/orders/orders.contract.ts';
import { BANK_DID_NOT_CONFIRM } from '#src/features/billing/billing.contract.ts';
import { refundHiddenJob, sweepOrdersJob } from '#src/features/orders/orders.jobs.ts';
import { salesByGallery, salesByPhoto, type CountedSale } from '#src/features/orders/orders.rules.ts';
import * as paymentsSql from '#src/features/orders/payments.sql.ts';
import { receiptEmail } from '#src/features/orders/receipt.mail.tsx';
import { passPartsOf, type Sale, type UnpaidSale } from '#src/features/orders/receipt.rules.ts';
import * as receiptsSql from '#src/features/orders/receipts.sql.ts';
import { closeHiddenLines } from '#src/features/order-offers/withdrawn.sql.ts';
import { postings } from '#src/features/ledger/ledger.rules.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import type { ProcessorKeyService } from '#src/features/tenancy/processor-keys.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import type { CardFacts, RequiresAction } from '#src/platform/payments/payments.ts';
import { ABANDONED_AFTER_SECONDS } from '#src/platform/payments/charge-retries.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import { problem } from '#src/shared/problem.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';

export const PAYMENTS = { kind: 'system', why: 'a payment is settled by the process that learns its outcome' } as const;

const SWEEP_AT_MOST = 100;
const RECOVERED_AT_ONCE = 5;
/** After this time the buyer will not complete 3-D Secure; the order releases its codes (offers specification A.7). */
const GIVE_UP_AFTER_SECONDS = 14 * 60;

export type SettlementDeps = Pick<Platform, 'database' | 'payments' | 'jobs' | 'outbox' | 'clock'> & {
  ledger: Pick<LedgerService, 'haveAccounts' | 'post'>;
  processorKeys: Pick<ProcessorKeyService, 'secretOf'>;
  credit: Pick<CreditService, 'openCode' | 'takeLostCredit'>;
  origin: SiteOrigin;
  log: { error(details: object, message: string): void };
  galleries: Pick<GalleryService, 'announceOrderPaid'>;
} & CountingDeps;

export type CountingDeps = {
  photos: Pick<PhotoService, 'recordSales'>;
  galleries: Pick<GalleryService, 'recordSales'>;
};

type Paid = { chargeId: string; feeCents: Cents | null; card: CardFacts };

/** Books, counts and announces an order that has just become paid, in the same transaction. */
async function completeSale(
  ctx: SettlementDeps,
  tx: Writer,
  receipt: Sale,
  { feeCents, paidAt, isMailed = true }: { feeCents: Cents | null; paidAt: Date; isMailed?: boolean },
): Promise<Sale> {
  const donation =
    receipt.donationCents > 0 && receipt.donationGalleryId !== null
      ? { galleryId: receipt.donationGalleryId, cents: receipt.donationCents }
      : null;
  const posting = postingOf(receipt, feeCents);
  await ctx.ledger.haveAccounts(tx, posting);
  const emailOf = (sale: Sale) => receiptEmail(sale, ctx.origin, codeOf(ctx, sale));
  // They do not depend on each other, so they are sent together.
  const [withheld] = await Promise.all([
    countSale(ctx, tx, { lines: receipt.lines, passParts: passPartsOf(receipt), donation }),
    ctx.ledger.post(tx, posting, paidAt),
    isMailed && ctx.outbox.queueEmail(tx, emailOf(receipt)),
  ]);
  if (withheld.length === 0) return receipt;
  const sold = await leaveHiddenOut(ctx, tx, receipt, withheld);
  if (isMailed) await ctx.outbox.rewriteEmail(tx, emailOf(sold));
  return sold;
}

/**
 * Photos that a consent has hidden from their buyer since they were priced are not sold (decision record 0118): closes
 * their lines, and queues a job that refunds them.
 * @throws invalid if no card was charged yet: then nothing is ordered
 */
async function leaveHiddenOut(ctx: SettlementDeps, tx: Writer, receipt: Sale, withheld: readonly number[]) {
  const gone = await closeHiddenLines(tx, { id: receipt.id, organizationId: receipt.seller.id }, withheld);
  if (gone.length === 0) return receipt;
  const ids = gone.map(({ id }) => id);
  if (receipt.totalCents === receipt.creditCents)
    throw problem('invalid', PHOTO_NOT_AVAILABLE, {
      errors: { items: [PHOTO_NOT_AVAILABLE] },
      extra: { ids, unavailable: gone.map((line) => ({ ...line, reason: 'gone' })) },
    });
  await ctx.jobs.enqueue(tx, refundHiddenJob, { orderId: receipt.id, photoIds: ids });
  const lines = receipt.lines.map((line) =>
    ids.includes(line.photoId) ? { ...line, isRevoked: true, isUnsold: true as const } : line,
  );
  return { ...receipt, lines };
}

/** Credit sold on the seller's own Stripe account is not in our ledger. */
function postingOf(receipt: Sale, feeCents: Cents | null) {
  const sale = saleOf(receipt, feeCents);
  if (receipt.kind === 'credit') {
    const posting = postings.creditSale({ ...sale, amountCents: sale.subtotalCents });
    return receipt.processor === 'custom' ? { ...posting, entries: [] } : posting;
  }
  return receipt.processor === 'custom' ? postings.ownAccountSale(sale) : postings.sale(sale);
}

const codeOf = (ctx: Pick<SettlementDeps, 'credit'>, { soldCredit }: Sale) =>
  soldCredit && ctx.credit.openCode(soldCredit.sealed);

/** As `completeSale`, for an order that costs nothing; its receipt is emailed unless its address had too many. */
export async function completeFreeSale(
  ctx: SettlementDeps,
  tx: Writer,
  orderId: number,
  sold: { paidAt: Date; isMailed: boolean },
): Promise<Sale> {
  const receipt = await receiptsSql.findReceipt(tx, { id: orderId });
  if (!receipt) throw new Error(`order ${orderId} is not there`);
  return completeSale(ctx, tx, receipt, { feeCents: cents(0), ...sold });
}

/** Runs after the commit; no one waits for it. A page that misses the event shows the sale when it is next loaded. */
export function announceSale(ctx: SettlementDeps, receipt: Sale): void {
  const galleryIds = [...new Set([...receipt.lines, ...passPartsOf(receipt)].map((part) => part.galleryId))];
  ctx.galleries.announceOrderPaid({ galleryIds, vanityId: receipt.vanityId }).catch((error: unknown) => {
    ctx.log.error({ err: error, orderId: receipt.id }, 'a sale could not be announced');
  });
}

/** Another process has decided the charge. */
class Decided extends Error {}

/**
 * Stores that a charge has succeeded, unless another process has decided it. `stored`: what the receipt shows of the
 * order, if the caller has just stored it: then nothing is read, and all statements are sent together.
 */
export async function settlePaid(
  ctx: SettlementDeps,
  idempotencyKey: string,
  paid: Paid,
  stored: UnpaidSale | null = null,
): Promise<void> {
  const { brand, last4 } = paid.card;
  const known = stored && { ...stored, card: { brand, last4 } };
  const settle = async (tx: Writer): Promise<Sale> => {
    const paidAt = ctx.clock.now();
    const facts = { chargeId: paid.chargeId, feeCents: paid.feeCents, cardBrand: brand, cardLast4: last4, paidAt };
    const complete = async (sale: Sale | null) =>
      sale && completeSale(ctx, tx, sale, { feeCents: paid.feeCents, paidAt });
    // They run in the order in which they are sent, so that a receipt that is read is that of a paid order.
    const marking = paymentsSql.markPaid(tx, idempotencyKey, facts);
    const reading = known ? complete(known) : receiptsSql.findReceipt(tx, { chargeKey: idempotencyKey });
    const [marked, read] = await Promise.allSettled([marking, reading]);
    if (marked.status === 'fulfilled' && marked.value === null) throw new Decided();
    const orderId = valueOf(marked);
    const sale = valueOf(read);
    if (sale?.id !== orderId) throw new Error(`order ${orderId} is not there`);
    if (!known) await complete(sale);
    crashAt('checkout.before_settle_commit');
    return sale;
  };
  try {
    const sale = await ctx.database.write(PAYMENTS, settle);
    crashAt('checkout.after_settle');
    announceSale(ctx, sale);
  } catch (error) {
    if (!(error instanceof Decided)) throw error;
  }
}

function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

export async function settleFailed(ctx: SettlementDeps, idempotencyKey: string, message: string): Promise<void> {
  await ctx.database.write(PAYMENTS, async (tx) => {
    const failed = await paymentsSql.markFailed(tx, idempotencyKey, message);
    // What it had reserved is free again.
    if (failed?.hasCredit) await bookLostCredit(ctx, tx, failed.orderId);
  });
}

/** Books what sellers keep of an order's codes after lost disputes (decision record 0130). */
export async function bookLostCredit(
  ctx: Pick<SettlementDeps, 'ledger' | 'clock'> & { credit: Pick<CreditService, 'takeLostCredit'> },
  tx: Writer,
  orderId: number,
): Promise<void> {
  for (const taken of await ctx.credit.takeLostCredit(tx, orderId)) {
    if (!taken.isHeld || taken.cents === 0) continue;
    const posting = postings.creditKept(taken, taken.movementId, taken.cents);
    await ctx.ledger.haveAccounts(tx, posting);
    await ctx.ledger.post(tx, posting, ctx.clock.now());
  }
}

export async function waitForBuyer(ctx: SettlementDeps, idempotencyKey: string, action: RequiresAction): Promise<void> {
  await ctx.database.write(PAYMENTS, (tx) => paymentsSql.markWaitingForBuyer(tx, idempotencyKey, action.chargeId));
}

function questionAbout(ctx: SettlementDeps, idempotencyKey: string, charge: paymentsSql.UndecidedCharge) {
  const { organizationId, accountSecret, chargeId, sentAt } = charge;
  return {
    idempotencyKey,
    chargeId,
    sentAt,
    giveUp: (charge.waitingForBuyerSeconds ?? 0) > GIVE_UP_AFTER_SECONDS,
    ...(accountSecret ? { account: { organizationId, secretKey: ctx.processorKeys.secretOf(accountSecret) } } : {}),
  };
}

/**
 * Asks the provider for the outcome of a charge and stores it, if the provider knows it. A charge that the provider has never
 * seen is closed there, so that it cannot happen later, and the order fails. Returns what 3-D Secure still waits for.
 */
export async function recover(ctx: SettlementDeps, idempotencyKey: string): Promise<RequiresAction | null> {
  const charge = await ctx.database.read(PAYMENTS, (db) => paymentsSql.findUndecided(db, idempotencyKey));
  if (!charge) return null;
  const question = questionAbout(ctx, idempotencyKey, charge);
  const found = await ctx.payments.findCharge(question);
  switch (found.state) {
    case 'unknown':
      ctx.log.error({ err: found.cause, idempotencyKey }, 'the provider does not know the outcome of a charge');
      return null;
    case 'requires_action':
      if (charge.waitingForBuyerSeconds === null) await waitForBuyer(ctx, idempotencyKey, found);
      return found;
    case 'succeeded':
      if (found.amountCents !== charge.amountCents)
        throw new Error(`charge ${found.chargeId} is of another amount than its order`);
      await settlePaid(ctx, idempotencyKey, found);
      return null;
    case 'absent':
      await settleFailed(ctx, idempotencyKey, PAYMENT_UNAVAILABLE);
      return null;
    case 'declined':
      await settleFailed(ctx, idempotencyKey, question.giveUp ? BANK_DID_NOT_CONFIRM : found.message);
      return null;
  }
}

/** Checks every charge that was left behind. One that cannot be settled does not stop the others. */
export async function sweep(ctx: SettlementDeps): Promise<void> {
  const keys = await listLeftBehind(ctx, SWEEP_AT_MOST);
  const limit = createConcurrencyLimit({ atOnce: RECOVERED_AT_ONCE });
  const results = await Promise.allSettled(keys.map((key) => limit.run(() => recover(ctx, key))));
  results.forEach((result, index) => {
    if (result.status === 'rejected')
      ctx.log.error({ err: result.reason, idempotencyKey: keys[index] }, 'a charge could not be settled');
  });
}

const listLeftBehind = (ctx: SettlementDeps, limit: number) =>
  ctx.database.read(PAYMENTS, (db) => paymentsSql.listLeftBehind(db, ABANDONED_AFTER_SECONDS, limit));

/** Whether there are charges to check now. */
export async function hasLeftBehind(ctx: SettlementDeps): Promise<boolean> {
  return (await listLeftBehind(ctx, 1)).length > 0;
}

/** Only one of these jobs is queued at a time, however many processes plan it. */
export async function planSweep(ctx: SettlementDeps): Promise<void> {
  await ctx.database.write(PAYMENTS, (tx) => ctx.jobs.enqueue(tx, sweepOrdersJob, null, { singletonKey: 'next' }));
}

/** An order for the ledger. */
export function saleOf(receipt: Sale, feeCents: Cents | null) {
  return {
    orderId: receipt.id,
    organizationId: receipt.seller.id,
    subtotalCents: cents(receipt.subtotalCents),
    taxCents: cents(receipt.taxCents),
    donationCents: cents(receipt.donationCents),
    shareBps: receipt.shareBps,
    feeCents,
    credit: creditParts(receipt.offered?.credit ?? []),
  };
}

/**
 * Adds a sale to the counters, photos before galleries in every transaction; negative numbers subtract. Returns which of
 * the photos are withheld now.
 */
export async function countSale(ctx: CountingDeps, tx: Writer, sale: CountedSale): Promise<readonly number[]> {
  // Statements of a transaction run in the order in which they are sent.
  const [withheld] = await Promise.all([
    ctx.photos.recordSales(tx, salesByPhoto(sale)),
    ctx.galleries.recordSales(tx, salesByGallery(sale)),
  ]);
  return withheld;
}
