/**
 * People sign in with an email address and a password and get a session: an opaque token that is stored only as a hash. Anyone
 * with the token is that person until they log out, the session ends or their password changes. Unknown people and wrong
 * passwords get the same answer.
 */
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import {
  CONFIRM_PASSWORD_FIRST,
  WRONG_EMAIL_OR_PASSWORD,
  WRONG_PASSWORD,
  type LoginBody,
} from '#src/features/accounts/accounts.contract.ts';
import { STEP_UP_MINUTES } from '#src/features/accounts/accounts.rules.ts';
import * as loginLimits from '#src/features/accounts/login-limits.rules.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import {
  LOG_IN_FIRST,
  requireUser,
  type Actor,
  type Caller,
  type SignedIn,
} from '#src/features/tenancy/actor.rules.ts';
import { SESSION_DAYS } from '#src/features/tenancy/sessions.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { hashPassword, hashToken, randomToken, verifyPassword } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

/** A token is 43 characters of base64url; other texts are refused without a query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const SESSIONS = { kind: 'system', why: 'sessions belong to people, not to tenants' } as const;

/** How many people of an organization get an email about it. */
export const RECIPIENTS_AT_MOST = 10;
/** To whom other modules write about an organization. */
export const recipientsOf = (db: Reader, organizationId: number) =>
  accountsSql.listRecipients(db, organizationId, RECIPIENTS_AT_MOST);

export type AccountService = ReturnType<typeof createAccountService>;

type AccountDeps = Pick<Platform, 'database' | 'limits' | 'clock'> & {
  /** Absent in load tests. */
  audit?: AuditRecorder;
  /** Disconnects the user's open pages of any gallery when the transaction commits; absent if no pages are served. */
  closePagesOf?: (tx: Writer, userId: number) => Promise<void>;
};

/** Logs what an operator does on the machine, without a session. */
function recordByHand(ctx: AccountDeps, tx: Writer, action: string, userId: number) {
  return ctx.audit?.record(tx, null, { action, organizationId: null, object: ['user', userId] });
}

async function userById(ctx: AccountDeps, userId: number): Promise<UserAnswer | null> {
  return ctx.database.read(SESSIONS, async (db) => {
    const user = await accountsSql.findUserById(db, userId);
    return user ? presentUser(user, await accountsSql.listOrganizationsOfUser(db, userId)) : null;
  });
}

/**
 * Signs in. Returns the user and the new token.
 * @throws unauthenticated "Invalid email or password." for both, in the same time (rule 12); too_many by
 * `login-limits.rules.ts`: 60 logins a minute of one sender, 10 failures a minute of one sender at one account.
 */
export async function logIn(ctx: AccountDeps, caller: Caller, input: LoginBody['user']) {
  const email = input.email.trim().toLowerCase();
  await ctx.limits.take(loginLimits.loginsOf(caller.ip));
  const failures = loginLimits.failuresOf(caller.ip, email);
  await ctx.limits.take(failures);
  const found = await ctx.database.read(SESSIONS, (db) => accountsSql.findUserByEmail(db, email));
  const isRight = await verifyPassword(found?.password_hash ?? null, input.password);
  if (!found || !isRight) throw problem('unauthenticated', WRONG_EMAIL_OR_PASSWORD);
  await ctx.limits.clear(failures.bucket);
  const token = randomToken(32);
  await ctx.database.write(SESSIONS, async (tx) => {
    // A password that was changed during the comparison is refused: the change ended all sessions.
    if (!(await accountsSql.lockWithPassword(tx, found.id, found.password_hash ?? '')))
      throw problem('unauthenticated', WRONG_EMAIL_OR_PASSWORD);
    await accountsSql.insertSession(tx, { tokenHash: hashToken(token), userId: found.id, days: SESSION_DAYS });
  });
  const user = await userById(ctx, found.id);
  if (!user) throw problem('unauthenticated', WRONG_EMAIL_OR_PASSWORD);
  return { user, token };
}

/** The actor of this token; a visitor if it is not valid. One query, and none for text that cannot be a token. */
export async function actorOf(ctx: AccountDeps, token: string | null): Promise<Actor> {
  if (token === null || !TOKEN.test(token)) return { kind: 'visitor' };
  const sessionHash = hashToken(token);
  const session = await ctx.database.read(SESSIONS, (db) => accountsSql.findSession(db, sessionHash));
  if (!session) return { kind: 'visitor' };
  const { user_id: userId, confirmed_seconds_ago: secondsAgo } = session;
  // The age is by the database's clock, whatever the time on this machine is.
  const confirmedAt = new Date(ctx.clock.now().getTime() - secondsAgo * 1_000);
  // Someone else knows the password and could use the session: it has no rights until the user chooses another one.
  if (session.must_change_password)
    return { kind: 'user', userId, roleId: 1, memberships: [], sessionHash, confirmedAt, mustChangePassword: true };
  const roleId = session.role_id === 2 ? 2 : 1;
  return { kind: 'user', userId, roleId, memberships: session.memberships ?? [], sessionHash, confirmedAt };
}

/** Ends the caller's session on the server; does nothing for a visitor. */
export async function logOut(ctx: AccountDeps, caller: Caller): Promise<void> {
  const { actor } = caller;
  if (actor.kind !== 'user') return;
  await ctx.database.write(SESSIONS, async (tx) => {
    await accountsSql.deleteSession(tx, actor.sessionHash);
    await ctx.closePagesOf?.(tx, actor.userId);
  });
}

/** A user for the API. @throws unauthenticated when there is no such user. */
export async function describe(ctx: AccountDeps, userId: number): Promise<UserAnswer> {
  const user = await userById(ctx, userId);
  if (!user) throw problem('unauthenticated', LOG_IN_FIRST);
  return user;
}

/** @throws unauthenticated without a session. */
export async function currentUser(ctx: AccountDeps, caller: Caller): Promise<UserAnswer> {
  return describe(ctx, requireUser(caller.actor).userId);
}

/** Checks the password again for protected calls (rule 47). @throws unauthenticated when it is wrong. */
export async function confirmPassword(ctx: AccountDeps, caller: Caller, password: string): Promise<void> {
  const actor = requireUser(caller.actor);
  await ctx.limits.take(loginLimits.confirmationsOf(actor.userId));
  const failures = loginLimits.wrongConfirmationsOf(actor.userId);
  await ctx.limits.take(failures);
  const user = await ctx.database.read(SESSIONS, (db) => accountsSql.findUserById(db, actor.userId));
  if (!(await verifyPassword(user?.password_hash ?? null, password))) throw problem('unauthenticated', WRONG_PASSWORD);
  await ctx.limits.refund(failures);
  await ctx.database.write(SESSIONS, (tx) => accountsSql.confirmSession(tx, actor.sessionHash));
}

/** @throws unauthenticated "Please confirm your password." when it was not typed recently. */
export function requireRecentPassword(ctx: AccountDeps, actor: SignedIn): void {
  const ageMs = ctx.clock.now().getTime() - actor.confirmedAt.getTime();
  if (ageMs > STEP_UP_MINUTES * 60_000) throw problem('unauthenticated', CONFIRM_PASSWORD_FIRST);
}

/** Creates a person who administers the given organizations (demo, operator's command line, tests). */
export async function createUser(
  ctx: AccountDeps,
  input: {
    email: string;
    firstName: string;
    lastName: string;
    password: string;
    roleId: 1 | 2;
    administers: readonly number[];
    /** An operator creates the account on the machine: adds an entry to the audit log. */
    byHand?: true;
  },
): Promise<number> {
  const passwordHash = await hashPassword(input.password);
  return ctx.database.write(SESSIONS, async (tx) => {
    const userId = await accountsSql.insertUser(tx, { ...input, passwordHash, isProven: true });
    await accountsSql.insertAdministrator(tx, userId, input.administers);
    if (input.byHand)
      await recordByHand(ctx, tx, input.roleId === 2 ? 'account.made_platform_admin' : 'account.made', userId);
    return userId;
  });
}

/**
 * Signs out the members of an organization who have no other, in the caller's transaction that deletes it; returns how many.
 */
export function endSignInsOf(tx: Writer, organizationId: number): Promise<number> {
  return accountsSql.endSessionsWithoutOrganization(tx, organizationId);
}

/** Handler of `sweepSessionsJob`; returns how many sessions and links were deleted. */
export async function sweepSessions(ctx: AccountDeps): Promise<number> {
  return ctx.database.write(SESSIONS, (tx) => accountsSql.deleteExpired(tx));
}

/** Sets a password for an operator; ends all sessions of that user. False for an unknown address. */
export async function resetPassword(ctx: AccountDeps, email: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return ctx.database.write(SESSIONS, async (tx) => {
    const user = await accountsSql.findUserByEmail(tx, email);
    if (!user) return false;
    await accountsSql.setPassword(tx, { userId: user.id, passwordHash });
    await recordByHand(ctx, tx, 'account.password_set_by_operator', user.id);
    return true;
  });
}

export function createAccountService(deps: AccountDeps) {
  return {
    endSignInsOf,
    ...bind(deps, {
      logIn,
      actorOf,
      logOut,
      describe,
      currentUser,
      confirmPassword,
      requireRecentPassword,
      createUser,
      sweepSessions,
      resetPassword,
    }),
  };
}

function presentUser(
  user: accountsSql.UserRow,
  organizations: Awaited<ReturnType<typeof accountsSql.listOrganizationsOfUser>>,
): UserAnswer {
  return {
    id: user.id,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    role_id: user.role_id,
    email_proven: user.email_proven_at !== null,
    organizations: organizations.map((row) => ({
      id: row.id,
      name: row.name,
      domain_name: row.domain_name,
      kind: row.kind,
      parent_organization_id: row.parent_organization_id,
      parent_organization:
        row.parent_organization_id !== null && row.parent_name !== null && row.parent_domain_name !== null
          ? { id: row.parent_organization_id, name: row.parent_name, domain_name: row.parent_domain_name }
          : null,
      free_tier: row.free_tier,
      role: row.role,
    })),
  };
}
