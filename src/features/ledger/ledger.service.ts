/**
 * The books. Anyone who moves money hands over what happened, inside the transaction in which it
 * happened, and it is posted once per source. Balances are read from the entries, never kept.
 */
import {
  accountPaymentEntries,
  givenBackEntries,
  saleEntries,
  type AccountName,
  type Entry,
  type Sale,
} from '#src/features/ledger/ledger.rules.ts';
import * as later from '#src/features/ledger/refund-entries.rules.ts';
import * as ledgerSql from '#src/features/ledger/ledger.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { cents, type Cents } from '#src/shared/money.ts';

const BOOKS = {
  kind: 'system',
  why: 'the books belong to the platform; the caller has asked whose balance may be seen',
} as const;
const REMEMBER_AT_MOST = 10_000;

type OfOrder = { orderId: number; organizationId: number };
export type LedgerService = ReturnType<typeof createLedgerService>;

/** A payment for an account, by its number in the billing module. */
export type AccountMoney = { id: number; amountCents: Cents; feeCents: Cents | null };

/** A payout of the provider to our bank, by the provider's id. */
export type ProviderPayout = { ref: string; amountCents: Cents; at: Date };

const nameOf = ({ kind, organizationId }: AccountName) => `${kind}:${organizationId ?? ''}`;

export type LedgerDeps = { database: Database };

type LedgerContext = ReturnType<typeof contextOf>;

function contextOf(deps: LedgerDeps) {
  // Accounts are never closed or renumbered. Only ids that were read without opening any are kept:
  // an account opened in this transaction may yet be rolled back.
  const knownIds = new Map<string, number>();
  return { ...deps, knownIds };
}

async function accountIds(ctx: LedgerContext, tx: Writer, names: readonly AccountName[]): Promise<Map<string, number>> {
  if (names.every((name) => ctx.knownIds.has(nameOf(name)))) return ctx.knownIds;
  const organizationIds = [...new Set(names.map((name) => name.organizationId))].filter((id) => id !== null);
  const read = async () =>
    new Map((await ledgerSql.listAccounts(tx, organizationIds)).map((row) => [nameOf(row), row.id]));
  const found = await read();
  const missing = [
    ...new Map(names.filter((name) => !found.has(nameOf(name))).map((name) => [nameOf(name), name])).values(),
  ];
  if (missing.length > 0) {
    await ledgerSql.openAccounts(tx, missing);
    return read();
  }
  if (ctx.knownIds.size >= REMEMBER_AT_MOST) ctx.knownIds.clear();
  for (const [name, id] of found) ctx.knownIds.set(name, id);
  return found;
}

async function withIds<OneEntry extends Entry>(ctx: LedgerContext, tx: Writer, entries: readonly OneEntry[]) {
  const ids = await accountIds(ctx, tx, entries);
  return entries.map((entry) => {
    const accountId = ids.get(nameOf(entry));
    if (accountId === undefined) throw new Error(`the books have no account ${nameOf(entry)}`);
    return { ...entry, accountId };
  });
}

async function postOfPayouts(
  ctx: LedgerContext,
  tx: Writer,
  kind: 'payout_created' | 'payout_confirmed' | 'payout_failed' | 'payout_returned',
  payouts: readonly { id: number; entries: readonly (Entry & { orderId?: number | null })[] }[],
  postedAt: Date,
): Promise<void> {
  const entries = payouts.flatMap(({ id, entries: own }) =>
    own.map((entry) => ({ ...entry, sourceId: String(id), orderId: entry.orderId ?? null })),
  );
  await ledgerSql.insertPostings(tx, {
    kind,
    sourceType: 'payout',
    sourceIds: payouts.map(({ id }) => String(id)),
    postedAt,
    entries: await withIds(ctx, tx, entries),
  });
}

async function postOfOrder(
  ctx: LedgerContext,
  tx: Writer,
  { orderId }: OfOrder,
  kind: ledgerSql.NewPosting['kind'],
  [sourceType, sourceId]: [ledgerSql.NewPosting['sourceType'], string],
  entries: readonly Entry[],
  postedAt: Date,
): Promise<void> {
  if (entries.length === 0) return;
  const withAccounts = await withIds(ctx, tx, entries);
  await ledgerSql.insertPosting(tx, { kind, sourceType, sourceId, postedAt, orderId, entries: withAccounts });
}

async function postPlatform(
  ctx: LedgerContext,
  tx: Writer,
  kind: 'account_payment' | 'account_refund',
  paymentId: number,
  entries: readonly Entry[],
  postedAt: Date,
): Promise<void> {
  if (entries.length === 0) return;
  await ledgerSql.insertPosting(tx, {
    kind,
    sourceType: 'account_payment',
    sourceId: String(paymentId),
    postedAt,
    orderId: null,
    entries: await withIds(ctx, tx, entries),
  });
}

/** Posts what the provider sent to our bank, once: a second time is refused by the database (23505). */
export async function postProviderPayout(
  ctx: LedgerContext,
  tx: Writer,
  { ref, amountCents }: Pick<ProviderPayout, 'ref' | 'amountCents'>,
  postedAt: Date,
): Promise<void> {
  const entries = await withIds(ctx, tx, later.providerPayoutEntries(amountCents));
  const source = { kind: 'provider_payout', sourceType: 'provider_payout', sourceId: ref } as const;
  await ledgerSql.insertPosting(tx, { ...source, postedAt, orderId: null, entries });
}

/** Posts a paid order, once: a second time is refused by the database (23505). A free order moves no money and posts nothing. */
export async function postSale(ctx: LedgerContext, tx: Writer, sale: Sale, postedAt: Date): Promise<void> {
  await postOfOrder(ctx, tx, sale, 'sale', ['order', String(sale.orderId)], saleEntries(sale), postedAt);
}

/** Posts a paid order whose money went to the seller's own account, once. */
export async function postOwnAccountSale(ctx: LedgerContext, tx: Writer, sale: Sale, postedAt: Date): Promise<void> {
  await postOfOrder(
    ctx,
    tx,
    sale,
    'own_account_sale',
    ['order', String(sale.orderId)],
    later.ownAccountSaleEntries(sale),
    postedAt,
  );
}

/** Posts the difference between the fee that was booked with a sale and the real one, once per order. */
export async function postFeeAdjustment(
  ctx: LedgerContext,
  tx: Writer,
  sale: OfOrder,
  fee: { bookedCents: Cents; realCents: Cents },
  postedAt: Date,
): Promise<void> {
  const entries = later.feeAdjustmentEntries(sale.organizationId, fee.bookedCents, fee.realCents);
  await postOfOrder(ctx, tx, sale, 'fee_adjustment', ['order', String(sale.orderId)], entries, postedAt);
}

/** Posts that of a sale now `afterCents` are refunded, where it was `beforeCents`; once per amount reached. */
export async function postRefund(
  ctx: LedgerContext,
  tx: Writer,
  sale: Sale,
  refunded: { beforeCents: Cents; afterCents: Cents; ownAccount: boolean },
  postedAt: Date,
): Promise<void> {
  const entries = later.refundEntries(sale, refunded, refunded.ownAccount);
  await postOfOrder(ctx, tx, sale, 'refund', ['refund', `${sale.orderId}:${refunded.afterCents}`], entries, postedAt);
}

/** Posts a step of a dispute, once. */
export async function postDispute(
  ctx: LedgerContext,
  tx: Writer,
  dispute: OfOrder & { id: string; amountCents: Cents },
  step: later.DisputeStep,
  postedAt: Date,
): Promise<void> {
  const entries = later.disputeEntries(dispute.organizationId, dispute.amountCents, step);
  await postOfOrder(ctx, tx, dispute, `dispute_${step}`, ['dispute', dispute.id], entries, postedAt);
}

/** Posts what was paid for an account, once. */
export async function postAccountPayment(
  ctx: LedgerContext,
  tx: Writer,
  payment: AccountMoney,
  postedAt: Date,
): Promise<void> {
  await postPlatform(ctx, tx, 'account_payment', payment.id, accountPaymentEntries(payment), postedAt);
}

/** Posts what giving back a charge that bought nothing has cost, once. */
export async function postAccountRefund(
  ctx: LedgerContext,
  tx: Writer,
  payment: AccountMoney,
  postedAt: Date,
): Promise<void> {
  await postPlatform(ctx, tx, 'account_refund', payment.id, givenBackEntries(payment), postedAt);
}

/** Posts that what is owed for the orders of these payouts is on its way, once per payout. */
export function postPayoutsCreated(
  ctx: LedgerContext,
  tx: Writer,
  payouts: readonly later.Payout[],
  postedAt: Date,
): Promise<void> {
  return postOfPayouts(
    ctx,
    tx,
    'payout_created',
    payouts.map((payout) => ({ id: payout.id, entries: later.payoutEntries(payout, 1) })),
    postedAt,
  );
}

/** The same for one. */
export function postPayoutCreated(ctx: LedgerContext, tx: Writer, payout: later.Payout, postedAt: Date): Promise<void> {
  return postOfPayouts(
    ctx,
    tx,
    'payout_created',
    [{ id: payout.id, entries: later.payoutEntries(payout, 1) }],
    postedAt,
  );
}

/** Posts that a payout has left the bank, once. */
export async function postPayoutConfirmed(
  ctx: LedgerContext,
  tx: Writer,
  payout: { id: number; organizationId: number; amountCents: Cents },
  postedAt: Date,
): Promise<void> {
  const entries = later.payoutConfirmedEntries(payout.organizationId, payout.amountCents);
  await postOfPayouts(ctx, tx, 'payout_confirmed', [{ id: payout.id, entries }], postedAt);
}

/** Posts that a payout has come back, once: its orders are owed again. */
export function postPayoutFailed(ctx: LedgerContext, tx: Writer, payout: later.Payout, postedAt: Date): Promise<void> {
  return postOfPayouts(
    ctx,
    tx,
    'payout_failed',
    [{ id: payout.id, entries: later.payoutEntries(payout, -1) }],
    postedAt,
  );
}

/** Posts that the bank has sent a confirmed payout back, once: its orders are owed again. */
export function postPayoutReturned(
  ctx: LedgerContext,
  tx: Writer,
  payout: later.Payout,
  postedAt: Date,
): Promise<void> {
  return postOfPayouts(
    ctx,
    tx,
    'payout_returned',
    [{ id: payout.id, entries: later.payoutReturnedEntries(payout) }],
    postedAt,
  );
}

/** Posts that an organization has paid what it owed us, once per settlement. */
export async function postSettlement(
  ctx: LedgerContext,
  tx: Writer,
  debt: later.Debt & { id: number },
  postedAt: Date,
): Promise<void> {
  const sourceId = String(debt.id);
  const entries = later.settlementEntries(debt).map((entry) => ({ ...entry, sourceId }));
  await ledgerSql.insertPostings(tx, {
    kind: 'settlement',
    sourceType: 'settlement',
    sourceIds: [sourceId],
    postedAt,
    entries: await withIds(ctx, tx, entries),
  });
}

/** What an organization owes us, order by order; nothing where we owe it. Read behind `lockPayables`. */
export async function debtOf(tx: Writer, organizationId: number): Promise<later.Debt & { debtCents: Cents }> {
  const balances = await ledgerSql.listBalances(tx, organizationId);
  const share = balances.find((each) => each.kind === 'provider_clearing')?.balanceCents ?? 0;
  // Sales and refunds do not wait for the lock: what is owed is the sum of these very orders, not of an earlier look.
  const open = await ledgerSql.listOpenPayables(tx, [organizationId]);
  const debtCents = cents(Math.max(0, -open.reduce((sum, { payableCents }) => sum + payableCents, 0)));
  return {
    organizationId,
    shareCents: cents(Math.max(0, share)),
    debtCents,
    orders:
      debtCents === 0 ? [] : open.map(({ orderId, payableCents }) => ({ orderId, amountCents: cents(payableCents) })),
  };
}

/** Behind this lock no one else pays out to these organizations, until the transaction ends. */
export function lockPayables(tx: Writer, organizationIds: readonly number[]): Promise<void> {
  return ledgerSql.lockPayables(tx, organizationIds);
}

/** Orders of these organizations for which anything is owed, either way, by their ids. */
export function openPayables(tx: Writer, organizationIds: readonly number[]): Promise<ledgerSql.OrderPayable[]> {
  return ledgerSql.listOpenPayables(tx, organizationIds);
}

/** Posts what the provider sent to our bank; what is in the books already is left out. Returns how many were new. */
export async function postProviderPayouts(
  ctx: LedgerContext,
  tx: Writer,
  payouts: readonly ProviderPayout[],
): Promise<number> {
  const known = await ledgerSql.listProviderPayouts(
    tx,
    payouts.map(({ ref }) => ref),
  );
  // One comes each night.
  const fresh = payouts.filter(({ ref, amountCents }) => !known.has(ref) && amountCents !== 0);
  for (const payout of fresh) await postProviderPayout(ctx, tx, payout, payout.at);
  return fresh.length;
}

/** What the platform owes an organization; below nothing after refunds that outran its sales. */
export async function owedTo(ctx: LedgerContext, organizationId: number): Promise<Cents> {
  const balances = await ctx.database.read(BOOKS, (db) => ledgerSql.listBalances(db, organizationId));
  return cents(-(balances.find((balance) => balance.kind === 'org_payable')?.balanceCents ?? 0) + 0);
}

/** What is not settled with an organization, read in the caller's transaction: owed (below nothing: it owes us), our share of sales over its own account, on its way, disputed. */
export async function standingOf(
  tx: Writer,
  organizationId: number,
): Promise<{ owedCents: Cents; shareDueCents: Cents; inPayoutCents: Cents; disputedCents: Cents }> {
  const balances = await ledgerSql.listBalances(tx, organizationId);
  const owed = (kind: AccountName['kind']) =>
    cents(-(balances.find((balance) => balance.kind === kind)?.balanceCents ?? 0) + 0);
  return {
    owedCents: owed('org_payable'),
    shareDueCents: cents(Math.max(0, -owed('provider_clearing'))),
    inPayoutCents: owed('payout_in_transit'),
    disputedCents: owed('dispute_hold'),
  };
}

/** Balances of an organization's accounts, or of the platform's own with null: + debit, - credit, in cents. */
export async function balances(ctx: LedgerContext, organizationId: number | null): Promise<ledgerSql.Balance[]> {
  return ctx.database.read(BOOKS, (db) => ledgerSql.listBalances(db, organizationId));
}

export function createLedgerService(deps: LedgerDeps) {
  return {
    debtOf,
    lockPayables,
    openPayables,
    standingOf,
    ...bind(contextOf(deps), {
      postProviderPayout,
      postSale,
      postOwnAccountSale,
      postFeeAdjustment,
      postRefund,
      postDispute,
      postAccountPayment,
      postAccountRefund,
      postPayoutsCreated,
      postPayoutCreated,
      postPayoutConfirmed,
      postPayoutFailed,
      postPayoutReturned,
      postSettlement,
      postProviderPayouts,
      owedTo,
      balances,
    }),
  };
}
