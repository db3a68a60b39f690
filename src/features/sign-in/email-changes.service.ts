/**
 * People change the email address of their login: after their password, by a link that is sent to the new address and works
 * only in their own session. The old address is notified. Nothing is stored meanwhile: the link is signed for the old and the
 * new address and the password, so it works once, and no longer after the password has changed.
 */
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/sign-in/email-changes.contract.ts';
import { changeEmailEmail, emailChangedEmail } from '#src/features/sign-in/email-changes.mail.tsx';
import { LOG_IN_FIRST, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { RateLimit } from '#src/platform/limits/rate-limits.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { randomToken, signValue, verifyValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';
import { brokenConstraint, fieldProblem, problem } from '#src/shared/problem.ts';

/** No one gets flooded with emails by others, and not too much is sent through us (threat 31). */
const EMAILS_AN_HOUR_TO_ONE_ADDRESS = 5;
const EMAILS_AN_HOUR_OF_ONE_PERSON = 10;
const EMAILS_AN_HOUR_FROM_ONE_SENDER = 60;
const EMAILS_A_DAY = 5_000;
const TRIES_AN_HOUR = 30;

export type EmailChanges = ReturnType<typeof createEmailChanges>;

type EmailChangesDeps = Pick<Platform, 'database' | 'limits' | 'outbox' | 'clock'> & {
  keys: Pick<Keys, 'emailProofs'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
  /** Disconnects the user's open pages of any gallery when the transaction commits. */
  closePagesOf: (tx: Writer, userId: number) => Promise<void>;
};

/**
 * What a link is signed for; more parts than in the link that proves an address, so that neither works as the other. The
 * password is one of them: someone who changes it because another person knew it also ends the links of that person.
 */
const partsOf = (user: accountsSql.UserRow, email: string, expires: number) =>
  ['change', user.id, user.email.toLowerCase(), user.password_hash ?? '', email, expires] as const;

/** The limits of emails with the link. */
function limitsOf(caller: Caller, user: accountsSql.UserRow, email: string): RateLimit[] {
  return [
    { bucket: `change:of:${user.id}`, limit: EMAILS_AN_HOUR_OF_ONE_PERSON, windowSeconds: HOUR_SECONDS },
    { bucket: `change:ip:${caller.ip}`, limit: EMAILS_AN_HOUR_FROM_ONE_SENDER, windowSeconds: HOUR_SECONDS },
    { bucket: `change:to:${email}`, limit: EMAILS_AN_HOUR_TO_ONE_ADDRESS, windowSeconds: HOUR_SECONDS },
    { bucket: 'change:all', limit: EMAILS_A_DAY, windowSeconds: DAY_SECONDS },
  ];
}

async function ownAccount(ctx: EmailChangesDeps, userId: number): Promise<accountsSql.UserRow> {
  const user = await ctx.database.read(accountsSql.PEOPLE, (db) => accountsSql.findUserById(db, userId));
  if (!user) throw problem('unauthenticated', LOG_IN_FIRST);
  return user;
}

/**
 * Sends the link to the new address, unless it has an account: the answer is the same.
 * @throws unauthenticated, also without a recent password; invalid for the own address, or before that is confirmed; too_many
 */
export async function ask(ctx: EmailChangesDeps, caller: Caller, email: string): Promise<void> {
  const actor = requireUser(caller.actor);
  ctx.accounts.requireRecentPassword(actor);
  const user = await ownAccount(ctx, actor.userId);
  // Access that waits for the proof of the old address must not go to a new one.
  if (user.email_proven_at === null) throw fieldProblem({ email: [words.CONFIRM_OLD_FIRST] });
  if (user.email.toLowerCase() === email) throw fieldProblem({ email: [words.SAME_EMAIL] });
  for (const limit of limitsOf(caller, user, email)) await ctx.limits.take(limit);
  const expires = Math.floor(ctx.clock.now().getTime() / 1_000) + words.CHANGE_HOURS * HOUR_SECONDS;
  const signature = signValue(ctx.keys.emailProofs, ...partsOf(user, email, expires));
  const token = `${expires}.${Buffer.from(email).toString('base64url')}.${signature}`;
  const link = siteUrl(ctx.origin, 'www', `/change-email?token=${token}`);
  await ctx.database.write(accountsSql.PEOPLE, async (tx) => {
    if (await accountsSql.findUserByEmail(tx, email)) return;
    await ctx.outbox.queueEmail(tx, changeEmailEmail(email, link, `change-email:${randomToken(16)}`));
  });
}

/** Only to someone whose address it is by now. Someone who made up the link learns nothing: the address is their own. */
function invalidLink(token: string, user: accountsSql.UserRow) {
  const [, written = ''] = token.split('.');
  const isUsed = Buffer.from(written, 'base64url').toString() === user.email.toLowerCase();
  return fieldProblem({ token: [isUsed ? words.changeLinkUsed(user.email) : words.CHANGE_LINK_INVALID] });
}

/** The new address that a link is for; null for one that is not of this account, or has expired. */
function readToken(ctx: EmailChangesDeps, token: string, user: accountsSql.UserRow): string | null {
  const [expires = '', written = '', signature = ''] = token.split('.');
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 < ctx.clock.now().getTime()) return null;
  const email = Buffer.from(written, 'base64url').toString();
  return verifyValue(ctx.keys.emailProofs, signature, ...partsOf(user, email, Number(expires))) ? email : null;
}

/**
 * The signed-in user presents the link's token: the address changes, and is confirmed. Other sessions end, as do open
 * reset links, which the old address got. Returns the new address.
 * @throws unauthenticated; invalid for a token of another account, or an expired or used one, each with its own message; conflict
 * when the address is taken by now; too_many
 */
export async function confirm(ctx: EmailChangesDeps, caller: Caller, token: string): Promise<string> {
  const actor = requireUser(caller.actor);
  const user = await ownAccount(ctx, actor.userId);
  await ctx.limits.take({ bucket: `change:tries:${user.id}`, limit: TRIES_AN_HOUR, windowSeconds: HOUR_SECONDS });
  const email = readToken(ctx, token, user);
  if (email === null) throw invalidLink(token, user);
  try {
    await ctx.database.write(accountsSql.PEOPLE, async (tx) => {
      const isChanged = await accountsSql.changeEmail(tx, { user, email, keptSession: actor.sessionHash });
      // The address has changed since it was read, perhaps by this link, which a browser has sent twice.
      if (!isChanged) throw invalidLink(token, (await accountsSql.findUserById(tx, user.id)) ?? user);
      await ctx.closePagesOf(tx, user.id);
      await ctx.audit.record(tx, caller, {
        action: 'account.email_changed',
        organizationId: null,
        object: ['user', user.id],
        details: { from: user.email, to: email },
      });
      await ctx.outbox.queueEmail(tx, noticeFor(ctx, user));
    });
  } catch (error) {
    throw brokenConstraint(error) === 'users_email' ? problem('conflict', words.EMAIL_TAKEN, { cause: error }) : error;
  }
  return email;
}

/** To the old address, without the new one: its mailbox may be someone else's by now. */
const noticeFor = (ctx: EmailChangesDeps, user: accountsSql.UserRow) =>
  emailChangedEmail(
    { firstName: user.first_name, email: user.email },
    siteUrl(ctx.origin, 'www', '/contact'),
    `email-changed:${randomToken(16)}`,
  );

export const createEmailChanges = (deps: EmailChangesDeps) => bind(deps, { ask, confirm });
