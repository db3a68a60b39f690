/**
 * Guessing one account's password from many addresses is limited by a budget of failures per account. Strangers can use it up,
 * so it never locks out the owner: a browser that has logged in before has its own budget, and so has one that chose a password
 * by an emailed link. The owner is notified once a day. The numbers are in `accounts/login-limits.rules.ts`.
 */
import { type LoginBody, LOGIN_PAUSED } from '#src/features/accounts/accounts.contract.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import { failuresOfAccount, failuresOfKnownBrowser, warningsOf } from '#src/features/accounts/login-limits.rules.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { guessedAtEmail } from '#src/features/sign-in/passwords.mail.tsx';
import { notifyOfGuessesJob } from '#src/features/sign-in/passwords.jobs.ts';
import { mayTake, type RateLimit } from '#src/platform/limits/rate-limits.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { randomToken, signValue, verifyValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem, problem } from '#src/shared/problem.ts';

export type Logins = ReturnType<typeof createLogins>;

type LoginsDeps = Pick<Platform, 'database' | 'limits' | 'jobs' | 'outbox'> & {
  accounts: Pick<AccountService, 'logIn'>;
  keys: Pick<Keys, 'knownDevices'>;
  origin: SiteOrigin;
};

/** What a browser stores after a successful login to this account. */
export function deviceFor(ctx: LoginsDeps, email: string): string {
  const nonce = randomToken(16);
  return `${nonce}.${signValue(ctx.keys.knownDevices, email.toLowerCase(), nonce)}`;
}

function budgetOf(ctx: LoginsDeps, email: string, device: string | null): RateLimit {
  const [nonce = '', signature = ''] = (device ?? '').split('.');
  const isKnown = /^[\w-]{22}$/.test(nonce) && verifyValue(ctx.keys.knownDevices, signature, email, nonce);
  return isKnown ? failuresOfKnownBrowser(nonce) : failuresOfAccount(email);
}

/** The same work for every address, whether it has an account or not, so that the response time reveals nothing. */
async function warn(ctx: LoginsDeps, email: string): Promise<void> {
  if (!(await mayTake(ctx.limits, warningsOf(email)))) return;
  await ctx.database.write(accountsSql.PEOPLE, (tx) => ctx.jobs.enqueue(tx, notifyOfGuessesJob, { email }));
}

async function take(ctx: LoginsDeps, budget: RateLimit, email: string): Promise<void> {
  try {
    await ctx.limits.take(budget);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'too_many') throw error;
    await warn(ctx, email);
    throw problem('too_many', LOGIN_PAUSED, error.details);
  }
}

/**
 * Signs in. Returns the user, the new token, and what the browser stores to be recognized again.
 * @param device what the browser stored after an earlier login
 * @throws unauthenticated; too_many after 100 failures a day of the account from unknown browsers, or as `accounts.logIn`
 */
export async function logIn(ctx: LoginsDeps, caller: Caller, input: LoginBody['user'], device: string | null) {
  const email = input.email.trim().toLowerCase();
  const budget = budgetOf(ctx, email, device);
  await take(ctx, budget, email);
  try {
    const { user, token } = await ctx.accounts.logIn(caller, input);
    await ctx.limits.refund(budget);
    return { user, token, device: deviceFor(ctx, email) };
  } catch (error) {
    // Only a wrong password counts.
    if (!isProblem(error) || error.code !== 'unauthenticated') await ctx.limits.refund(budget);
    throw error;
  }
}

/** Handler of `notifyOfGuessesJob`: emails the account with this address, if there is one. */
export async function notifyOfGuesses(ctx: LoginsDeps, email: string): Promise<void> {
  const user = await ctx.database.read(accountsSql.PEOPLE, (db) => accountsSql.findUserByEmail(db, email));
  if (!user) return;
  const link = siteUrl(ctx.origin, 'www', '/forgot-password');
  const to = { firstName: user.email_proven_at === null ? null : user.first_name, email: user.email };
  const message = guessedAtEmail(to, link, `guessed-at:${randomToken(16)}`);
  await ctx.database.write(accountsSql.PEOPLE, (tx) => ctx.outbox.queueEmail(tx, message));
}

export const createLogins = (deps: LoginsDeps) => bind(deps, { deviceFor, logIn, notifyOfGuesses });
