/**
 * Where the money of an organization comes from and where it goes: per organization and gallery, by day, and in the numbers
 * of its dashboard. Only who may edit the organization may ask, a parent for its children too. Amounts come from the
 * orders and the books, never from counters.
 */
import { mayEdit, requireEditor, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { createGalleryReports, type GalleryReportDeps } from '#src/features/reports/gallery-reports.service.ts';
import {
  readDates,
  REPORT_LIMITS,
  REPORTING_ERROR,
  REPORTS_ARE_BUSY,
  STATS_DAYS,
  type ReportAnswer,
  type ReportBody,
  type StatsAnswer,
} from '#src/features/reports/reports.contract.ts';
import {
  csvRows,
  presentReport,
  REPORT_HEAD,
  sumOf,
  type SellerReport,
  type Totals,
} from '#src/features/reports/reports.rules.ts';
import * as reportsSql from '#src/features/reports/reports.sql.ts';
import {
  coveredBy,
  presentStats,
  spread,
  sumOfDays,
  unitFor,
  type SalesCount,
  type SalesDay,
  type TimeUnit,
} from '#src/features/reports/sales-days.rules.ts';
import * as salesDaysSql from '#src/features/reports/sales-days.sql.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { lastDays, type DayRange } from '#src/shared/day-range.ts';
import type { Cents } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const SELLERS = { kind: 'system', why: 'promo codes have no tenant; access was checked before' } as const;
const tenants = (organizationIds: readonly number[]) => ({ kind: 'tenants', organizationIds }) as const;

export type ReportDeps = GalleryReportDeps & { organizations: Pick<OrganizationService, 'byId'> };
export type ReportService = ReturnType<typeof createReportService>;

export type Report = { sellers: SellerReport[]; total: Totals; days: SalesDay[]; unit: TimeUnit };
export type Club = { id: number; name: string; path: string; sales: SalesCount };
export type Dashboard = {
  days: SalesDay[];
  now: SalesCount;
  /** What is left of sales and donations of these days, as the report has it. */
  netCents: Cents;
  before: SalesCount;
  /** Of a parent: those below it by name, with what they sold in these days. */
  clubs: Club[];
};

const NO_TOTALS = sumOf([]);

type ReportContext = ReturnType<typeof contextOf>;

function contextOf(deps: ReportDeps) {
  const limit = createConcurrencyLimit({
    ...REPORT_LIMITS,
    full: () => problem('unavailable', REPORTS_ARE_BUSY, { retryAfterSeconds: 5 }),
  });
  return { ...deps, limit };
}

/** Today in the organization's time zone, `YYYY-MM-DD`. */
export function today(ctx: ReportContext, { timeZone }: Organization) {
  return machineDay(ctx.clock.now(), timeZone);
}

function allow(caller: Caller, organization: Organization): void {
  const { id: organizationId, parentOrganizationId } = organization;
  requireEditor(caller.actor, { organizationId, parentOrganizationId });
}

async function sellersOf(
  ctx: ReportContext,
  organization: Organization,
  withBelow: boolean,
): Promise<reportsSql.Seller[]> {
  return ctx.database.read(SELLERS, (db) => reportsSql.listSellers(db, organization.id, withBelow));
}

async function salesOf(
  ctx: ReportContext,
  sellers: readonly reportsSql.Seller[],
  range: DayRange | null,
  timeZone: string,
): Promise<SellerReport[]> {
  const organizationIds = sellers.map(({ id }) => id);
  const sold = await ctx.database.read(tenants(organizationIds), (db) =>
    reportsSql.listSales(db, { organizationIds, range, timeZone }),
  );
  const bySeller = Map.groupBy(sold, ({ organizationId }) => organizationId);
  return sellers.map((seller) => {
    const rows = bySeller.get(seller.id) ?? [];
    return {
      ...seller,
      totals: rows.find(({ galleryId }) => galleryId === null)?.totals ?? NO_TOTALS,
      galleries: rows.flatMap(({ galleryId, galleryName, totals }) =>
        galleryId === null ? [] : [{ id: galleryId, name: galleryName, totals }],
      ),
    };
  });
}

/** The one that `for_org` asks for: the organization of the call or, by id, one below it. @throws not_found for any other */
async function chosen(
  ctx: ReportContext,
  organization: Organization,
  forOrg: ReportBody['for_org'],
): Promise<Organization> {
  if (typeof forOrg !== 'number' || forOrg === organization.id) return organization;
  const child = await ctx.organizations.byId(forOrg);
  if (!child || child.parentOrganizationId !== organization.id) throw notFound(REPORTING_ERROR);
  return child;
}

/**
 * The report of the call, whole days of the organization's time zone. @throws unauthenticated; not_found; unavailable
 */
async function make(
  ctx: ReportContext,
  caller: Caller,
  organizationId: number,
  body: ReportBody,
): Promise<SellerReport[]> {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) throw notFound(REPORTING_ERROR);
  allow(caller, organization);
  const subject = await chosen(ctx, organization, body.for_org);
  const withBelow = body.for_org === true || (body.for_org ?? null) === null;
  const range = readDates(body);
  return ctx.limit.run(async () =>
    salesOf(ctx, await sellersOf(ctx, subject, withBelow), range === 'invalid' ? null : range, subject.timeZone),
  );
}

/** The organization and, where it has no parent, its children. */
async function belowOrItself(
  ctx: ReportContext,
  organization: Organization,
): Promise<Pick<reportsSql.Seller, 'id' | 'name' | 'path'>[]> {
  if (organization.parentOrganizationId === null) return sellersOf(ctx, organization, true);
  return [{ id: organization.id, name: organization.name, path: organization.domainName }];
}

/** `POST /affiliates/{id}/reports` as JSON. @throws as `make` */
export async function answer(
  ctx: ReportContext,
  caller: Caller,
  organizationId: number,
  body: ReportBody,
): Promise<ReportAnswer> {
  return presentReport(await make(ctx, caller, organizationId, body));
}

/** The same as CSV, an organization with its galleries at a time: a parent of a thousand is not written in one piece. @throws as `make` */
export async function csv(
  ctx: ReportContext,
  caller: Caller,
  organizationId: number,
  body: ReportBody,
): Promise<Iterable<string>> {
  const sellers = await make(ctx, caller, organizationId, body);
  return (function* () {
    yield CSV_MARK + csvLine(REPORT_HEAD);
    for (const seller of sellers) yield csvRows([seller]).map(csvLine).join('');
  })();
}

/**
 * For the page: the organization with those below it, and its sales over time without gaps; all time with null.
 * @throws unauthenticated; not_found; unavailable
 */
export async function readSales(
  ctx: ReportContext,
  caller: Caller,
  organization: Organization,
  range: DayRange | null,
): Promise<Report> {
  allow(caller, organization);
  return ctx.limit.run(async () => {
    const found = await sellersOf(ctx, organization, true);
    const organizationIds = found.map(({ id }) => id);
    const { timeZone } = organization;
    const [sellers, days] = await Promise.all([
      salesOf(ctx, found, range, timeZone),
      ctx.database.read(tenants(organizationIds), (db) =>
        salesDaysSql.listDays(db, { organizationIds, range, timeZone }),
      ),
    ]);
    const covered = range ?? coveredBy(days, today(ctx, organization));
    const unit = unitFor(covered);
    return {
      sellers,
      total: sumOf(sellers.map(({ totals }) => totals)),
      days: spread(days, covered, unit),
      unit,
    };
  });
}

/** The last 30 days of an organization and those below it, by day and club, and the 30 before them. @throws unauthenticated; not_found */
export async function dashboard(ctx: ReportContext, caller: Caller, organization: Organization): Promise<Dashboard> {
  allow(caller, organization);
  const sellers = await belowOrItself(ctx, organization);
  const organizationIds = sellers.map(({ id }) => id);
  const { timeZone } = organization;
  const range = lastDays(today(ctx, organization), STATS_DAYS);
  const both = lastDays(range.to, 2 * STATS_DAYS);
  const clubs = sellers.filter(({ id }) => id !== organization.id);
  const { days, netCents, bySeller } = await ctx.database.read(tenants(organizationIds), async (db) => ({
    days: await salesDaysSql.listDays(db, { organizationIds, range: both, timeZone }),
    netCents: await salesDaysSql.sumNet(db, { organizationIds, range, timeZone }),
    bySeller: clubs.length === 0 ? [] : await salesDaysSql.listBySeller(db, { organizationIds, range, timeZone }),
  }));
  const before = days.filter(({ day }) => day < range.from);
  const now = days.filter(({ day }) => day >= range.from);
  return {
    days: spread(now, range, 'day'),
    now: sumOfDays(now),
    netCents,
    before: sumOfDays(before),
    clubs: clubs.map(({ id, name, path }) => ({
      id,
      name,
      path,
      sales: bySeller.find((seller) => seller.id === id) ?? sumOfDays([]),
    })),
  };
}

/** The numbers that members find in the answer about their affiliate; nothing for others. */
export async function statsFor(
  ctx: ReportContext,
  caller: Caller,
  organization: Organization,
): Promise<StatsAnswer | null> {
  const { id: organizationId, parentOrganizationId, timeZone } = organization;
  if (!mayEdit(caller.actor, { organizationId, parentOrganizationId })) return null;
  const organizationIds = (await belowOrItself(ctx, organization)).map(({ id }) => id);
  const range = lastDays(today(ctx, organization), STATS_DAYS);
  const { preview, total } = await ctx.database.read(tenants(organizationIds), (db) =>
    salesDaysSql.countSales(db, { organizationIds, timeZone }, range),
  );
  return presentStats(preview, total);
}

export function createReportService(deps: ReportDeps) {
  const ctx = contextOf(deps);
  return {
    ...createGalleryReports({ ...ctx, limit: ctx.limit }),
    ...bind(ctx, { today, answer, csv, salesOf: readSales, dashboard, statsFor }),
  };
}
