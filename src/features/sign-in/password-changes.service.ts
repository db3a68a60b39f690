/**
 * Signed-in users change their password in the settings of an organization; a platform admin may set it for a member of
 * the organization. `setPassword` of `accounts/accounts.sql.ts` ends all other sessions of that person; an email
 * notifies them.
 */
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import { isPlatformAdmin, type SignedIn } from '#src/features/tenancy/actor.rules.ts';
import { passwordChangedEmail } from '#src/features/sign-in/passwords.mail.tsx';
import { NO_USER_FOR_PASSWORD, NOT_OWN_PASSWORD } from '#src/features/tenancy/settings-words.contract.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { hashPassword, randomToken } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { problem, fieldProblem } from '#src/shared/problem.ts';

/** More than any club's administrators. */
export const MEMBERS_SHOWN = 50;

type Member = { id: number; email: string; firstName: string; lastName: string };
/** A new password, hashed before its transaction starts. */
export type PasswordChange = { person: Member; passwordHash: string };
export type PasswordChanges = ReturnType<typeof createPasswordChanges>;

type PasswordChangesDeps = Pick<Platform, 'database' | 'outbox'> & {
  origin: SiteOrigin;
  /** Disconnects the user's open pages of any gallery when the transaction commits. */
  closePagesOf: (tx: Writer, userId: number) => Promise<void>;
};

function listMembers(ctx: PasswordChangesDeps, organizationId: number) {
  return ctx.database.read(accountsSql.PEOPLE, (db) => accountsSql.listMembers(db, organizationId, MEMBERS_SHOWN));
}

/** The first members of an organization, in the order of joining. */
export async function members(ctx: PasswordChangesDeps, organizationId: number): Promise<Member[]> {
  return (await listMembers(ctx, organizationId)).map(memberOf);
}

/**
 * Whose password is changed: `userId`, or else the caller's, or else (for a platform admin) that of the organization's
 * first member.
 * @throws invalid "Cannot update password: No user …"; forbidden for someone else's
 */
export async function personFor(
  ctx: PasswordChangesDeps,
  actor: SignedIn,
  organizationId: number,
  userId: number | null,
): Promise<Member> {
  const members = await listMembers(ctx, organizationId);
  const wanted = userId ?? (isPlatformAdmin(actor) ? (members[0]?.id ?? null) : actor.userId);
  const own =
    wanted === actor.userId
      ? await ctx.database.read(accountsSql.PEOPLE, (db) => accountsSql.findUserById(db, actor.userId))
      : undefined;
  if (own) return memberOf(own);
  const found = members.find(({ id }) => id === wanted);
  if (!found) throw fieldProblem({ password: [NO_USER_FOR_PASSWORD] });
  if (!isPlatformAdmin(actor) || found.role_id === 2) throw problem('forbidden', NOT_OWN_PASSWORD);
  return memberOf(found);
}

export async function prepare(person: Member, password: string): Promise<PasswordChange> {
  return { person, passwordHash: await hashPassword(password) };
}

/**
 * Stores it in the caller's transaction, with the email. If an admin chose it, the user must choose another at the next
 * login (threat D17).
 */
export async function store(
  ctx: PasswordChangesDeps,
  tx: Writer,
  actor: SignedIn,
  { person, passwordHash }: PasswordChange,
): Promise<void> {
  const chosenByOther = person.id !== actor.userId;
  await accountsSql.setPassword(tx, {
    userId: person.id,
    passwordHash,
    keptSession: actor.sessionHash,
    chosenByOther,
  });
  await ctx.closePagesOf(tx, person.id);
  const message = passwordChangedEmail(
    { firstName: person.firstName, email: person.email },
    siteUrl(ctx.origin, 'www', '/forgot-password'),
    `password-changed:${randomToken(16)}`,
    person.id === actor.userId ? 'others' : 'all',
  );
  await ctx.outbox.queueEmail(tx, message);
}

export function createPasswordChanges(deps: PasswordChangesDeps) {
  return {
    prepare,
    ...bind(deps, { members, personFor, store }),
  };
}

export function memberOf(row: { id: number; email: string; first_name: string; last_name: string }): Member {
  return { id: row.id, email: row.email, firstName: row.first_name, lastName: row.last_name };
}
