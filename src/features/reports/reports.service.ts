/**
 * Where the money of an organisation comes from and where it goes, per club below it. Only who
 * may edit the organisation may ask. Amounts come from the orders and the books, never from counters.
 */
import { requireEditor, type Caller } from '#src/features/accounts/actor.rules.ts';
import {
  lengthOf,
  sumOf,
  totalsOf,
  type Period,
  type ReportRow,
  type Totals,
} from '#src/features/reports/reports.rules.ts';
import * as reportsSql from '#src/features/reports/reports.sql.ts';
import type { Organization } from '#src/features/organizations/organizations.rules.ts';
import type { Database } from '#src/platform/db/db.ts';

const REPORTS = { kind: 'system', why: 'the books know no tenant; whose sales may be seen was asked before' } as const;

export type Report = { rows: ReportRow[]; total: Totals };
export type ReportService = ReturnType<typeof createReportService>;

export function createReportService(deps: { database: Database }) {
  return {
    /**
     * One row for every club that sold something, the organisation itself among them, and their sum.
     * @throws what `requireEditor` throws to who may not edit the organisation
     */
    async salesOf(caller: Caller, organization: Organization, period: Period): Promise<Report> {
      requireEditor(caller.actor, {
        organizationId: organization.id,
        parentOrganizationId: organization.parentOrganizationId,
      });
      const sales = await deps.database.read(REPORTS, (db) =>
        reportsSql.listSales(db, {
          organizationId: organization.id,
          timeZone: organization.timeZone,
          length: lengthOf(period),
        }),
      );
      const rows = sales.map(({ booked, ...seller }): ReportRow => ({ ...seller, totals: totalsOf(booked) }));
      return { rows, total: sumOf(rows.map(({ totals }) => totals)) };
    },
  };
}
