/**
 * People ask that their own account be deleted, and may withdraw that until a platform admin has erased them (the erasures
 * module). Nothing is deleted by the request, so a stolen session deletes nothing (decision record 0180).
 */
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { CONFIRM_ADDRESS_FIRST, WAIT_DAYS } from '#src/features/sign-in/deletion-requests.contract.ts';
import * as emails from '#src/features/sign-in/deletion-requests.mail.tsx';
import * as requestsSql from '#src/features/sign-in/deletion-requests.sql.ts';
import { LOG_IN_FIRST, requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { LAST_EMAIL } from '#src/platform/mail/mail.ts';
import { mayTake, type RateLimit } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';
import { problem } from '#src/shared/problem.ts';

const REQUESTS_AN_HOUR = 5;
const LISTED = 200;
const ADMINS_AT_MOST = 10;
const EMAILS_TO_ADMINS_A_DAY = 50;

/**
 * A person who asks and withdraws again and again causes one email a day to each admin. Beyond these limits only the list
 * shows a request.
 */
const limitsOfAdmins = (userId: number): RateLimit[] => [
  { bucket: `deletion:admins:of:${userId}`, limit: 1, windowSeconds: DAY_SECONDS },
  { bucket: 'deletion:admins', limit: EMAILS_TO_ADMINS_A_DAY, windowSeconds: DAY_SECONDS },
];

type DeletionRequestDeps = Pick<Platform, 'database' | 'limits' | 'outbox'> & {
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};
export type DeletionRequests = ReturnType<typeof createDeletionRequests>;

/**
 * Asks for the deletion of the own account, and emails its address and the platform admins; once while a request is open.
 * @throws unauthenticated, also without a recent password; forbidden before the address is proven: others' orders may have it;
 * too_many
 */
export async function ask(ctx: DeletionRequestDeps, caller: Caller): Promise<void> {
  const actor = requireUser(caller.actor);
  ctx.accounts.requireRecentPassword(actor);
  const { userId } = actor;
  await ctx.limits.take({ bucket: `deletion:of:${userId}`, limit: REQUESTS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  const isNew = await ctx.database.write(accountsSql.PEOPLE, async (tx) => {
    const user = await accountsSql.findUserById(tx, userId);
    if (!user) throw problem('unauthenticated', LOG_IN_FIRST);
    if (user.email_proven_at === null) throw problem('forbidden', CONFIRM_ADDRESS_FIRST);
    if (!(await requestsSql.insertRequest(tx, userId))) return false;
    await record(ctx, tx, caller, userId, 'account.deletion_requested');
    const link = siteUrl(ctx.origin, 'www', '/users/me');
    await ctx.outbox.queueEmail(tx, emails.deletionRequestedEmail(user.email, link, `deletion:${randomToken(16)}`));
    return true;
  });
  // Last, so that people who may not ask, or asked before, use up none of the emails that all requests share.
  if (isNew && (await mayTake(ctx.limits, ...limitsOfAdmins(userId))))
    await ctx.database.write(accountsSql.PEOPLE, (tx) => tellAdmins(ctx, tx));
}

/** They do not learn who asked: the email would keep the name of someone who is erased. */
async function tellAdmins(ctx: DeletionRequestDeps, tx: Writer): Promise<void> {
  const link = siteUrl(ctx.origin, 'www', '/admin/erasures');
  for (const to of await requestsSql.listAdminAddresses(tx, ADMINS_AT_MOST))
    await ctx.outbox.queueEmail(tx, emails.deletionToDoEmail(to, link, `deletion:${randomToken(16)}`));
}

/** Withdraws the own request, if there is one, and emails that. @throws unauthenticated */
export async function withdraw(ctx: DeletionRequestDeps, caller: Caller): Promise<void> {
  const { userId } = requireUser(caller.actor);
  await ctx.database.write(accountsSql.PEOPLE, async (tx) => {
    if (!(await requestsSql.deleteRequest(tx, userId))) return;
    await record(ctx, tx, caller, userId, 'account.deletion_withdrawn');
    const user = await accountsSql.findUserById(tx, userId);
    const link = siteUrl(ctx.origin, 'www', '/users/me');
    if (user)
      await ctx.outbox.queueEmail(tx, emails.deletionWithdrawnEmail(user.email, link, `deletion:${randomToken(16)}`));
  });
}

async function record(ctx: DeletionRequestDeps, tx: Writer, caller: Caller, userId: number, action: string) {
  await ctx.audit.record(tx, caller, { action, organizationId: null, object: ['user', userId], details: {} });
}

/** When the caller asked for it; null without an open request. @throws unauthenticated */
export async function askedAt(ctx: DeletionRequestDeps, caller: Caller): Promise<Date | null> {
  const { userId } = requireUser(caller.actor);
  return ctx.database.read(accountsSql.PEOPLE, (db) => requestsSql.findRequestedAt(db, userId));
}

/** Open requests of everyone, for platform admins. @throws unauthenticated; forbidden */
export async function listOpen(ctx: DeletionRequestDeps, caller: Caller): Promise<requestsSql.OpenRequest[]> {
  requirePlatformAdmin(caller.actor);
  const wanted = { waitDays: WAIT_DAYS, limit: LISTED };
  return ctx.database.read(accountsSql.PEOPLE, (db) => requestsSql.listRequests(db, wanted));
}

/** Whether someone has asked for it and has waited long enough; until the transaction ends they can no longer withdraw it. */
export async function lockDueWithin(tx: Writer, userId: number): Promise<boolean> {
  return requestsSql.lockDueRequest(tx, userId, WAIT_DAYS);
}

/** Part of an erasure that was asked for, after it: otherwise it would erase this email, too. */
export async function tellDoneWithin(ctx: DeletionRequestDeps, tx: Writer, email: string): Promise<void> {
  await ctx.outbox.queueEmail(tx, emails.accountDeletedEmail(email, `${LAST_EMAIL}${randomToken(16)}`));
}

export const createDeletionRequests = (deps: DeletionRequestDeps) => ({
  ...bind(deps, { ask, withdraw, askedAt, listOpen, tellDoneWithin }),
  lockDueWithin,
});
