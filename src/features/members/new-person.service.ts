/** Other modules open the account of someone who will look after a new organization. */
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { hashPassword } from '#src/platform/secrets.ts';

const PEOPLE = { kind: 'system', why: 'accounts belong to people, not to tenants' } as const;

export type NewPerson = { email: string; firstName: string; lastName: string; passwordHash: string };
export type NewPeople = ReturnType<typeof createNewPeople>;

export type NewPeopleDeps = { database: Database };

/** Looks before anything is done; the unique index decides. */
export async function hasAccount(ctx: NewPeopleDeps, email: string): Promise<boolean> {
  return (await ctx.database.read(PEOPLE, (db) => accountsSql.findUserByEmail(db, email))) !== undefined;
}

/** In the caller's transaction. Someone else chose the password, so they choose another at their
 * first login (threat D17). A taken address is a unique violation (23505, `users_email`). Returns the user's id. */
export async function administrator(tx: Writer, person: NewPerson, organizationId: number): Promise<number> {
  const userId = await accountsSql.insertUser(tx, { ...person, roleId: 1 });
  await accountsSql.insertAdministrator(tx, userId, [organizationId]);
  await accountsSql.askForNewPassword(tx, userId);
  return userId;
}

export function createNewPeople(deps: NewPeopleDeps) {
  return {
    /** Takes its time: before the transaction. */
    hash: hashPassword,
    administrator,
    ...bind(deps, { hasAccount }),
  };
}
