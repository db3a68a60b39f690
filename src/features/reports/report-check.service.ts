/** Reports read orders and books; this asks whether both still say the same, for the nightly reconciliation. */
import * as checkSql from '#src/features/reports/report-check.sql.ts';
import type { Database } from '#src/platform/db/db.ts';

const AUDIT = { kind: 'system', why: 'the reconciliation looks at every organization' } as const;
const AT_MOST = 500;

export type ReportDifference = checkSql.ReportDifference;
export type ReportCheck = ReturnType<typeof createReportCheck>;

export function createReportCheck({ database }: { database: Database }) {
  return {
    /** Organizations whose report is not what the books say; none when all is well. */
    differences: (): Promise<ReportDifference[]> =>
      database.read(AUDIT, (db) => checkSql.listReportDifferences(db, AT_MOST)),
  };
}
