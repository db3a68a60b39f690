/**
 * Sums of what each seller sold on each day are kept, so that the platform's report of a million orders reads days. The database
 * notes each change of a sold order in the transaction that makes it, and here the noted days are summed anew from
 * their orders, by whoever is about to read them: what was committed before is in the sums (decision record 0065).
 */
import { sumSalesJob } from '#src/features/reports/kept-sales.jobs.ts';
import * as keptSalesSql from '#src/features/reports/kept-sales.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { bind } from '#src/shared/bind.ts';

const SUMS = { kind: 'system', why: 'sums of what every organization sold are kept for the platform' } as const;

export type KeptSalesDeps = { database: Database; jobs: Pick<Jobs, 'enqueue'> };

/**
 * After it the sums are those of every order that was committed before the call. All days of a seller are made in one transaction, so that
 * a reader finds those of one time zone, never of two; and few sellers in one, so that little is lost where a busy machine does not finish.
 */
export async function bringSumsUpToDate({ database }: Pick<KeptSalesDeps, 'database'>): Promise<void> {
  if (!(await database.read(SUMS, keptSalesSql.hasChanges))) return;
  for (let isAll = false; !isAll;) isAll = await database.write(SUMS, sumSome);
}

async function sumSome(tx: Writer): Promise<boolean> {
  await keptSalesSql.lockSums(tx);
  const sellerIds = await keptSalesSql.spreadChanges(tx);
  for (let isAll = false; !isAll;) {
    const changed = await keptSalesSql.takeChangedDays(tx, sellerIds);
    if (changed.days.length > 0) {
      await keptSalesSql.insertDays(tx, changed.days);
      await keptSalesSql.insertParts(tx, changed.days);
    }
    isAll = changed.isAll;
  }
  return sellerIds.length === 0;
}

/** For the worker that starts, perhaps after an update that has everything summed anew. */
export async function planSums({ database, jobs }: KeptSalesDeps): Promise<void> {
  if (!(await database.read(SUMS, keptSalesSql.hasChanges))) return;
  await database.write(SUMS, (tx) => jobs.enqueue(tx, sumSalesJob, null, { singletonKey: 'start' }));
}

export const createKeptSales = (deps: KeptSalesDeps) => bind(deps, { bringSumsUpToDate, planSums });
