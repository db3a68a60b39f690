/**
 * Someone forgot the password: an emailed link lets them choose another one, once and within an hour. The request reveals to no
 * one whether an address has an account.
 */
import { landingHostLabel, landingPath } from '#src/features/accounts/accounts.rules.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { proveWithin } from '#src/features/accounts/email-proof.service.ts';
import * as passwordResetsSql from '#src/features/sign-in/password-resets.sql.ts';
import {
  CHOOSE_ANOTHER_PASSWORD,
  RESET_MINUTES,
  RESET_TOKEN_INVALID,
} from '#src/features/sign-in/passwords.contract.ts';
import { sendResetJob } from '#src/features/sign-in/passwords.jobs.ts';
import { passwordChangedEmail, resetEmail } from '#src/features/sign-in/passwords.mail.tsx';
import type { Writer } from '#src/platform/db/db.ts';
import { mayTake, type RateLimit } from '#src/platform/limits/rate-limits.ts';
import { memberOf, prepare, store } from '#src/features/sign-in/password-changes.service.ts';
import type { Platform } from '#src/platform/platform.ts';
import { hashPassword, hashToken, randomToken, verifyPassword } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { fieldProblem } from '#src/shared/problem.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

const PASSWORDS = { kind: 'system', why: 'passwords belong to people, not to tenants' } as const;
/** Limits against flooding a mailbox, and against sending too much through us (threat 31). */
const EMAILS_AN_HOUR_TO_ONE_ADDRESS = 10;
const EMAILS_AN_HOUR_FROM_ONE_SENDER = 60;
const EMAILS_A_DAY = 5_000;
const TRIES_A_MINUTE = 30;

export type PasswordService = ReturnType<typeof createPasswordService>;

type PasswordDeps = Pick<Platform, 'database' | 'limits' | 'jobs' | 'outbox'> & {
  accounts: AccountService;
  origin: SiteOrigin;
  /** Disconnects the user's open pages of any gallery when the transaction commits. */
  closePagesOf: (tx: Writer, userId: number) => Promise<void>;
};

/** Takes from every limit, even if one is used up: stopping early could be measured. */
async function isWithin(ctx: PasswordDeps, shares: readonly RateLimit[]): Promise<boolean> {
  const taken = await Promise.all(shares.map((share) => mayTake(ctx.limits, share)));
  return taken.every(Boolean);
}

/**
 * Queues the email, or a job that sends none beyond the limits. The response and its time are the same for every address,
 * however often it is requested.
 */
export async function askForReset(ctx: PasswordDeps, caller: Caller, email: string): Promise<void> {
  const sends = await isWithin(ctx, [
    { bucket: `reset:ip:${caller.ip}`, limit: EMAILS_AN_HOUR_FROM_ONE_SENDER, windowSeconds: HOUR_SECONDS },
    { bucket: `reset:to:${email}`, limit: EMAILS_AN_HOUR_TO_ONE_ADDRESS, windowSeconds: HOUR_SECONDS },
  ]);
  await ctx.database.write(PASSWORDS, (tx) => ctx.jobs.enqueue(tx, sendResetJob, { email, sends }));
}

/** Handler of `sendResetJob`: creates the link and queues the email, if the address has an account. */
export async function sendReset(ctx: PasswordDeps, email: string): Promise<void> {
  const found = await ctx.database.read(PASSWORDS, (db) => accountsSql.findUserByEmail(db, email));
  // Counted when an email is really sent: otherwise requests for unknown addresses would use up the limit.
  if (!found || !(await isWithin(ctx, [{ bucket: 'reset:all', limit: EMAILS_A_DAY, windowSeconds: DAY_SECONDS }])))
    return;
  const user = await ctx.accounts.describe(found.id);
  const token = randomToken(32);
  const tokenHash = hashToken(token);
  const query = new URLSearchParams({ reset_password_token: token, redirect: landingPath(user) });
  const link = siteUrl(ctx.origin, landingHostLabel(user) ?? 'www', `/update-password?${query}`);
  const message = resetEmail(
    // The name of an unconfirmed account may be the text of someone else.
    { firstName: found.email_proven_at === null ? null : found.first_name, email: found.email },
    link,
    `password-reset:${tokenHash.toString('hex')}`,
  );
  await ctx.database.write(PASSWORDS, async (tx) => {
    const { id: userId, email: to } = found;
    const isStored = await passwordResetsSql.putReset(tx, { tokenHash, userId, email: to, minutes: RESET_MINUTES });
    // Not if the account has left this address meanwhile: its mailbox may be someone else's.
    if (isStored) await ctx.outbox.queueEmail(tx, message);
  });
}

/**
 * The signed-in user chooses their own password; other sessions end, this one continues.
 * @throws unauthenticated without a session, or "Please confirm your password." when the login was too long ago; invalid for
 * the given password; too_many
 */
export async function chooseOwn(ctx: PasswordDeps, caller: Caller, password: string): Promise<void> {
  const actor = requireUser(caller.actor);
  ctx.accounts.requireRecentPassword(actor);
  await ctx.limits.take({ bucket: `password:${caller.ip}`, limit: TRIES_A_MINUTE, windowSeconds: 60 });
  const user = await ctx.database.read(PASSWORDS, (db) => accountsSql.findUserById(db, actor.userId));
  if (!user || (await verifyPassword(user.password_hash, password)))
    throw fieldProblem({ password: [CHOOSE_ANOTHER_PASSWORD] });
  const change = await prepare(memberOf(user), password);
  await ctx.database.write(PASSWORDS, (tx) => store(ctx, tx, actor, change));
}

/**
 * Sets the password with a link's token. All sessions and links of the user end; the address is confirmed, and access that
 * waited for that starts (rule 53). Returns the address of the account.
 * @throws invalid "Reset password token is invalid or has expired." for every invalid token; too_many
 */
export async function choosePassword(
  ctx: PasswordDeps,
  caller: Caller,
  choice: { password: string; reset_password_token: string },
): Promise<string> {
  await ctx.limits.take({ bucket: `password:${caller.ip}`, limit: TRIES_A_MINUTE, windowSeconds: 60 });
  const tokenHash = hashToken(choice.reset_password_token);
  // Checked first, so that guesses cost no password hashing.
  if (!(await ctx.database.read(PASSWORDS, (db) => passwordResetsSql.isOpen(db, tokenHash)))) throw tokenInvalid();
  const passwordHash = await hashPassword(choice.password);
  return ctx.database.write(PASSWORDS, async (tx) => {
    const userId = await passwordResetsSql.takeReset(tx, tokenHash);
    const user = userId === null ? undefined : await accountsSql.findUserById(tx, userId);
    if (!user) throw tokenInvalid();
    await accountsSql.setPassword(tx, { userId: user.id, passwordHash });
    // Until now someone else may have written in this account's name.
    if (user.password_hash !== null) await ctx.outbox.dropHeld(tx, user.id);
    const wasStrange = await proveWithin(tx, ctx.outbox, user.id);
    await accountsSql.acceptInvitations(tx, user.id);
    await ctx.closePagesOf(tx, user.id);
    const message = passwordChangedEmail(
      { firstName: wasStrange ? null : user.first_name, email: user.email },
      siteUrl(ctx.origin, 'www', '/forgot-password'),
      `password-changed:${tokenHash.toString('hex')}`,
    );
    await ctx.outbox.queueEmail(tx, message);
    return user.email;
  });
}

export const createPasswordService = (deps: PasswordDeps) =>
  bind(deps, { askForReset, sendReset, chooseOwn, choosePassword });

function tokenInvalid() {
  return fieldProblem({ reset_password_token: [RESET_TOKEN_INVALID] });
}
