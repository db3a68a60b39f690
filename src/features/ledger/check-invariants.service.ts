/**
 * Checks the rows of the whole platform and returns one line for each violated invariant. It changes nothing. Run after every
 * crash test, and daily where money is real.
 */
import { judgeAt } from '#src/features/ledger/invariant.sql.ts';
import * as invariantsSql from '#src/features/ledger/invariants.sql.ts';
import type { Database } from '#src/platform/db/db.ts';

const AUDIT = { kind: 'system', why: 'the auditor reads every row' } as const;

/**
 * One line per violation, none if all is well. Each query has its own snapshot.
 *
 * @param deps.at for rows of a backup: when it was made, so that what was in progress then is not late
 */
export async function checkInvariants(deps: {
  database: Database;
  sandboxCards: boolean;
  at?: Date | undefined;
}): Promise<string[]> {
  const { database, sandboxCards, at } = deps;
  const jobQueue = await database.read(AUDIT, invariantsSql.jobQueueStands);
  const lines: string[] = [];
  for (const invariant of invariantsSql.invariantsOf({ sandboxCards, jobQueue })) {
    const broken = await database.read(AUDIT, async (db) => {
      if (at) await judgeAt(db, at);
      return invariantsSql.findBroken(db, invariant);
    });
    lines.push(...broken.map(({ detail }) => `${invariant.name}: ${detail} (${invariant.rule})`));
  }
  return lines;
}
