/**
 * A platform admin chooses orders, or all that is due to some organizations. Under locks that everyone takes in the same order,
 * what the ledger says is owed becomes one payout per organization, posted in the same transaction: however often and by
 * however many people it is requested, each order is paid out once (money M12).
 */
import { postings } from '#src/features/ledger/ledger.rules.ts';
import { createHash, randomUUID } from 'node:crypto';
import { requireUser, requireAdminUser, type Caller, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditService } from '#src/features/audit/audit.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import * as words from '#src/features/payouts/payouts.contract.ts';
import { submitPayoutsJob } from '#src/features/payouts/payouts.jobs.ts';
import { holdEnds, planPayouts, type Draft, type Plan } from '#src/features/payouts/payouts.rules.ts';
import * as payoutsSql from '#src/features/payouts/payouts.sql.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { PayoutSender } from '#src/platform/payouts/payouts.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { toDollars } from '#src/shared/money.ts';
import { problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins pay out to every organization' } as const;
const MAX_KEY = 200;

export type PayingOutDeps = Pick<Platform, 'database' | 'clock'> & {
  jobs: Pick<Jobs, 'enqueue'>;
  config: Pick<Config, 'payoutHoldDays'>;
  ledger: Pick<LedgerService, 'lockPayables' | 'openPayables' | 'post'>;
  orders: Pick<OrderService, 'lockPayableOrders'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: Pick<AuditService, 'recordAll'>;
  payoutSender: PayoutSender;
};

/** A request's idempotency key; null without one. */
type KeyedRequest = { key: string | null };

/** @throws unauthenticated, also "Please confirm your password."; forbidden */
export function requireConfirmedAdmin(ctx: Pick<PayingOutDeps, 'accounts'>, caller: Caller): SignedIn {
  const user = requireAdminUser(caller.actor);
  ctx.accounts.requireRecentPassword(user);
  return user;
}

/** What is due for these orders, behind all locks. `alone`: as in `PlanInput`. */
async function plan(
  ctx: PayingOutDeps,
  tx: Writer,
  wanted: readonly number[],
  organizationIds: readonly number[],
  options: { paidUntil: Date; alone: boolean },
): Promise<Plan & { paidOut: Map<number, number> }> {
  const facts = new Map((await ctx.orders.lockPayableOrders(tx, wanted)).map((order) => [order.id, order]));
  const concerned = [...new Set([...organizationIds, ...[...facts.values()].map((order) => order.organizationId)])];
  await ctx.ledger.lockPayables(tx, concerned);
  const payables = await ctx.ledger.openPayables(tx, concerned);
  const requested = new Set(wanted);
  const open = payables.map((payable) => payable.orderId).filter((id) => !requested.has(id));
  const payoutsOfOrders = await payoutsSql.listPaidOut(tx, [...wanted, ...open]);
  const paidOut = new Map([...payoutsOfOrders].map(([orderId, { payoutId }]) => [orderId, payoutId]));
  return { ...planPayouts({ wanted, facts, payables, paidOut, ...options }), paidOut };
}

/** Writes and posts the payouts, and queues the transfer. */
async function make(ctx: PayingOutDeps, tx: Writer, caller: Caller, drafts: readonly Draft[], at: Date) {
  const { userId } = requireUser(caller.actor);
  const batchKey = randomUUID();
  const made = await payoutsSql.insertPayouts(tx, drafts, { batchKey, createdBy: userId, at });
  const byOrganization = new Map(made.map((payout) => [payout.organizationId, payout]));
  const payouts = drafts.map(({ organizationId, lines }) => {
    const payout = byOrganization.get(organizationId);
    if (!payout) throw new Error(`organization ${organizationId} has no payout`);
    return { ...payout, lines };
  });
  await payoutsSql.insertLines(
    tx,
    payouts.flatMap(({ id: payoutId, organizationId, lines }) =>
      lines.map((line) => ({ ...line, payoutId, organizationId })),
    ),
  );
  await ctx.ledger.post(tx, payouts.map(postings.payoutCreated), at);
  await ctx.audit.recordAll(
    tx,
    caller,
    payouts.map(({ id, organizationId, amountCents, lines }) => ({
      action: 'payout.created',
      organizationId,
      object: ['payout', id],
      details: { amount_cents: amountCents, orders: lines.length },
    })),
  );
  if (ctx.payoutSender.mode === 'provider') await ctx.jobs.enqueue(tx, submitPayoutsJob, { batchKey });
  crashAt('payout.before_commit');
  return payouts;
}

/** Once per key: the same request returns the same response, and other content with the key is a conflict. */
async function once<Answer extends object>(
  ctx: PayingOutDeps,
  user: SignedIn,
  request: KeyedRequest,
  content: unknown,
  work: (tx: Writer) => Promise<Answer>,
): Promise<Answer> {
  const { key } = request;
  if (key === null) return ctx.database.write(OFFICE, work);
  if (key.length > MAX_KEY) throw problem('invalid', words.KEY_TOO_LONG);
  const contentHash = createHash('sha256').update(JSON.stringify(content)).digest();
  const owner = { userId: user.userId, key };
  return ctx.database.write(OFFICE, async (tx) => {
    const earlier = await payoutsSql.beginRequest(tx, { ...owner, contentHash });
    if (earlier) {
      if (!earlier.contentHash.equals(contentHash)) throw problem('conflict', words.KEY_USED);
      return earlier.answer as Answer;
    }
    const answer = await work(tx);
    await payoutsSql.endRequest(tx, owner, answer);
    return answer;
  });
}

const presentMade = (made: readonly payoutsSql.MadePayout[]) => made.map((payout) => present(words.madePayout, payout));

/**
 * `POST /api/v1/orders/bulk-pay-out`: pays out those of these orders that may be paid out, with a result for every id.
 * @throws unauthenticated, also "Please confirm your password."; forbidden; conflict when none may be paid out, with the
 * results
 */
export async function payOutOrders(ctx: PayingOutDeps, caller: Caller, ids: readonly number[], request: KeyedRequest) {
  const user = requireConfirmedAdmin(ctx, caller);
  const sorted = ids.toSorted((a, b) => a - b);
  return once(ctx, user, request, { orders: sorted }, async (tx) => {
    const at = ctx.clock.now();
    const paidUntil = holdEnds(at, ctx.config.payoutHoldDays);
    const { drafts, reasons, paidOut } = await plan(ctx, tx, sorted, [], { paidUntil, alone: false });
    const made = drafts.length === 0 ? [] : await make(ctx, tx, caller, drafts, at);
    const payoutOf = new Map(
      made.flatMap(({ id, lines }) =>
        lines.filter((line) => line.kind === 'sale').map((line) => [line.orderId, id] as const),
      ),
    );
    const results = ids.map((id): words.BulkPayOutAnswer['results'][number] => {
      const payoutId = payoutOf.get(id);
      if (payoutId !== undefined) return { id, result: 'paid_out', payout_id: payoutId, reason: null, message: null };
      const before = paidOut.get(id);
      if (before !== undefined) return { id, result: 'already_paid', payout_id: before, reason: null, message: null };
      const reason = reasons.get(id) ?? 'nothing_left';
      return { id, result: 'not_eligible', payout_id: null, reason, message: words.REASONS[reason] };
    });
    if (made.length === 0) throw problem('conflict', words.NOTHING_TO_PAY_OUT, { extra: { payouts: [], results } });
    return { payouts: presentMade(made), results };
  });
}

/**
 * `POST /api/v1/payouts`: all that is due to these organizations, as an admin has reviewed it. An organization whose amount has
 * changed is skipped, with its new amount.
 * @throws as `payOutOrders`
 */
export async function payOutOrganizations(
  ctx: PayingOutDeps,
  caller: Caller,
  body: words.PayOutBody,
  request: KeyedRequest,
) {
  const user = requireConfirmedAdmin(ctx, caller);
  const ids = body.organizations.map(({ id }) => id).toSorted((a, b) => a - b);
  return once(ctx, user, request, { organizations: body.organizations, at: body.reviewed_at }, async (tx) => {
    const at = ctx.clock.now();
    const reviewedAt = new Date(Math.min(at.getTime(), Date.parse(body.reviewed_at)));
    const wanted = (await ctx.ledger.openPayables(tx, ids))
      .filter((payable) => payable.payableCents > 0)
      .map((payable) => payable.orderId);
    const paidUntil = holdEnds(reviewedAt, ctx.config.payoutHoldDays);
    const { drafts, sums } = await plan(ctx, tx, wanted, ids, { paidUntil, alone: true });
    const seen = new Map(body.organizations.map(({ id, amount }) => [id, amount as number]));
    const asSeen = drafts.filter((draft) => seen.get(draft.organizationId) === draft.amountCents);
    const made = asSeen.length === 0 ? [] : await make(ctx, tx, caller, asSeen, at);
    const madeFor = new Map(made.map((payout) => [payout.organizationId, payout]));
    const results = body.organizations.map(({ id }): words.PayOutAnswer['results'][number] => {
      const payout = madeFor.get(id);
      if (payout)
        return {
          organization_id: id,
          result: 'paid_out',
          payout_id: payout.id,
          amount: toDollars(payout.amountCents),
        };
      const due = sums.get(id) ?? 0;
      const result = due > 0 ? 'changed' : 'nothing_due';
      return { organization_id: id, result, payout_id: null, amount: toDollars(Math.max(due, 0)) };
    });
    if (made.length === 0) throw problem('conflict', words.NOTHING_TO_SEND, { extra: { payouts: [], results } });
    return { payouts: presentMade(made), results };
  });
}

export const createPayingOut = (deps: PayingOutDeps) => bind(deps, { payOutOrders, payOutOrganizations });
