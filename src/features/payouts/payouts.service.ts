/**
 * Organizations are sent what the books owe them. Platform admins review, pay out, and confirm or return each payout; members see
 * what was paid to their organization, what is on its way and what is not yet due.
 */
import { mayEdit, requireEditor, requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { createPayoutDecisions, type PayoutDecisionDeps } from '#src/features/payouts/payout-decisions.service.ts';
import { createPayingOut, type PayingOutDeps } from '#src/features/payouts/paying-out.service.ts';
import * as listsSql from '#src/features/payouts/payout-lists.sql.ts';
import {
  bankFile,
  presentForMember,
  presentForOffice,
  presentLine,
} from '#src/features/payouts/payout-answers.rules.ts';
import {
  LINES_PER_PAGE,
  MAX_PAYOUTS_PER_PAGE,
  NOTHING_TO_TRANSFER,
  PAYOUT_NOT_FOUND,
  PAYOUTS_PER_PAGE,
  type MemberPayoutsPage,
  type OfficePayout,
  type OfficePayoutsPage,
  type OfficePayoutsQuery,
  type PayoutLinesPage,
  type PayoutsQuery,
  type PayoutStatus,
} from '#src/features/payouts/payouts.contract.ts';
import { holdEnds } from '#src/features/payouts/payouts.rules.ts';
import * as payoutsSql from '#src/features/payouts/payouts.sql.ts';
import { createSettlements, type SettlementDeps } from '#src/features/payouts/settlements.service.ts';
import { reviewOf, type Outlook, type Review } from '#src/features/payouts/ready-list.rules.ts';
import type { PayoutReview } from '#src/features/payouts/payout-review.service.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { Reader } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins read the payouts of every organization' } as const;
const tenants = (organizationIds: readonly number[]) => ({ kind: 'tenants', organizationIds }) as const;
/** Of a file for the bank that are in memory at a time. */
const TRANSFERS_A_PAGE = 1_000;

export type PayoutDeps = Omit<PayingOutDeps, 'sender'> &
  PayoutDecisionDeps &
  SettlementDeps & {
    config: Pick<Config, 'payoutHoldDays' | 'payoutSecondApprovalCents'>;
    organizations: Pick<OrganizationService, 'byId'>;
    review: PayoutReview;
  };
export type PayoutService = ReturnType<typeof createPayoutService>;

type PayoutContext = ReturnType<typeof contextOf>;

function contextOf(deps: PayoutDeps) {
  const payingOut = createPayingOut({ ...deps, sender: deps.payoutSender });
  const decisions = createPayoutDecisions(deps);
  const settlements = createSettlements(deps);
  const threshold = deps.config.payoutSecondApprovalCents;
  return { ...deps, payingOut, decisions, settlements, threshold };
}

async function tenantOf(ctx: PayoutContext, caller: Caller, organizationId: number): Promise<Organization> {
  const owner = await ctx.organizations.byId(organizationId);
  if (!owner) throw notFound();
  requireEditor(caller.actor, { organizationId: owner.id, parentOrganizationId: owner.parentOrganizationId });
  return owner;
}

async function officePage(ctx: PayoutContext, search: listsSql.PayoutSearch): Promise<OfficePayoutsPage> {
  const rows = await ctx.database.read(OFFICE, (db) =>
    listsSql.listPayouts(db, { ...search, limit: search.limit + 1 }),
  );
  const shown = rows.slice(0, search.limit);
  return {
    payouts: shown.map((row) => presentForOffice(row, ctx.threshold)),
    next: rows.length > search.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

function limitOf(query: PayoutsQuery) {
  return Math.min(query.limit ?? PAYOUTS_PER_PAGE, MAX_PAYOUTS_PER_PAGE);
}

/** A parent's members see what goes to its children; everyone else only their own. */
async function familyOf(ctx: PayoutContext, caller: Caller, owner: Organization): Promise<number[]> {
  if (owner.parentOrganizationId !== null) return [owner.id];
  if (!mayEdit(caller.actor, { organizationId: owner.id, parentOrganizationId: null })) return [owner.id];
  return ctx.database.read({ kind: 'public' }, (db) => listsSql.listFamily(db, owner.id));
}

/** The living payout of each of these orders whose sale was paid out; for the admin report, in whatever scope it reads. */
export function ofOrders(
  db: Reader,
  orderIds: readonly number[],
): Promise<Map<number, { payoutId: number; status: PayoutStatus }>> {
  return payoutsSql.listPaidOut(db, orderIds);
}

/** Who gets how much, what is held and why. @throws unauthenticated; forbidden */
export async function review(
  ctx: PayoutContext,
  caller: Caller,
): Promise<Review & { onTheWay: { cents: number; payouts: number } }> {
  requirePlatformAdmin(caller.actor);
  const reviewedAt = ctx.clock.now();
  const holdDays = ctx.config.payoutHoldDays;
  const [accounts, own, debts, onTheWay] = await Promise.all([
    ctx.review.openAccounts(holdEnds(reviewedAt, holdDays)),
    ctx.review.ownAccounts(),
    ctx.review.debts(),
    ctx.database.read(OFFICE, listsSql.sumOpen),
  ]);
  return { ...reviewOf(accounts, own, { reviewedAt, holdDays, debts }), onTheWay };
}

/** Everyone's, newest first, by key. @throws unauthenticated; forbidden */
export async function list(
  ctx: PayoutContext,
  caller: Caller,
  query: OfficePayoutsQuery = {},
): Promise<OfficePayoutsPage> {
  requirePlatformAdmin(caller.actor);
  return officePage(ctx, {
    organizationIds: null,
    openOnly: query.status === 'open',
    before: query.after ?? null,
    limit: limitOf(query),
  });
}

/** @throws unauthenticated; forbidden; not_found */
export async function byId(ctx: PayoutContext, caller: Caller, payoutId: number): Promise<OfficePayout> {
  requirePlatformAdmin(caller.actor);
  const { payouts } = await officePage(ctx, { organizationIds: null, only: payoutId, limit: 1 });
  if (!payouts[0]) throw notFound(PAYOUT_NOT_FOUND);
  return payouts[0];
}

/** The orders of a payout, by key. @throws unauthenticated; forbidden; not_found */
export async function lines(ctx: PayoutContext, caller: Caller, payoutId: number, after = 0): Promise<PayoutLinesPage> {
  requirePlatformAdmin(caller.actor);
  const rows = await ctx.database.read(OFFICE, async (db) => {
    if (!(await payoutsSql.findPayout(db, payoutId))) throw notFound(PAYOUT_NOT_FOUND);
    return listsSql.listLines(db, payoutId, { after, limit: LINES_PER_PAGE + 1 });
  });
  const shown = rows.slice(0, LINES_PER_PAGE);
  return {
    lines: shown.map(presentLine),
    next: rows.length > LINES_PER_PAGE ? (shown.at(-1)?.orderId ?? null) : null,
  };
}

/**
 * A file for the bank, piece by piece: one payout that is on its way, or with null all of them. What was decided is not transferred again.
 * @throws unauthenticated; forbidden; not_found; conflict
 */
export async function writeBankFile(
  ctx: PayoutContext,
  caller: Caller,
  payoutId: number | null,
): Promise<AsyncIterable<string>> {
  requirePlatformAdmin(caller.actor);
  const search = payoutId === null ? { openOnly: true } : { only: payoutId };
  const read = (before: number | null) =>
    ctx.database.read(OFFICE, (db) =>
      listsSql.listPayouts(db, { organizationIds: null, ...search, before, limit: TRANSFERS_A_PAGE }),
    );
  // The first page here, so that a refusal is still its own answer.
  const first = await read(null);
  if (payoutId !== null && first.length === 0) throw notFound(PAYOUT_NOT_FOUND);
  if (first.some(({ decidedAt }) => decidedAt !== null)) throw problem('conflict', NOTHING_TO_TRANSFER);
  async function* pages() {
    for (let page = first; page.length > 0; page = await read(page.at(-1)?.id ?? 0)) {
      yield page;
      if (page.length < TRANSFERS_A_PAGE) return;
    }
  }
  return bankFile(pages());
}

/**
 * What was paid to an organization, newest first, by key; to members of a parent also what was paid to those below it.
 * @throws unauthenticated; not_found for others'
 */
export async function listForOrganization(
  ctx: PayoutContext,
  caller: Caller,
  organizationId: number,
  query: PayoutsQuery = {},
): Promise<MemberPayoutsPage> {
  const owner = await tenantOf(ctx, caller, organizationId);
  const limit = limitOf(query);
  const family = await familyOf(ctx, caller, owner);
  const rows = await ctx.database.read(tenants(family), (db) =>
    listsSql.listPayouts(db, { organizationIds: family, before: query.after ?? null, limit: limit + 1 }),
  );
  const shown = rows.slice(0, limit);
  return {
    payouts: shown.map(presentForMember),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** What an organization was paid, what is on its way and what is not yet due. @throws unauthenticated; not_found for others' */
export async function outlookOf(ctx: PayoutContext, caller: Caller, organizationId: number): Promise<Outlook> {
  const owner = await tenantOf(ctx, caller, organizationId);
  const family = await familyOf(ctx, caller, owner);
  const holdDays = ctx.config.payoutHoldDays;
  const [accounts, sums] = await Promise.all([
    ctx.review.openAccounts(holdEnds(ctx.clock.now(), holdDays), family),
    ctx.database.read(tenants(family), (db) => listsSql.sumPayouts(db, family)),
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
  };
}

export function createPayoutService(deps: PayoutDeps) {
  const ctx = contextOf(deps);
  return {
    ...ctx.payingOut,
    ...ctx.decisions,
    ...ctx.settlements,
    ofOrders,
    ...bind(ctx, { review, list, byId, lines, bankFile: writeBankFile, listForOrganization, outlookOf }),
  };
}
