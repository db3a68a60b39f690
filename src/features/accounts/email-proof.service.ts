/**
 * Anyone can sign up with anyone's address, so an account has fewer rights until its owner has followed an emailed link: emails
 * to others wait, and access given by others starts only with a password chosen by an emailed link. The link of the welcome
 * email needs the account's own session, so that neither a mail filter that opens links nor the address's true owner confirms
 * it for a stranger.
 */
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { PROOF_DAYS, PROOF_LINK_INVALID } from '#src/features/accounts/email-proof.contract.ts';
import { welcomeEmail } from '#src/features/accounts/email-proof.mail.tsx';
import type { Writer } from '#src/platform/db/db.ts';
import { mayTake, type RateLimit } from '#src/platform/limits/rate-limits.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { randomToken, signValue, verifyValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { problem, fieldProblem } from '#src/shared/problem.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

/** No one gets flooded with emails when others sign up with their address (threat 31). */
const EMAILS_AN_HOUR_TO_ONE_ADDRESS = 5;
const EMAILS_AN_HOUR_FROM_ONE_SENDER = 60;
const EMAILS_A_DAY = 5_000;
const TRIES_AN_HOUR = 30;

export type EmailProofs = ReturnType<typeof createEmailProofs>;

/** Starts what waits for the confirmation, in the caller's transaction. Returns whether the address was not confirmed before. */
export async function proveWithin(tx: Writer, outbox: Pick<Outbox, 'release'>, userId: number): Promise<boolean> {
  const isNew = await accountsSql.markProven(tx, userId);
  if (isNew) await outbox.release(tx, userId);
  return isNew;
}

type EmailProofsDeps = Pick<Platform, 'database' | 'limits' | 'outbox' | 'clock'> & {
  keys: Pick<Keys, 'emailProofs'>;
  origin: SiteOrigin;
};

/** The limits of emails with the link. */
function limitsOf(caller: Caller, email: string): RateLimit[] {
  return [
    { bucket: `proof:to:${email}`, limit: EMAILS_AN_HOUR_TO_ONE_ADDRESS, windowSeconds: HOUR_SECONDS },
    { bucket: `proof:ip:${caller.ip}`, limit: EMAILS_AN_HOUR_FROM_ONE_SENDER, windowSeconds: HOUR_SECONDS },
    { bucket: 'proof:all', limit: EMAILS_A_DAY, windowSeconds: DAY_SECONDS },
  ];
}

function tokenFor(ctx: EmailProofsDeps, user: { id: number; email: string }): string {
  const expires = Math.floor(ctx.clock.now().getTime() / 1_000) + PROOF_DAYS * DAY_SECONDS;
  return `${expires}.${signValue(ctx.keys.emailProofs, user.id, user.email.toLowerCase(), expires)}`;
}

/** Whether the token is this user's, for the current address, and has not expired. */
function isTokenOf(ctx: EmailProofsDeps, token: string, user: { id: number; email: string }): boolean {
  const [expires = '', signature = ''] = token.split('.');
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 < ctx.clock.now().getTime()) return false;
  return verifyValue(ctx.keys.emailProofs, signature, user.id, user.email.toLowerCase(), Number(expires));
}

/** Queues the welcome email with its link, in the transaction of the sign-up. */
export async function welcomeWithin(ctx: EmailProofsDeps, tx: Writer, user: { id: number; email: string }) {
  const link = siteUrl(ctx.origin, 'www', `/confirm-email?token=${tokenFor(ctx, user)}`);
  const forgot = siteUrl(ctx.origin, 'www', '/forgot-password');
  await ctx.outbox.queueEmail(tx, welcomeEmail(user.email, link, forgot, `welcome:${randomToken(16)}`));
}

/** The signed-in user's account. @throws unauthenticated */
async function ownAccount(ctx: EmailProofsDeps, caller: Caller): Promise<accountsSql.UserRow> {
  const { userId } = requireUser(caller.actor);
  const user = await ctx.database.read(accountsSql.PEOPLE, (db) => accountsSql.findUserById(db, userId));
  if (!user) throw problem('unauthenticated', PROOF_LINK_INVALID);
  return user;
}

/** Whether one more email may go to this address: checked before the transaction in which it is queued. */
export async function mayWelcome(ctx: EmailProofsDeps, caller: Caller, email: string): Promise<boolean> {
  return mayTake(ctx.limits, ...limitsOf(caller, email.toLowerCase()));
}

/** Sends the link again, unless the address is already confirmed. Returns the address. @throws unauthenticated; too_many */
export async function sendAgain(ctx: EmailProofsDeps, caller: Caller): Promise<string> {
  const user = await ownAccount(ctx, caller);
  if (user.email_proven_at === null) {
    for (const limit of limitsOf(caller, user.email.toLowerCase())) await ctx.limits.take(limit);
    await ctx.database.write(accountsSql.PEOPLE, (tx) => welcomeWithin(ctx, tx, user));
  }
  return user.email;
}

/**
 * The signed-in user presents the link's token; waiting emails are sent. Idempotent.
 * @throws unauthenticated; invalid for a token of another account, or an expired one; too_many
 */
export async function confirm(ctx: EmailProofsDeps, caller: Caller, token: string): Promise<void> {
  const user = await ownAccount(ctx, caller);
  await ctx.limits.take({ bucket: `proof:tries:${user.id}`, limit: TRIES_AN_HOUR, windowSeconds: HOUR_SECONDS });
  if (!isTokenOf(ctx, token, user)) throw fieldProblem({ token: [PROOF_LINK_INVALID] });
  await ctx.database.write(accountsSql.PEOPLE, (tx) => proveWithin(tx, ctx.outbox, user.id));
}

export const createEmailProofs = (deps: EmailProofsDeps) =>
  bind(deps, { welcomeWithin, mayWelcome, sendAgain, confirm });
