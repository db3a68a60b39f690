/**
 * Sums of each seller's sales per day are stored, so that the platform's report reads days instead of a million orders. The
 * database marks each changed day of a sold order in the same transaction; here the marked days are summed again from their
 * orders, by the caller that is about to read them, so the sums include everything committed before (decision record 0065).
 */
import { sumSalesJob } from '#src/features/reports/kept-sales.jobs.ts';
import * as keptSalesSql from '#src/features/reports/kept-sales.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import { bind } from '#src/shared/bind.ts';

const SUMS = { kind: 'system', why: 'sums of what every organization sold are kept for the platform' } as const;

type KeptSalesDeps = { database: Database; jobs: Pick<Jobs, 'enqueue'> };

/**
 * Afterwards the sums include every order committed before the call. All days of a seller are written in one transaction, so
 * that a reader sees one time zone only; each transaction covers few sellers, so that little is lost if a busy server does not
 * finish.
 */
export async function bringSumsUpToDate({ database }: Pick<KeptSalesDeps, 'database'>): Promise<void> {
  if (!(await database.read(SUMS, keptSalesSql.hasChanges))) return;
  for (let isAll = false; !isAll;) isAll = await database.write(SUMS, sumSome);
}

async function sumSome(tx: Writer): Promise<boolean> {
  await keptSalesSql.lockSums(tx);
  const sellerIds = await keptSalesSql.expandSellerMarks(tx);
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

/** For a starting worker, for example after an update that requires new sums. */
export async function planSums({ database, jobs }: KeptSalesDeps): Promise<void> {
  if (!(await database.read(SUMS, keptSalesSql.hasChanges))) return;
  await database.write(SUMS, (tx) => jobs.enqueue(tx, sumSalesJob, null, { singletonKey: 'start' }));
}

export const createKeptSales = (deps: KeptSalesDeps) => bind(deps, { bringSumsUpToDate, planSums });
