/**
 * In the first days of a month everybody whose account moved in the last one hears that its statement is ready: once per organization and
 * month, however often the job runs, because the outbox takes an email once. Who has no address is not written to.
 */
import * as emailsSql from '#src/features/statements/statement-emails.sql.ts';
import { statementReadyEmail } from '#src/features/statements/statements.mail.ts';
import { addMonths } from '#src/features/statements/statements.rules.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';
import { isProblem } from '#src/shared/problem.ts';

const ACCOUNTS = {
  kind: 'system',
  why: 'letters about statements go to every organization whose account moved',
} as const;
const AT_A_TIME = 100;

export type StatementEmails = ReturnType<typeof createStatementEmails>;

export function createStatementEmails(deps: {
  database: Database;
  clock: Clock;
  outbox: Pick<Outbox, 'queueEmail'>;
  origin: SiteOrigin;
  log: { warn(details: object, message: string): void };
}) {
  const { database, clock, outbox, origin, log } = deps;

  async function write(month: string, moved: readonly emailsSql.MovedAccount[]): Promise<void> {
    await database.write(ACCOUNTS, async (tx) => {
      for (const { email, openingCents, earnedCents, paidOutCents, ...organization } of moved) {
        if (email === null) continue;
        const letter = statementReadyEmail(email, {
          organization,
          month,
          openingCents: cents(openingCents),
          earnedCents: cents(earnedCents),
          paidOutCents: cents(paidOutCents),
          closingCents: cents(openingCents + earnedCents + paidOutCents),
          link: siteUrl(origin, organization.hostLabel, `/${organization.path}/statements/${month}`),
        });
        try {
          await outbox.queueEmail(tx, letter);
        } catch (error) {
          // Refused before anything was written: an address that is none.
          if (!(isProblem(error) && error.code === 'invalid')) throw error;
          log.warn({ organizationId: organization.id }, 'a statement could not be announced: the address is not valid');
        }
      }
    });
  }

  return {
    /** Tells of the month before this one, where it is over. Answers how many accounts had moved. */
    async tellReady(): Promise<number> {
      const month = addMonths(clock.now().toISOString().slice(0, 7), -1);
      let told = 0;
      for (let after = 0; ;) {
        const last = after;
        const moved = await database.read(ACCOUNTS, (db) =>
          emailsSql.listMoved(db, month, { after: last, now: clock.now(), limit: AT_A_TIME }),
        );
        await write(month, moved);
        told += moved.length;
        if (moved.length < AT_A_TIME) return told;
        after = moved.at(-1)?.id ?? last;
      }
    },
  };
}
