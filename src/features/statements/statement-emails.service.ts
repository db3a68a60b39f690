/**
 * In the first days of a month, every organization whose account changed in the month before gets an email that its statement
 * is ready: once per organization and month, however often the job runs, because the outbox accepts an email once.
 * Organizations without an address get none.
 */
import * as figuresSql from '#src/features/statements/statement-figures.sql.ts';
import { statementReadyEmail } from '#src/features/statements/statements.mail.tsx';
import { addMonths } from '#src/features/statements/statements.rules.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem } from '#src/shared/problem.ts';
import { readPages } from '#src/shared/paging.ts';

const ACCOUNTS = {
  kind: 'system',
  why: 'emails about statements go to every organization whose account changed',
} as const;
const AT_A_TIME = 100;

type StatementEmailsDeps = Pick<Platform, 'database' | 'clock' | 'outbox'> & {
  origin: SiteOrigin;
  log: { warn(details: object, message: string): void };
};

async function queueEmails(ctx: StatementEmailsDeps, month: string, moved: readonly figuresSql.MovedAccount[]) {
  await ctx.database.write(ACCOUNTS, async (tx) => {
    for (const { email, openingCents, earnedCents, paidOutCents, ...organization } of moved) {
      if (email === null) continue;
      const message = statementReadyEmail(email, {
        organization,
        month,
        openingCents: cents(openingCents),
        earnedCents: cents(earnedCents),
        paidOutCents: cents(paidOutCents),
        closingCents: cents(openingCents + earnedCents + paidOutCents),
        link: siteUrl(ctx.origin, organization.hostLabel, `/${organization.path}/statements/${month}`),
      });
      try {
        await ctx.outbox.queueEmail(tx, message);
      } catch (error) {
        // An invalid address, refused before anything was written.
        if (!(isProblem(error) && error.code === 'invalid')) throw error;
        ctx.log.warn(
          { organizationId: organization.id },
          'a statement could not be announced: the address is not valid',
        );
      }
    }
  });
}

/** Sends emails about the previous month, if it is over. Returns how many accounts had changes. */
export async function notifyReady(ctx: StatementEmailsDeps): Promise<number> {
  const month = addMonths(ctx.clock.now().toISOString().slice(0, 7), -1);
  let notified = 0;
  const pages = readPages(AT_A_TIME, (last: figuresSql.MovedAccount | null) =>
    ctx.database.read(ACCOUNTS, (db) =>
      figuresSql.listMoved(db, month, { after: last?.id ?? 0, now: ctx.clock.now(), limit: AT_A_TIME }),
    ),
  );
  for await (const moved of pages) {
    await queueEmails(ctx, month, moved);
    notified += moved.length;
  }
  return notified;
}

export const createStatementEmails = (deps: StatementEmailsDeps) => bind(deps, { notifyReady });
