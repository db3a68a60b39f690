/**
 * A platform admin creates accounts for others. A person who was given a password must choose another at the first
 * login (threat D17); a person without one gets an email with a link to choose it (rule 37).
 */
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import { INVITATION_DAYS } from '#src/features/sign-in/passwords.contract.ts';
import { invitationEmail } from '#src/features/sign-in/passwords.mail.tsx';
import * as passwordResetsSql from '#src/features/sign-in/password-resets.sql.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';

type NewPerson = {
  email: string;
  firstName: string;
  lastName: string;
  /** Null: no one can sign in until the invitation is followed. */
  passwordHash: string | null;
};
export type AccountOpening = ReturnType<typeof createAccountOpening>;

/** The holders of these addresses: user ids by address in lower case. */
export async function holdersOf(db: Reader, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map();
  const rows = await accountsSql.listUsersByEmail(db, emails);
  return new Map(rows.map(({ id, email }) => [email.toLowerCase(), id]));
}

type AccountOpeningDeps = { outbox: Outbox; origin: SiteOrigin };

/** Creates the person and their membership in the caller's transaction. A taken address violates uniqueness (23505). */
export async function openWithin(tx: Writer, person: NewPerson, organizationId: number): Promise<number> {
  const userId = await accountsSql.insertUser(tx, { ...person, roleId: 1 });
  await accountsSql.insertAdministrator(tx, userId, [organizationId]);
  if (person.passwordHash !== null) await accountsSql.requireNewPassword(tx, userId);
  return userId;
}

/**
 * Sends the invitation to someone without a password. Emails of one import are sent one after another, so that no
 * buyer's receipt waits behind thousands of them.
 */
export async function inviteWithin(
  ctx: AccountOpeningDeps,
  tx: Writer,
  person: { userId: number; email: string; firstName: string },
  /** `landing`: the page after choosing a password, on the host of `label`. */
  place: { name: string; label: string; landing: string },
  afterSeconds: number,
): Promise<void> {
  const token = randomToken(32);
  const tokenHash = hashToken(token);
  await passwordResetsSql.putReset(tx, { ...person, tokenHash, minutes: INVITATION_DAYS * 24 * 60 });
  const query = new URLSearchParams({ reset_password_token: token, redirect: place.landing });
  const link = siteUrl(ctx.origin, place.label, `/update-password?${query}`);
  const message = invitationEmail(person, place.name, link, `invitation:${tokenHash.toString('hex')}`);
  await ctx.outbox.queueEmail(tx, message, { afterSeconds });
}

export const createAccountOpening = (deps: AccountOpeningDeps) => ({ openWithin, ...bind(deps, { inviteWithin }) });
