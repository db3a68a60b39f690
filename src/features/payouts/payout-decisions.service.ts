/**
 * The outcome of a payout: a person confirms it by the reference of the transfer, or tells that it failed, or days later that the bank
 * returned it; a provider of transfers may do the same, and is asked before a person says that it failed. Anyone who is first under its lock has decided it. One that failed gives its orders back, and the books say both.
 */
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import * as listsSql from '#src/features/payouts/payout-lists.sql.ts';
import {
  ALREADY_CONFIRMED,
  ALREADY_FAILED,
  ALREADY_RETURNED,
  NOT_CONFIRMED,
  PAYOUT_NOT_FOUND,
  SECOND_PERSON_NEEDED,
  TRANSFER_ON_ITS_WAY,
  TRANSFER_UNKNOWN,
  TRANSFER_WAS_SENT,
} from '#src/features/payouts/payouts.contract.ts';
import { payoutFailedEmail, payoutPaidEmail, payoutReturnedEmail } from '#src/features/payouts/payouts.mail.tsx';
import { needsSecondPerson, transferText } from '#src/features/payouts/payouts.rules.ts';
import * as payoutsSql from '#src/features/payouts/payouts.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Config } from '#src/platform/config/config.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import type { PayoutSender } from '#src/platform/payouts/payouts.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins decide about payouts of every organization' } as const;
const ADMINS_AT_MOST = 10;
const REASON_AT_MOST = 500;

export type PayoutDecisionDeps = {
  database: Database;
  clock: Clock;
  config: Pick<Config, 'payoutSecondApprovalCents'>;
  ledger: Pick<LedgerService, 'lockPayables' | 'postPayoutConfirmed' | 'postPayoutFailed' | 'postPayoutReturned'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
  outbox: Pick<Outbox, 'queueEmail'>;
  payoutSender: PayoutSender;
  origin: SiteOrigin;
};

/** Null: the platform itself, told by a provider. */
type By = { userId: number; ip: string } | null;

function allow(ctx: PayoutDecisionDeps, caller: Caller): NonNullable<By> {
  requirePlatformAdmin(caller.actor);
  const user = requireUser(caller.actor);
  ctx.accounts.requireRecentPassword(user);
  return { userId: user.userId, ip: caller.ip };
}

async function locked(tx: Writer, payoutId: number): Promise<payoutsSql.LockedPayout> {
  const payout = await payoutsSql.lockPayout(tx, payoutId);
  if (!payout) throw notFound(PAYOUT_NOT_FOUND);
  return payout;
}

async function recordAction(
  ctx: PayoutDecisionDeps,
  tx: Writer,
  payout: payoutsSql.LockedPayout,
  by: By,
  action: string,
): Promise<void> {
  await ctx.audit.record(tx, {
    actorId: by?.userId ?? null,
    organizationId: payout.organizationId,
    action,
    objectType: 'payout',
    objectId: String(payout.id),
    details: { amount_cents: payout.amountCents },
    ip: by?.ip ?? null,
  });
}

async function confirmIn(
  ctx: PayoutDecisionDeps,
  tx: Writer,
  payoutId: number,
  reference: string,
  by: By,
): Promise<void> {
  const payout = await locked(tx, payoutId);
  if (payout.status === 'paid' && payout.reference === reference) return;
  if (payout.status === 'paid') throw problem('conflict', ALREADY_CONFIRMED);
  if (payout.status === 'failed' || payout.status === 'canceled') throw problem('conflict', ALREADY_FAILED);
  const wantsAnother = needsSecondPerson(payout.amountCents, ctx.config.payoutSecondApprovalCents);
  if (wantsAnother && (by === null || by.userId === payout.createdBy)) throw problem('forbidden', SECOND_PERSON_NEEDED);
  const at = ctx.clock.now();
  await payoutsSql.decidePayout(tx, payoutId, { status: 'paid', reference, by: by?.userId ?? null, at });
  await ctx.ledger.postPayoutConfirmed(tx, { ...payout, amountCents: cents(payout.amountCents) }, at);
  await recordAction(ctx, tx, payout, by, 'payout.confirmed');
  const payee = await listsSql.findPayee(tx, payout.organizationId);
  if (payee?.email)
    await ctx.outbox.queueEmail(
      tx,
      payoutPaidEmail({
        ...payout,
        to: payee.email,
        organizationName: payee.name,
        reference,
        timeZone: payee.timeZone,
        link: siteUrl(ctx.origin, payee.hostLabel, `/${payee.path}/report`),
      }),
    );
}

async function failIn(ctx: PayoutDecisionDeps, tx: Writer, payoutId: number, reason: string, by: By): Promise<void> {
  const payout = await locked(tx, payoutId);
  // A provider that refuses what a person has called off says nothing new.
  if (payout.status === 'failed' && (by === null || payout.failureReason === reason)) return;
  if (payout.status === 'paid') throw problem('conflict', ALREADY_CONFIRMED);
  if (payout.status === 'failed' || payout.status === 'canceled') throw problem('conflict', ALREADY_FAILED);
  const at = ctx.clock.now();
  // Anyone who pays out to this organization at this moment sees its orders either still taken or wholly refunded.
  await ctx.ledger.lockPayables(tx, [payout.organizationId]);
  await payoutsSql.decidePayout(tx, payoutId, {
    status: 'failed',
    failureReason: reason,
    by: by?.userId ?? null,
    at,
  });
  const lines = await payoutsSql.releaseLines(tx, payoutId);
  await ctx.ledger.postPayoutFailed(
    tx,
    { ...payout, lines: lines.map((line) => ({ ...line, amountCents: cents(line.amountCents) })) },
    at,
  );
  await recordAction(ctx, tx, payout, by, 'payout.failed');
  const payee = await listsSql.findPayee(tx, payout.organizationId);
  await tellAdmins(ctx, tx, payout, payee?.name ?? '', reason);
}

async function tellAdmins(
  ctx: PayoutDecisionDeps,
  tx: Writer,
  payout: payoutsSql.LockedPayout,
  organizationName: string,
  reason: string,
): Promise<void> {
  const link = siteUrl(ctx.origin, 'www', '/admin/pay-outs');
  const admins = await listsSql.listAdminAddresses(tx, ADMINS_AT_MOST);
  for (const [recipient, to] of admins.entries())
    await ctx.outbox.queueEmail(tx, payoutFailedEmail({ ...payout, to, recipient, organizationName, reason, link }));
}

/** As a failure, after the money had left: it is in our bank again. */
async function returnIn(
  ctx: PayoutDecisionDeps,
  tx: Writer,
  payoutId: number,
  reason: string,
  by: NonNullable<By>,
): Promise<void> {
  const payout = await locked(tx, payoutId);
  if (payout.returnedAt !== null && payout.failureReason === reason) return;
  if (payout.returnedAt !== null) throw problem('conflict', ALREADY_RETURNED);
  if (payout.status === 'failed' || payout.status === 'canceled') throw problem('conflict', ALREADY_FAILED);
  if (payout.status !== 'paid') throw problem('conflict', NOT_CONFIRMED);
  const at = ctx.clock.now();
  await ctx.ledger.lockPayables(tx, [payout.organizationId]);
  await payoutsSql.markReturned(tx, payoutId, { reason, by: by.userId, at });
  const lines = await payoutsSql.releaseLines(tx, payoutId);
  await ctx.ledger.postPayoutReturned(
    tx,
    { ...payout, lines: lines.map((line) => ({ ...line, amountCents: cents(line.amountCents) })) },
    at,
  );
  await recordAction(ctx, tx, payout, by, 'payout.returned');
  const payee = await listsSql.findPayee(tx, payout.organizationId);
  await tellAdmins(ctx, tx, payout, payee?.name ?? '', reason);
  if (!payee?.email) return;
  const link = siteUrl(ctx.origin, payee.hostLabel, `/${payee.path}/report`);
  const told = {
    ...payout,
    to: payee.email,
    organizationName: payee.name,
    reference: payout.reference ?? '',
    reason,
  };
  await ctx.outbox.queueEmail(tx, payoutReturnedEmail({ ...told, link }));
}

/**
 * Where a provider moves the money, a person may not say that it did not arrive before the provider has: otherwise its orders
 * would be paid out again beside a transfer that is still moving. What was never sent is closed there under its key.
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
      throw problem('conflict', TRANSFER_UNKNOWN, { cause: found.cause });
    case 'submitted':
      await ctx.database.write(OFFICE, (tx) => payoutsSql.markSubmitted(tx, payout.id, found.ref, ctx.clock.now()));
      throw problem('conflict', TRANSFER_ON_ITS_WAY);
    case 'paid':
      await ctx.database.write(OFFICE, (tx) => confirmIn(ctx, tx, payout.id, found.ref, null));
      throw problem('conflict', TRANSFER_WAS_SENT);
  }
}

/** Returns false when no one knows yet its outcome. */
async function submitOne(ctx: PayoutDecisionDeps, payout: payoutsSql.LockedPayout): Promise<boolean> {
  const { payoutSender } = ctx;
  if (payoutSender.mode === 'manual') return true;
  const outcome = await payoutSender.send({
    key: payout.providerKey,
    organizationId: payout.organizationId,
    amountCents: cents(payout.amountCents),
    text: transferText(payout.id),
  });
  crashAt('payout.after_send');
  switch (outcome.state) {
    case 'unknown':
      return false;
    case 'submitted':
      await ctx.database.write(OFFICE, (tx) => payoutsSql.markSubmitted(tx, payout.id, outcome.ref, ctx.clock.now()));
      return true;
    case 'paid':
      await ctx.database.write(OFFICE, (tx) => confirmIn(ctx, tx, payout.id, outcome.ref, null));
      return true;
    case 'refused':
      await ctx.database.write(OFFICE, (tx) =>
        failIn(ctx, tx, payout.id, outcome.message.slice(0, REASON_AT_MOST), null),
      );
      return true;
  }
}

/**
 * The money has left: by its reference. The same reference again is the same confirmation.
 * @throws unauthenticated, also "Please confirm your password."; forbidden, also for who made a large one; not_found; conflict
 */
export async function confirm(
  ctx: PayoutDecisionDeps,
  caller: Caller,
  payoutId: number,
  reference: string,
): Promise<void> {
  const by = allow(ctx, caller);
  await ctx.database.write(OFFICE, (tx) => confirmIn(ctx, tx, payoutId, reference, by));
}

/** The money did not arrive: its orders are due again. @throws as `confirm`; conflict while a provider has it or does not answer */
export async function fail(ctx: PayoutDecisionDeps, caller: Caller, payoutId: number, reason: string): Promise<void> {
  const by = allow(ctx, caller);
  await askProvider(ctx, payoutId);
  await ctx.database.write(OFFICE, (tx) => failIn(ctx, tx, payoutId, reason, by));
}

/** The bank sent a confirmed payout back: its orders are due again. @throws as `confirm`; conflict for one that is not confirmed */
export async function giveBack(
  ctx: PayoutDecisionDeps,
  caller: Caller,
  payoutId: number,
  reason: string,
): Promise<void> {
  const by = allow(ctx, caller);
  await ctx.database.write(OFFICE, (tx) => returnIn(ctx, tx, payoutId, reason, by));
}

/** Handler of `submitPayoutsJob`. Rejects while the outcome of any is unknown, so that it is asked again under the same key. */
export async function submit(ctx: PayoutDecisionDeps, batchKey: string): Promise<void> {
  if (ctx.payoutSender.mode === 'manual') return;
  const waiting = await ctx.database.read(OFFICE, (db) => listsSql.listWaiting(db, batchKey));
  const large = ctx.config.payoutSecondApprovalCents;
  const known: boolean[] = [];
  for (const payout of waiting)
    if (!needsSecondPerson(payout.amountCents, large)) known.push(await submitOne(ctx, payout));
  if (known.includes(false)) throw new Error('the outcome of a payout is not known');
}

export const createPayoutDecisions = (deps: PayoutDecisionDeps) => bind(deps, { confirm, fail, giveBack, submit });
