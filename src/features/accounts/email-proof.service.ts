/**
 * Anybody can sign up with anybody's address, so an account may do less until its owner has followed a link that was mailed there:
 * emails to others wait, and access that others give begins only with a password chosen by a mailed link. The link of the welcome
 * email needs the account's own session, so that a mail filter that opens links, or the address's true owner, proves nothing for a stranger.
 */
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { PROOF_DAYS, PROOF_LINK_INVALID } from '#src/features/accounts/email-proof.contract.ts';
import { welcomeEmail } from '#src/features/accounts/email-proof.mail.ts';
import * as proofSql from '#src/features/accounts/email-proof.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import type { Keys } from '#src/platform/platform.ts';
import { randomToken, signValue, verifyValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { isProblem, problem } from '#src/shared/problem.ts';

const PEOPLE = { kind: 'system', why: 'accounts belong to people, not to tenants' } as const;
const HOUR = 3_600;
/** Nobody is buried in emails by others who sign up with their address (threat 31). */
const EMAILS_AN_HOUR_TO_ONE_ADDRESS = 5;
const EMAILS_AN_HOUR_FROM_ONE_SENDER = 60;
const EMAILS_A_DAY = 5_000;

export type EmailProofs = ReturnType<typeof createEmailProofs>;

/** What waits for the proof begins, in the caller's transaction. Answers whether the address was not proven before. */
export async function proveWithin(tx: Writer, outbox: Pick<Outbox, 'release'>, userId: number): Promise<boolean> {
  const isNew = await proofSql.markProven(tx, userId);
  if (isNew) await outbox.release(tx, userId);
  return isNew;
}

export function createEmailProofs(deps: {
  database: Database;
  limits: Limits;
  outbox: Outbox;
  keys: Pick<Keys, 'emailProofs'>;
  origin: SiteOrigin;
  clock: Clock;
}) {
  const { database, limits, outbox, keys, origin, clock } = deps;

  async function takeEmail(caller: Caller, email: string): Promise<void> {
    await limits.take({ bucket: `proof:to:${email}`, limit: EMAILS_AN_HOUR_TO_ONE_ADDRESS, windowSeconds: HOUR });
    await limits.take({ bucket: `proof:ip:${caller.ip}`, limit: EMAILS_AN_HOUR_FROM_ONE_SENDER, windowSeconds: HOUR });
    await limits.take({ bucket: 'proof:all', limit: EMAILS_A_DAY, windowSeconds: 24 * HOUR });
  }

  function tokenFor(user: { id: number; email: string }): string {
    const expires = Math.floor(clock.now().getTime() / 1_000) + PROOF_DAYS * 24 * HOUR;
    return `${expires}.${signValue(keys.emailProofs, user.id, user.email.toLowerCase(), expires)}`;
  }

  function opens(token: string, user: { id: number; email: string }): boolean {
    const [expires = '', signature = ''] = token.split('.');
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 < clock.now().getTime()) return false;
    return verifyValue(keys.emailProofs, signature, user.id, user.email.toLowerCase(), Number(expires));
  }

  async function queue(tx: Writer, user: { id: number; email: string }): Promise<void> {
    const link = siteUrl(origin, 'www', `/confirm-email?token=${tokenFor(user)}`);
    const forgot = siteUrl(origin, 'www', '/forgot-password');
    await outbox.queueEmail(tx, welcomeEmail(user.email, link, forgot, `welcome:${randomToken(16)}`));
  }

  /** The signed-in user, as far as a proof needs it. @throws unauthenticated */
  async function ownAccount(caller: Caller): Promise<accountsSql.UserRow> {
    const { userId } = requireUser(caller.actor);
    const user = await database.read(PEOPLE, (db) => accountsSql.findUserById(db, userId));
    if (!user) throw problem('unauthenticated', PROOF_LINK_INVALID);
    return user;
  }

  return {
    /** Whether one more email may go to this address: asked before the transaction in which it is queued. */
    async mayWelcome(caller: Caller, email: string): Promise<boolean> {
      try {
        await takeEmail(caller, email.toLowerCase());
        return true;
      } catch (error) {
        if (isProblem(error) && error.code === 'too_many') return false;
        throw error;
      }
    },

    /** Queues the welcome email with its link, in the transaction of the sign-up. */
    welcomeWithin: queue,

    /** The link once more; nothing is sent to an address that is proven. Answers the address. @throws unauthenticated; too_many */
    async sendAgain(caller: Caller): Promise<string> {
      const user = await ownAccount(caller);
      if (user.email_proven_at === null) {
        await takeEmail(caller, user.email.toLowerCase());
        await database.write(PEOPLE, (tx) => queue(tx, user));
      }
      return user.email;
    },

    /**
     * The signed-in user shows the link's token; emails that waited are sent. Shown twice it says yes again.
     * @throws unauthenticated; invalid for a token that is not this account's, or too old; too_many
     */
    async confirm(caller: Caller, token: string): Promise<void> {
      const user = await ownAccount(caller);
      await limits.take({ bucket: `proof:tries:${user.id}`, limit: 30, windowSeconds: HOUR });
      if (!opens(token, user))
        throw problem('invalid', PROOF_LINK_INVALID, { errors: { token: [PROOF_LINK_INVALID] } });
      await database.write(PEOPLE, (tx) => proveWithin(tx, outbox, user.id));
    },
  };
}
