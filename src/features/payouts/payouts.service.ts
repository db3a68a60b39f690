/**
 * Organizations are sent what they are owed. Platform admins review, pay out, and confirm or return each payout; members see
 * what was paid to their organization, what is in progress and what is not yet due. Organizations pay what they owe us by
 * invoice.
 */
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { postings } from '#src/features/ledger/ledger.rules.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import { createPayoutDecisions, type PayoutDecisionDeps } from '#src/features/payouts/payout-decisions.service.ts';
import {
  createPayingOut,
  requireConfirmedAdmin,
  type PayingOutDeps,
} from '#src/features/payouts/paying-out.service.ts';
import * as payoutListsSql from '#src/features/payouts/payout-lists.sql.ts';
import * as words from '#src/features/payouts/payouts.contract.ts';
import * as rules from '#src/features/payouts/payouts.rules.ts';
import * as payoutsSql from '#src/features/payouts/payouts.sql.ts';
import { OTHERS_AT_MOST, reviewOf, type Outlook } from '#src/features/payouts/payout-review.rules.ts';
import { tenantScope, type Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { columnsOf, present } from '#src/shared/field-names.ts';
import { toDollars } from '#src/shared/money.ts';
import { pageOf, readPages } from '#src/shared/paging.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins read and settle payouts of every organization' } as const;
const BOOKS = { kind: 'system', why: 'what is due is read from the books of every organization' } as const;
/** Transfers of a bank file that are in memory at a time. */
const TRANSFERS_A_PAGE = 1_000;

type PayoutDeps = PayingOutDeps &
  PayoutDecisionDeps & {
    organizations: Pick<OrganizationService, 'byId' | 'family'>;
    ledger: Pick<LedgerService, 'debtOf'>;
  };
export type PayoutService = ReturnType<typeof createPayoutService>;

type PayoutRow = Awaited<ReturnType<typeof payoutListsSql.listPayouts>>[number];

const withShownStatus = (row: PayoutRow) => ({
  ...row,
  status: row.returnedAt === null ? row.status : ('returned' as const),
});

async function officePage(ctx: PayoutDeps, search: payoutListsSql.PayoutSearch): Promise<words.OfficePayoutsPage> {
  const rows = await ctx.database.read(OFFICE, (db) =>
    payoutListsSql.listPayouts(db, { ...search, limit: search.limit + 1 }),
  );
  const { shown, next } = pageOf(rows, search.limit);
  const threshold = ctx.config.payoutSecondApprovalCents;
  const presentRow = (row: PayoutRow) =>
    present(words.officePayout, {
      ...withShownStatus(row),
      needsSecondPerson: rules.needsSecondPerson(row.amountCents, threshold),
      payee: rules.payeeOf(row.organizationName, row),
    });
  return { payouts: shown.map(presentRow), next };
}

/** Who gets how much, what is held and why; lists organizations whose name has this part. @throws unauthenticated; forbidden */
export async function review(ctx: PayoutDeps, caller: Caller, text = '') {
  requirePlatformAdmin(caller.actor);
  const reviewedAt = ctx.clock.now();
  const holdDays = ctx.config.payoutHoldDays;
  const paidUntil = rules.holdEnds(reviewedAt, holdDays);
  const [accounts, own, debts, onTheWay] = await Promise.all([
    ctx.database.read(BOOKS, (db) => payoutListsSql.listReview(db, { paidUntil, organizationIds: null, text })),
    ctx.database.read(BOOKS, (db) => payoutListsSql.listOwnAccounts(db, text, OTHERS_AT_MOST + 1)),
    ctx.database.read(BOOKS, (db) => payoutListsSql.listDebtors(db, text, OTHERS_AT_MOST + 1)),
    ctx.database.read(OFFICE, payoutListsSql.sumOpen),
  ]);
  return { ...reviewOf(accounts, own, { reviewedAt, holdDays, debts }), onTheWay };
}

const searchOf = ({ status, search = '' }: words.PayoutsFilter) => ({
  organizationIds: null,
  openOnly: status === 'open',
  text: search.trim(),
});

/** All payouts, newest first, by key. @throws unauthenticated; forbidden */
export async function list(ctx: PayoutDeps, caller: Caller, query: words.OfficePayoutsQuery = {}) {
  requirePlatformAdmin(caller.actor);
  const search = { ...searchOf(query), before: query.after ?? null };
  return officePage(ctx, { ...search, limit: query.limit ?? words.PAYOUTS_PER_PAGE });
}

/** @throws unauthenticated; forbidden; not_found */
export async function byId(ctx: PayoutDeps, caller: Caller, payoutId: number): Promise<words.OfficePayout> {
  const [payout] = await byIds(ctx, caller, [payoutId]);
  if (!payout) throw notFound(words.PAYOUT_NOT_FOUND);
  return payout;
}

/** Those that exist, newest first. @throws unauthenticated; forbidden */
export async function byIds(ctx: PayoutDeps, caller: Caller, payoutIds: readonly number[]) {
  requirePlatformAdmin(caller.actor);
  return (await officePage(ctx, { organizationIds: null, only: payoutIds, limit: payoutIds.length })).payouts;
}

/** The orders of a payout, by key. @throws unauthenticated; forbidden; not_found */
export async function lines(ctx: PayoutDeps, caller: Caller, payoutId: number, after = 0) {
  requirePlatformAdmin(caller.actor);
  const rows = await ctx.database.read(OFFICE, async (db) => {
    if (!(await payoutsSql.findPayout(db, payoutId))) throw notFound(words.PAYOUT_NOT_FOUND);
    return payoutListsSql.listLines(db, payoutId, { after, limit: words.LINES_PER_PAGE + 1 });
  });
  const { shown, next } = pageOf(rows, words.LINES_PER_PAGE);
  return { lines: shown.map((line) => present(words.payoutLine, { ...line, orderId: line.id })), next };
}

/**
 * A file for the bank, streamed: one payout in progress, or with null all of them. Decided payouts are not transferred again.
 * @throws unauthenticated; forbidden; not_found; conflict
 */
export async function bankFile(ctx: PayoutDeps, caller: Caller, payoutId: number | null) {
  requirePlatformAdmin(caller.actor);
  const which = payoutId === null ? { openOnly: true } : { only: [payoutId] };
  const { first, pages } = await readFile(ctx, { organizationIds: null, ...which });
  if (payoutId !== null && first.length === 0) throw notFound(words.PAYOUT_NOT_FOUND);
  if (first.some(({ decidedAt }) => decidedAt !== null)) throw problem('conflict', words.NOTHING_TO_TRANSFER);
  return rules.bankFile(pages);
}

/** The payouts of a file. The first page is read here, so that a refusal gets its own response. */
async function readFile(ctx: PayoutDeps, search: Omit<payoutListsSql.PayoutSearch, 'before' | 'limit'>) {
  const read = (last: PayoutRow | null) => {
    const page = { before: last?.id ?? null, limit: TRANSFERS_A_PAGE };
    return ctx.database.read(OFFICE, (db) => payoutListsSql.listPayouts(db, { ...search, ...page }));
  };
  const first = await read(null);
  return { first, pages: readPages(TRANSFERS_A_PAGE, async (last: PayoutRow | null) => (last ? read(last) : first)) };
}

/** All that the filter wants as a file, newest first, streamed. @throws unauthenticated; forbidden */
export async function csv(ctx: PayoutDeps, caller: Caller, filter: words.PayoutsFilter) {
  requirePlatformAdmin(caller.actor);
  const { pages } = await readFile(ctx, searchOf(filter));
  return rules.payoutFile(pages);
}

/**
 * Payouts of an organization, newest first, by key; members of a parent also see those of organizations below it.
 * @throws unauthenticated; not_found for other organizations
 */
export async function listForOrganization(
  ctx: PayoutDeps,
  caller: Caller,
  organizationId: number,
  query: words.PayoutsQuery = {},
): Promise<words.MemberPayoutsPage> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const { limit = words.PAYOUTS_PER_PAGE } = query;
  const family = await ctx.organizations.family(owner);
  const rows = await ctx.database.read(tenantScope(...family), (db) =>
    payoutListsSql.listPayouts(db, { organizationIds: family, before: query.after ?? null, limit: limit + 1 }),
  );
  const { shown, next } = pageOf(rows, limit);
  return { payouts: shown.map((row) => present(words.memberPayout, withShownStatus(row))), next };
}

/**
 * What an organization was paid, what is in progress and what is not yet due.
 * @throws unauthenticated; not_found for other organizations
 */
export async function outlookOf(ctx: PayoutDeps, caller: Caller, organizationId: number): Promise<Outlook> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const family = await ctx.organizations.family(owner);
  const holdDays = ctx.config.payoutHoldDays;
  const paidUntil = rules.holdEnds(ctx.clock.now(), holdDays);
  const [accounts, [sums, billing]] = await Promise.all([
    ctx.database.read(BOOKS, (db) => payoutListsSql.listReview(db, { paidUntil, organizationIds: family })),
    ctx.database.read(tenantScope(...family), (db) =>
      Promise.all([payoutListsSql.sumPayouts(db, family), payoutListsSql.findPayee(db, owner.id)]),
    ),
  ]);
  const { held } = reviewOf(accounts, [], { reviewedAt: ctx.clock.now(), holdDays });
  const untils = held.flatMap((each) => (each.until ? [each.until.getTime()] : []));
  return {
    ...sums,
    dueCents: accounts.reduce((sum, account) => sum + account.due + account.carry, 0),
    tooNewCents: accounts.reduce((sum, account) => sum + account.tooNew, 0),
    disputedCents: accounts.reduce((sum, account) => sum + account.disputed, 0),
    nextDueAt: untils.length === 0 ? null : new Date(Math.min(...untils)),
    holdDays,
    payee: rules.payeeOf(billing.name, billing),
  };
}

/**
 * Whether a club's settings do not say where its payouts go. A parent's own sales are rare, and with an own account at the
 * card company nothing is paid out.
 * @throws unauthenticated; not_found
 */
export async function lacksPayee(ctx: PayoutDeps, caller: Caller, organizationId: number): Promise<boolean> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  if (!isChild(owner) || (owner.canAddCustomPayment && owner.stripePk !== null)) return false;
  const billing = await ctx.database.read(tenantScope(owner.id), (db) => payoutListsSql.findPayee(db, owner.id));
  return rules.payeeOf(billing.name, billing).address === null;
}

/** Settles an organization's debt as a whole, or finds that it is settled. */
async function settleDebt(
  ctx: PayoutDeps,
  tx: Writer,
  caller: Caller,
  { organization_id: organizationId, amount: amountCents, reference }: words.SettleBody,
): Promise<number> {
  const { userId } = requireUser(caller.actor);
  // Simultaneous requests and payouts run one after another.
  await ctx.ledger.lockPayables(tx, [organizationId]);
  const earlier = await payoutsSql.findSettlement(tx, organizationId, reference);
  if (earlier && earlier.amountCents !== amountCents) throw problem('conflict', words.SETTLED_WITH_OTHER_AMOUNT);
  if (earlier) return earlier.id;
  const debt = await ctx.ledger.debtOf(tx, organizationId);
  const { shareCents, debtCents } = debt;
  const owedCents = shareCents + debtCents;
  if (owedCents === 0) throw problem('conflict', words.NOTHING_OWED);
  if (owedCents !== amountCents)
    throw problem('conflict', words.DEBT_HAS_CHANGED, { extra: { amount: toDollars(owedCents) } });
  const at = ctx.clock.now();
  const settled = columnsOf({ organizationId, shareCents, debtCents, reference, createdBy: userId, createdAt: at });
  const id = await payoutsSql.insertSettlement(tx, settled);
  await ctx.ledger.post(tx, postings.settlement({ ...debt, id }), at);
  await ctx.audit.record(tx, caller, {
    action: 'debt.settled',
    organizationId,
    object: ['settlement', id],
    details: { amount_cents: amountCents, share_cents: shareCents },
  });
  return id;
}

/**
 * Books that an organization has paid its debt. The same reference and amount again is the same settlement.
 * @throws unauthenticated, also "Please confirm your password."; forbidden; not_found; conflict when nothing is owed, when the
 * amount is no longer the one that the admin saw, or when the reference was used for another amount
 */
export async function settle(ctx: PayoutDeps, caller: Caller, body: words.SettleBody): Promise<words.SettlementAnswer> {
  requireConfirmedAdmin(ctx, caller);
  const { organization_id, amount, reference } = body;
  if (!(await ctx.organizations.byId(organization_id))) throw notFound(ORGANIZATION_NOT_FOUND);
  const id = await ctx.database.write(OFFICE, (tx) => settleDebt(ctx, tx, caller, body));
  return { id, organization_id, amount: toDollars(amount), reference };
}

export function createPayoutService(deps: PayoutDeps) {
  return {
    ...createPayingOut(deps),
    ...createPayoutDecisions(deps),
    ...bind(deps, {
      review,
      list,
      byId,
      byIds,
      lines,
      bankFile,
      csv,
      listForOrganization,
      outlookOf,
      lacksPayee,
      settle,
    }),
  };
}
