/**
 * The outcome of a payout: a person confirms it with the reference of the transfer, or reports that it failed, or days later
 * that the bank returned it. A provider of transfers may do the same, and is asked before a person may report a failure. The
 * first who locks it decides it. A failed payout releases its orders; both steps are posted to the ledger.
 */
import { requireConfirmedAdmin } from '#src/features/payouts/paying-out.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import * as payoutListsSql from '#src/features/payouts/payout-lists.sql.ts';
import * as words from '#src/features/payouts/payouts.contract.ts';
import { payoutFailedEmail, payoutPaidEmail, payoutReturnedEmail } from '#src/features/payouts/payouts.mail.tsx';
import { needsSecondPerson, transferText } from '#src/features/payouts/payouts.rules.ts';
import * as payoutsSql from '#src/features/payouts/payouts.sql.ts';
import type { LockedPayout } from '#src/features/payouts/payouts.sql.ts';
import { postings } from '#src/features/ledger/ledger.rules.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { PayoutSender } from '#src/platform/payouts/payouts.ts';
import type { Platform } from '#src/platform/platform.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem, notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins decide about payouts of every organization' } as const;
const ADMINS_AT_MOST = 10;
const REASON_AT_MOST = 500;

export type PayoutDecisionDeps = Pick<Platform, 'database' | 'clock' | 'outbox'> & {
  config: Pick<Config, 'payoutSecondApprovalCents'>;
  ledger: Pick<LedgerService, 'lockPayables' | 'post'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
  payoutSender: PayoutSender;
  origin: SiteOrigin;
};

/** Null for the platform itself, by a provider's report. */
type By = { userId: number; ip: string } | null;
type Refused = { reason: string; by: By; at: Date };

const byOf = (ctx: PayoutDecisionDeps, caller: Caller) => ({
  userId: requireConfirmedAdmin(ctx, caller).userId,
  ip: caller.ip,
});

async function locked(tx: Writer, payoutId: number) {
  const payout = await payoutsSql.lockPayout(tx, payoutId);
  if (!payout) throw notFound(words.PAYOUT_NOT_FOUND);
  return payout;
}

async function recordAction(ctx: PayoutDecisionDeps, tx: Writer, payout: LockedPayout, by: By, action: string) {
  await ctx.audit.record(tx, by, {
    action,
    organizationId: payout.organizationId,
    object: ['payout', payout.id],
    details: { amount_cents: payout.amountCents },
  });
}

/** Null without an address to write to. */
async function payeeOf(ctx: PayoutDecisionDeps, tx: Writer, payout: LockedPayout) {
  const { email, name, timeZone, hostLabel, path } = await payoutListsSql.findPayee(tx, payout.organizationId);
  const pageOf = (page: string) => siteUrl(ctx.origin, hostLabel, `/${path}/${page}`);
  const links = { link: pageOf('report'), billingLink: pageOf('settings#billing') };
  return {
    name,
    emailFacts: email === null ? null : { ...payout, to: email, organizationName: name, timeZone, ...links },
  };
}

async function confirmWithin(ctx: PayoutDecisionDeps, tx: Writer, payoutId: number, reference: string, by: By) {
  const payout = await locked(tx, payoutId);
  if (payout.status === 'paid' && payout.reference === reference) return;
  if (payout.status === 'paid') throw problem('conflict', words.ALREADY_CONFIRMED);
  if (payout.status === 'failed' || payout.status === 'canceled') throw problem('conflict', words.ALREADY_FAILED);
  const wantsAnother = needsSecondPerson(payout.amountCents, ctx.config.payoutSecondApprovalCents);
  if (wantsAnother && (by === null || by.userId === payout.createdBy))
    throw problem('forbidden', words.SECOND_PERSON_NEEDED);
  const at = ctx.clock.now();
  await payoutsSql.decidePayout(tx, payoutId, { status: 'paid', reference, by: by?.userId ?? null, at });
  await ctx.ledger.post(tx, postings.payoutConfirmed(payout), at);
  await recordAction(ctx, tx, payout, by, 'payout.confirmed');
  const { emailFacts } = await payeeOf(ctx, tx, payout);
  if (emailFacts) await ctx.outbox.queueEmail(tx, payoutPaidEmail({ ...emailFacts, reference }));
}

async function failWithin(ctx: PayoutDecisionDeps, tx: Writer, payoutId: number, reason: string, by: By) {
  const payout = await locked(tx, payoutId);
  // A provider that refuses what a person has canceled reports nothing new.
  if (payout.status === 'failed' && (by === null || payout.failureReason === reason)) return;
  if (payout.status === 'paid') throw problem('conflict', words.ALREADY_CONFIRMED);
  if (payout.status === 'failed' || payout.status === 'canceled') throw problem('conflict', words.ALREADY_FAILED);
  await releaseOrders(ctx, tx, payout, { reason, by, at: ctx.clock.now() }, 'failed');
}

/** Like a failure, after the money had left: it is in our bank account again. */
async function returnWithin(
  ctx: PayoutDecisionDeps,
  tx: Writer,
  payoutId: number,
  reason: string,
  by: NonNullable<By>,
) {
  const payout = await locked(tx, payoutId);
  if (payout.returnedAt !== null && payout.failureReason === reason) return;
  if (payout.returnedAt !== null) throw problem('conflict', words.ALREADY_RETURNED);
  if (payout.status === 'failed' || payout.status === 'canceled') throw problem('conflict', words.ALREADY_FAILED);
  if (payout.status !== 'paid') throw problem('conflict', words.NOT_CONFIRMED);
  const { emailFacts } = await releaseOrders(ctx, tx, payout, { reason, by, at: ctx.clock.now() }, 'returned');
  if (emailFacts)
    await ctx.outbox.queueEmail(tx, payoutReturnedEmail({ ...emailFacts, reference: payout.reference ?? '', reason }));
}

/** Releases the orders of a payout, books it and notifies the admins. */
async function releaseOrders(
  ctx: PayoutDecisionDeps,
  tx: Writer,
  payout: LockedPayout,
  { reason, by, at }: Refused,
  outcome: 'failed' | 'returned',
) {
  // Another payout to this organization sees its orders either still taken or completely released.
  await ctx.ledger.lockPayables(tx, [payout.organizationId]);
  const decided = { failureReason: reason, by: by?.userId ?? null, at };
  await payoutsSql.decidePayout(tx, payout.id, { status: outcome, ...decided });
  const lines = await payoutsSql.releaseLines(tx, payout.id);
  const post = outcome === 'failed' ? postings.payoutFailed : postings.payoutReturned;
  await ctx.ledger.post(tx, post({ ...payout, lines }), at);
  await recordAction(ctx, tx, payout, by, `payout.${outcome}`);
  const payee = await payeeOf(ctx, tx, payout);
  const link = siteUrl(ctx.origin, 'www', '/admin/pay-outs');
  const failed = { ...payout, organizationName: payee.name, reason, link };
  const admins = await payoutListsSql.listAdminAddresses(tx, ADMINS_AT_MOST);
  for (const [recipient, to] of admins.entries())
    await ctx.outbox.queueEmail(tx, payoutFailedEmail({ ...failed, to, recipient }));
  return payee;
}

/**
 * If a provider moves the money, a person may not report a failure before the provider does: otherwise its orders would be paid
 * out again beside a running transfer. A transfer that was never sent is closed there with its key.
 */
async function askProvider(ctx: PayoutDecisionDeps, payoutId: number): Promise<void> {
  const { payoutSender } = ctx;
  if (payoutSender.mode === 'manual') return;
  const payout = await ctx.database.read(OFFICE, (db) => payoutsSql.findPayout(db, payoutId));
  if (payout?.status !== 'created' && payout?.status !== 'submitted') return;
  const found = await payoutSender.find(payout.providerKey);
  switch (found.state) {
    case 'absent':
    case 'refused':
      return;
    case 'unknown':
      throw problem('conflict', words.TRANSFER_UNKNOWN, { cause: found.cause });
    case 'submitted':
      await ctx.database.write(OFFICE, (tx) => payoutsSql.markSubmitted(tx, payout.id, found.ref, ctx.clock.now()));
      throw problem('conflict', words.TRANSFER_ON_ITS_WAY);
    case 'paid':
      await ctx.database.write(OFFICE, (tx) => confirmWithin(ctx, tx, payout.id, found.ref, null));
      throw problem('conflict', words.TRANSFER_WAS_SENT);
  }
}

/** Returns false while the outcome is unknown. */
async function submitOne(ctx: PayoutDecisionDeps, payout: LockedPayout): Promise<boolean> {
  const { payoutSender } = ctx;
  if (payoutSender.mode === 'manual') return true;
  const { id, organizationId, providerKey: key } = payout;
  const amountCents = cents(payout.amountCents);
  const outcome = await payoutSender.send({ key, organizationId, amountCents, text: transferText(id) });
  crashAt('payout.after_send');
  if (outcome.state === 'unknown') return false;
  await ctx.database.write(OFFICE, (tx) => {
    if (outcome.state === 'submitted') return payoutsSql.markSubmitted(tx, id, outcome.ref, ctx.clock.now());
    if (outcome.state === 'paid') return confirmWithin(ctx, tx, id, outcome.ref, null);
    return failWithin(ctx, tx, id, outcome.message.slice(0, REASON_AT_MOST), null);
  });
  return true;
}

/**
 * The money has left, with this reference. The same reference again is the same confirmation.
 * @throws unauthenticated, also "Please confirm your password."; forbidden, also for the creator of a large one; not_found;
 * conflict
 */
export async function confirm(ctx: PayoutDecisionDeps, caller: Caller, payoutId: number, reference: string) {
  const by = byOf(ctx, caller);
  await ctx.database.write(OFFICE, (tx) => confirmWithin(ctx, tx, payoutId, reference, by));
}

/**
 * Payouts that were sent together, each in a transaction of its own, so that one that is refused does not keep the others
 * from being confirmed. Returns why some were refused. @throws unauthenticated, also "Please confirm your password."; forbidden
 */
export async function confirmMany(ctx: PayoutDecisionDeps, caller: Caller, { ids, reference }: words.ConfirmManyBody) {
  const by = byOf(ctx, caller);
  const refused: words.ConfirmManyAnswer['refused'] = [];
  for (const id of ids)
    try {
      await ctx.database.write(OFFICE, (tx) => confirmWithin(ctx, tx, id, reference, by));
    } catch (error) {
      if (!isProblem(error)) throw error;
      refused.push({ id, message: error.message });
    }
  return refused;
}

/**
 * The money did not arrive: its orders are due again.
 * @throws as `confirm`; conflict while a provider has it or does not respond
 */
export async function fail(ctx: PayoutDecisionDeps, caller: Caller, payoutId: number, reason: string): Promise<void> {
  const by = byOf(ctx, caller);
  await askProvider(ctx, payoutId);
  await ctx.database.write(OFFICE, (tx) => failWithin(ctx, tx, payoutId, reason, by));
}

/**
 * The bank returned a confirmed payout: its orders are due again.
 * @throws as `confirm`; conflict for one that is not confirmed
 */
export async function markReturned(ctx: PayoutDecisionDeps, caller: Caller, payoutId: number, reason: string) {
  const by = byOf(ctx, caller);
  await ctx.database.write(OFFICE, (tx) => returnWithin(ctx, tx, payoutId, reason, by));
}

/** Handler of `submitPayoutsJob`. Rejects while the outcome of any is unknown, so that the job is retried with the same keys. */
export async function submit(ctx: PayoutDecisionDeps, batchKey: string): Promise<void> {
  if (ctx.payoutSender.mode === 'manual') return;
  const waiting = await ctx.database.read(OFFICE, (db) => payoutListsSql.listWaiting(db, batchKey));
  const large = ctx.config.payoutSecondApprovalCents;
  const known: boolean[] = [];
  for (const payout of waiting)
    if (!needsSecondPerson(payout.amountCents, large)) known.push(await submitOne(ctx, payout));
  if (known.includes(false)) throw new Error('the outcome of a payout is not known');
}

export const createPayoutDecisions = (deps: PayoutDecisionDeps) =>
  bind(deps, { confirm, confirmMany, fail, markReturned, submit });
