/** Reports read orders and books; this asks whether both still say the same, for the nightly reconciliation. */
import * as checkSql from '#src/features/reports/report-check.sql.ts';
import { bind } from '#src/shared/bind.ts';
import type { Database } from '#src/platform/db/db.ts';

const AUDIT = { kind: 'system', why: 'the reconciliation looks at every organization' } as const;
const AT_MOST = 500;

export type ReportDifference = checkSql.ReportDifference;
export type ReportCheck = ReturnType<typeof createReportCheck>;

export type ReportCheckDeps = { database: Database };

/** Organizations whose report is not what the books say; none when all is well. */
export function differences(ctx: ReportCheckDeps): Promise<ReportDifference[]> {
  return ctx.database.read(AUDIT, (db) => checkSql.listReportDifferences(db, AT_MOST));
}

export const createReportCheck = (deps: ReportCheckDeps) => bind(deps, { differences });
