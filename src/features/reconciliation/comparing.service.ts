/**
 * One comparison of the ledger: the provider's is read page by page, what can be resolved automatically is resolved, and then
 * both are compared, set by set. Differences are stored as rows that someone handles; a difference that disappears closes
 * automatically.
 */
import * as compareSql from '#src/features/reconciliation/compare.sql.ts';
import { DAYS_COMPARED, type Figures } from '#src/features/reconciliation/reconciliation.contract.ts';
import * as rules from '#src/features/reconciliation/difference-texts.rules.ts';
import * as reconciliationSql from '#src/features/reconciliation/reconciliation.sql.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import type { ReportCheck } from '#src/features/reports/reports.service.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';
import { cents } from '#src/shared/money.ts';

export const BOOKS = { kind: 'system', why: 'the reconciliation compares the books of every organization' } as const;

export type ComparingDeps = {
  database: Database;
  payments: Pick<PaymentProvider, 'name' | 'books' | 'chargeStatus'>;
  /** Without real cards, its bank transfers are created here each night, as Stripe does. */
  sandbox: Pick<SandboxProvider, 'payOut'> | null;
  ledger: Pick<LedgerService, 'postProviderPayouts'>;
  reports: Pick<ReportCheck, 'differences'>;
  /** Resolved automatically: charges and refunds whose result never arrived. */
  settle: readonly (() => Promise<void>)[];
  /** Checks a charge and completes its order, or refunds it. */
  checkCharge: (chargeRef: string) => Promise<void>;
  log: { error(details: object, message: string): void };
};

/** Each covers thousands of payments. */
const TRANSFERS_AT_MOST = 100;

type Compared = { found: rules.FoundDifference[]; figures: Figures };

async function readBooks(ctx: ComparingDeps, runId: number, range: { from: Date; to: Date }): Promise<void> {
  if (!ctx.payments.books) return;
  for await (const page of ctx.payments.books(range))
    await ctx.database.write(BOOKS, (tx) => reconciliationSql.insertLines(tx, runId, page));
}

async function bookTransfers(ctx: ComparingDeps, runId: number): Promise<void> {
  await ctx.database.write(BOOKS, async (tx) => {
    const payouts = await reconciliationSql.listBankPayouts(tx, runId);
    await ctx.ledger.postProviderPayouts(
      tx,
      payouts.map(({ ref, at, amountCents }) => ({ ref, at, amountCents: cents(Number(amountCents)) })),
    );
  });
}

/**
 * Whether a charge of ours has paid for something by now, or was refunded. A provider that refuses the refund has resolved
 * nothing.
 */
async function settleOrphan(ctx: ComparingDeps, runId: number, chargeRef: string): Promise<boolean> {
  await ctx.checkCharge(chargeRef);
  const left = await ctx.database.read(BOOKS, (db) => compareSql.listOrphans(db, runId, chargeRef));
  if (left.length === 0) return true;
  const { amountCents, refundedCents } = await ctx.payments.chargeStatus(chargeRef);
  return refundedCents >= amountCents;
}

/** Charges of failed orders are refunded the same way as by webhooks; those without an owner need a person. */
async function orphansOf(ctx: ComparingDeps, runId: number): Promise<rules.FoundDifference[]> {
  const orphans = await ctx.database.read(BOOKS, (db) => compareSql.listOrphans(db, runId));
  const found: rules.FoundDifference[] = [];
  for (const orphan of orphans) {
    const isOurs = orphan.what !== 'nothing';
    const isSettled =
      isOurs &&
      (await settleOrphan(ctx, runId, orphan.ref).catch((error: unknown) => {
        ctx.log.error({ err: error, chargeRef: orphan.ref }, 'an orphan charge could not be settled');
        return false;
      }));
    if (isSettled) continue;
    found.push(
      rules.differenceOf({
        kind: isOurs ? 'orphan_charge' : 'charge_without_order',
        subject: `charge ${orphan.ref}`,
        orderId: null,
        organizationId: null,
        oursCents: null,
        theirsCents: Number(orphan.amountCents),
      }),
    );
  }
  return found;
}

async function sendSandboxMoney(ctx: ComparingDeps): Promise<void> {
  for (let sent = 0; sent < TRANSFERS_AT_MOST; sent++) if (!(await ctx.sandbox?.payOut())) return;
}

async function settleAll(ctx: ComparingDeps): Promise<void> {
  for (const settle of ctx.settle)
    await settle().catch((error: unknown) => ctx.log.error({ err: error }, 'a sweep before the comparison failed'));
}

async function compare(ctx: ComparingDeps, runId: number): Promise<Compared> {
  const orphans = await orphansOf(ctx, runId);
  const [charges, transfers, orders, sides] = [
    await ctx.database.read(BOOKS, (db) => compareSql.compareCharges(db, runId)),
    await ctx.database.read(BOOKS, (db) => compareSql.compareBankPayouts(db, runId)),
    await ctx.database.read(BOOKS, compareSql.compareOrders),
    await ctx.database.read(BOOKS, (db) => compareSql.sumSides(db, runId)),
  ];
  // The sandbox's tables were compared above, as the provider's ledger.
  const broken = await checkInvariants({ database: ctx.database, sandboxCards: false });
  const reports = await ctx.reports.differences();
  return {
    found: [
      ...orphans,
      ...[...charges, ...transfers, ...orders].map(rules.differenceOf),
      ...broken.filter(isAboutMoney).map(rules.brokenRule),
      ...reports.map(rules.reportDiffers),
    ],
    figures: rules.figuresOf(sides),
  };
}

/** Performs the waiting run with this id; nothing if another process took it. @throws after recording its failure */
export async function run(ctx: ComparingDeps, runId: number): Promise<void> {
  const range = await ctx.database.write(BOOKS, (tx) => reconciliationSql.takeRun(tx, runId, DAYS_COMPARED));
  if (!range) return;
  try {
    await sendSandboxMoney(ctx);
    await settleAll(ctx);
    // What arrived while we resolved things is included.
    await readBooks(ctx, runId, { from: range.from, to: new Date(range.to.getTime() + 3_600_000) });
    await bookTransfers(ctx, runId);
    const { found, figures } = await compare(ctx, runId);
    await ctx.database.write(BOOKS, async (tx) => {
      await reconciliationSql.insertDifferences(tx, runId, found);
      await reconciliationSql.closeVanished(tx, runId, rules.kindsCutOff(found));
      await reconciliationSql.finishRun(tx, runId, figures, found.length);
    });
    await ctx.database.write(BOOKS, (tx) => reconciliationSql.deleteLines(tx, runId));
  } catch (error) {
    ctx.log.error({ err: error, runId }, 'the reconciliation failed');
    await ctx.database.write(BOOKS, (tx) => reconciliationSql.failRun(tx, runId, String(error).slice(0, 300)));
    throw error;
  }
}

/** Rules about pictures, likes and jobs concern the operator, not the treasurer. */
const NOT_MONEY = /^(I7|I9|I10|I11|I13|photo counts|promo codes):/;
const isAboutMoney = (line: string) => !NOT_MONEY.test(line);
