/**
 * The ledger. Code that moves money posts what happened, inside the transaction in which it happened, and once per source.
 * Balances come from the sums of finished days and the entries after them; the database also stores open amounts.
 */
import { postings, type AccountName, type Debt, type Posting } from '#src/features/ledger/ledger.rules.ts';
import * as ledgerSql from '#src/features/ledger/ledger.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import { DAY_MS } from '#src/shared/dates.ts';

const BOOKS = {
  kind: 'system',
  why: 'the books belong to the platform; the caller has asked whose balance may be seen',
} as const;
const REMEMBER_AT_MOST = 10_000;

export type LedgerService = ReturnType<typeof createLedgerService>;

/** A payout of the provider to our bank account, by the provider's id. */
type ProviderPayout = { ref: string; amountCents: Cents; at: Date };

const nameOf = ({ kind, organizationId }: AccountName) => `${kind}:${organizationId ?? ''}`;

type LedgerDeps = { database: Database };

type Context = ReturnType<typeof contextOf>;

function contextOf(deps: LedgerDeps) {
  // Accounts are never closed or renumbered. Only ids that were read, not created, are cached: an account that is created in
  // this transaction may be rolled back.
  const knownIds = new Map<string, number>();
  /** Transactions that created accounts: what they read may be their own. */
  const creators = new WeakSet<Writer>();
  return { ...deps, knownIds, creators };
}

async function accountIds(ctx: Context, tx: Writer, names: readonly AccountName[]): Promise<Map<string, number>> {
  if (names.every((name) => ctx.knownIds.has(nameOf(name)))) return ctx.knownIds;
  const organizationIds = [...new Set(names.map((name) => name.organizationId))].filter((id) => id !== null);
  const read = async () =>
    new Map((await ledgerSql.listAccounts(tx, organizationIds)).map((row) => [nameOf(row), row.id]));
  const found = await read();
  const missing = [
    ...new Map(names.filter((name) => !found.has(nameOf(name))).map((name) => [nameOf(name), name])).values(),
  ];
  if (missing.length > 0) {
    ctx.creators.add(tx);
    await ledgerSql.openAccounts(tx, missing);
    return read();
  }
  if (ctx.creators.has(tx)) return found;
  if (ctx.knownIds.size >= REMEMBER_AT_MOST) ctx.knownIds.clear();
  for (const [name, id] of found) ctx.knownIds.set(name, id);
  return found;
}

/**
 * Creates missing accounts of a posting; runs no query if all are known. Code that also locks other rows calls it before
 * `post`: two first sales of a seller would otherwise deadlock, one waiting for the accounts and one for the rows.
 */
export async function haveAccounts(ctx: Context, tx: Writer, { entries }: Posting): Promise<void> {
  await accountIds(ctx, tx, entries);
}

/** Posts what has happened, once per source: the database refuses a second time (23505). Without entries nothing is posted. */
export async function post(ctx: Context, tx: Writer, given: Posting | readonly Posting[], postedAt: Date) {
  const moved = [given].flat().filter(({ entries }) => entries.length > 0);
  if (moved.length === 0) return;
  const ids = await accountIds(
    ctx,
    tx,
    moved.flatMap(({ entries }) => entries),
  );
  const entries = moved.flatMap((posting, index) =>
    posting.entries.map(({ amountCents, orderId = posting.orderId, ...name }) => {
      const accountId = ids.get(nameOf(name));
      if (accountId === undefined) throw new Error(`the books have no account ${nameOf(name)}`);
      return { posting: index, accountId, amountCents, orderId };
    }),
  );
  await ledgerSql.insertPostings(tx, moved, entries, postedAt);
}

/** What an organization owes us, order by order; nothing if we owe it. Read behind `lockPayables`. */
export async function debtOf(tx: Writer, organizationId: number): Promise<Debt & { debtCents: Cents }> {
  const balances = await ledgerSql.listBalances(tx, organizationId);
  const isOwing = (balances.get('org_payable') ?? 0) > 0;
  // Sales and refunds do not wait for the lock: the amount is the sum of these orders, not of an earlier query.
  const open = isOwing ? await ledgerSql.listOpenPayables(tx, [organizationId]) : [];
  const debtCents = cents(Math.max(0, -open.reduce((sum, { payableCents }) => sum + payableCents, 0)));
  return {
    organizationId,
    shareCents: cents(Math.max(0, balances.get('provider_clearing') ?? 0)),
    debtCents,
    orders: debtCents === 0 ? [] : open.map(({ orderId, payableCents }) => ({ orderId, amountCents: payableCents })),
  };
}

/** Posts what the provider sent to our bank account, except what is already posted. Returns how many were new. */
export async function postProviderPayouts(ctx: Context, tx: Writer, payouts: readonly ProviderPayout[]) {
  const refs = payouts.map(({ ref }) => ref);
  const known = await ledgerSql.listProviderPayouts(tx, refs);
  // One comes each night.
  const fresh = payouts.filter(({ ref, amountCents }) => !known.has(ref) && amountCents !== 0);
  for (const payout of fresh) await post(ctx, tx, postings.providerPayout(payout), payout.at);
  return fresh.length;
}

/**
 * What is not settled with an organization, read in the caller's transaction: owed (negative if it owes us), our share of sales
 * on its own Stripe account, being paid out, disputed.
 */
export async function unsettledWith(tx: Writer, organizationId: number) {
  const balances = await ledgerSql.listBalances(tx, organizationId);
  const owed = (kind: AccountName['kind']) => cents(-(balances.get(kind) ?? 0) + 0);
  return {
    owedCents: owed('org_payable'),
    shareDueCents: cents(Math.max(0, -owed('provider_clearing'))),
    inPayoutCents: owed('payout_in_transit'),
    disputedCents: owed('dispute_hold'),
  };
}

/** Whether money was ever booked for an organization: earned, refunded or paid out. */
export async function hasBooked(ctx: LedgerDeps, organizationId: number): Promise<boolean> {
  return ctx.database.read(BOOKS, (db) => ledgerSql.hasAccounts(db, organizationId));
}

/**
 * Stores the balance of each account of an organization at the end of each finished day, for statements. One account in a
 * transaction, so that a sale waits at most for its own days; normally there is one new day each night.
 */
export async function sumDays(ctx: LedgerDeps, now: Date): Promise<void> {
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const sumNext = (after: number) =>
    ctx.database.write(BOOKS, async (tx) => {
      const id = await ledgerSql.lockUnsummed(tx, after);
      if (id !== null) await ledgerSql.sumDays(tx, id, midnight);
      return id;
    });
  for (let after: number | null = 0; after !== null;) after = await sumNext(after);
}

export function createLedgerService(deps: LedgerDeps) {
  return {
    debtOf,
    lockPayables: ledgerSql.lockPayables,
    openPayables: ledgerSql.listOpenPayables,
    unsettledWith,
    ...bind(contextOf(deps), { hasBooked, haveAccounts, post, postProviderPayouts, sumDays }),
  };
}
