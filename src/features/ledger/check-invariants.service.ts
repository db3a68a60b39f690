/**
 * Checks the rows of the whole platform and returns one line for each violated invariant. It changes nothing. Run after every
 * crash test, and daily where money is real.
 */
import * as invariantsSql from '#src/features/ledger/invariants.sql.ts';
import type { Database } from '#src/platform/db/db.ts';

const AUDIT = { kind: 'system', why: 'the auditor reads every row' } as const;

/** One line per violation, none if all is well. Each query has its own snapshot. */
export async function checkInvariants(deps: { database: Database; sandboxCards: boolean }): Promise<string[]> {
  const { database, sandboxCards } = deps;
  const jobQueue = await database.read(AUDIT, invariantsSql.jobQueueStands);
  const lines: string[] = [];
  for (const invariant of invariantsSql.invariantsOf({ sandboxCards, jobQueue })) {
    const broken = await database.read(AUDIT, (db) => invariantsSql.findBroken(db, invariant));
    lines.push(...broken.map(({ detail }) => `${invariant.name}: ${detail} (${invariant.rule})`));
  }
  return lines;
}
