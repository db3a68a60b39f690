/**
 * Sales and payments of an organization: per organization and gallery, by day, and as figures on its dashboard. Only its
 * editors may read them, a parent's members also for its affiliates. Amounts come from the orders and the ledger, never from
 * counters. For one gallery also likes, votes, visits and best sellers.
 */
import { mayEdit, requireEditor, requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import * as contract from '#src/features/reports/reports.contract.ts';
import * as rules from '#src/features/reports/reports.rules.ts';
import * as reportsSql from '#src/features/reports/reports.sql.ts';
import {
  coveredBy,
  presentGalleryReport,
  presentStats,
  spread,
  sumOfDays,
  unitFor,
  type Club,
  type SalesCount,
  type SalesDay,
  type TimeUnit,
} from '#src/features/reports/sales-days.rules.ts';
import * as salesDaysSql from '#src/features/reports/sales-days.sql.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import type { Platform } from '#src/platform/platform.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { lastDays, type DayRange } from '#src/shared/day-range.ts';
import type { Cents } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';

const SELLERS = { kind: 'system', why: 'promo codes have no tenant; access was checked before' } as const;
const OFFICE = { kind: 'system', why: 'platform admins see all organizations' } as const;
const AUDIT = { kind: 'system', why: 'the reconciliation checks every organization' } as const;
/** More galleries or orders are shown as "1,000+". */
const COUNTED_UP_TO = 1_001;
const DIFFERENCES_AT_MOST = 500;

type ReportDeps = Pick<Platform, 'database' | 'clock'> & {
  galleries: Pick<GalleryService, 'ownGallery'>;
  organizations: Pick<OrganizationService, 'byId'>;
};
export type ReportService = ReturnType<typeof createReportService>;

type Report = { sellers: rules.SellerReport[]; total: rules.Totals; days: SalesDay[]; unit: TimeUnit };
export type Dashboard = {
  days: SalesDay[];
  now: SalesCount;
  /** Net sales and donations of these days, as in the report. */
  netCents: Cents;
  before: SalesCount;
  /** For a parent: its affiliates by name, with their sales of these days. */
  clubs: Club[];
};

const NO_TOTALS = rules.sumOf([]);

type ReportContext = ReturnType<typeof contextOf>;

function contextOf(deps: ReportDeps) {
  const limit = createConcurrencyLimit({
    ...contract.REPORT_LIMITS,
    full: () => problem('unavailable', contract.REPORTS_ARE_BUSY, { retryAfterSeconds: 5 }),
  });
  return { ...deps, limit };
}

/** Today in the organization's time zone, `YYYY-MM-DD`. */
export function today(ctx: ReportContext, { timeZone }: Organization) {
  return machineDay(ctx.clock.now(), timeZone);
}

function allow(caller: Caller, organization: Organization, missing?: string): void {
  const { id: organizationId, parentOrganizationId } = organization;
  requireEditor(caller.actor, { organizationId, parentOrganizationId }, missing);
}

function sellersOf(ctx: ReportContext, organization: Organization, withBelow: boolean): Promise<reportsSql.Seller[]> {
  return ctx.database.read(SELLERS, (db) => reportsSql.listSellers(db, organization.id, withBelow));
}

async function sellerReports(
  ctx: ReportContext,
  sellers: readonly reportsSql.Seller[],
  range: DayRange | null,
  timeZone: string,
): Promise<rules.SellerReport[]> {
  const organizationIds = sellers.map(({ id }) => id);
  const sold = await ctx.database.read(tenantScope(...organizationIds), (db) =>
    reportsSql.listSales(db, { organizationIds, range, timeZone }),
  );
  const bySeller = Map.groupBy(sold, ({ organizationId }) => organizationId);
  return sellers.map((seller) => {
    const [whole, ...parts] = bySeller.get(seller.id) ?? [];
    const of = (id: 'galleryId' | 'couponId') =>
      parts.flatMap((part) => (part[id] === null ? [] : { id: part[id], name: part.name ?? '', totals: part.totals }));
    return { ...seller, totals: whole?.totals ?? NO_TOTALS, galleries: of('galleryId'), codes: of('couponId') };
  });
}

/** The organization that `for_org` selects: that of the call or, by id, one of its affiliates. @throws not_found for any other */
async function chosen(ctx: ReportContext, organization: Organization, forOrg: contract.ReportBody['for_org']) {
  if (typeof forOrg !== 'number' || forOrg === organization.id) return organization;
  const child = await ctx.organizations.byId(forOrg);
  if (!child || child.parentOrganizationId !== organization.id) throw notFound(contract.REPORTING_ERROR);
  return child;
}

/**
 * The report that a call requests, by seller, for whole days of the organization's time zone.
 * @throws unauthenticated; not_found; unavailable
 */
async function makeReport(ctx: ReportContext, caller: Caller, organizationId: number, body: contract.ReportBody) {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) throw notFound(contract.REPORTING_ERROR);
  allow(caller, organization, contract.REPORTING_ERROR);
  const subject = await chosen(ctx, organization, body.for_org);
  const withBelow = body.for_org === true || (body.for_org ?? null) === null;
  const range = contract.readDates(body);
  return ctx.limit.run(async () =>
    sellerReports(ctx, await sellersOf(ctx, subject, withBelow), range === 'invalid' ? null : range, subject.timeZone),
  );
}

/** The organization and, if it has no parent, its affiliates. */
async function belowOrItself(ctx: ReportContext, organization: Organization) {
  if (organization.parentOrganizationId === null) return sellersOf(ctx, organization, true);
  return [{ id: organization.id, name: organization.name, path: organization.domainName }];
}

/** `POST /affiliates/{id}/reports` as JSON. @throws as `makeReport` */
export async function answer(ctx: ReportContext, caller: Caller, organizationId: number, body: contract.ReportBody) {
  return rules.presentReport(await makeReport(ctx, caller, organizationId, body));
}

/**
 * The same as CSV, in parts of one organization and its galleries: a parent may have a thousand of them.
 * @throws as `makeReport`
 */
export async function csv(ctx: ReportContext, caller: Caller, organizationId: number, body: contract.ReportBody) {
  const sellers = await makeReport(ctx, caller, organizationId, body);
  return (function* () {
    const { head, rowsOf } = rules.csvReport(sellers);
    yield CSV_MARK + csvLine(head);
    for (const seller of sellers) yield rowsOf(seller).map(csvLine).join('');
  })();
}

/**
 * For the page: the organization and its affiliates, and sales over time without gaps; null means all time.
 * @throws unauthenticated; not_found; unavailable
 */
async function salesOf(
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
      sellerReports(ctx, found, range, timeZone),
      ctx.database.read(tenantScope(...organizationIds), (db) =>
        salesDaysSql.listDays(db, { organizationIds, range, timeZone }),
      ),
    ]);
    const covered = range ?? coveredBy(days, today(ctx, organization));
    const unit = unitFor(covered);
    return {
      sellers,
      total: rules.sumOf(sellers.map(({ totals }) => totals)),
      days: spread(days, covered, unit),
      unit,
    };
  });
}

/**
 * The last 30 days of an organization and its affiliates, by day and club, and the 30 before.
 * @throws unauthenticated; not_found
 */
export async function dashboard(ctx: ReportContext, caller: Caller, organization: Organization): Promise<Dashboard> {
  allow(caller, organization);
  const sellers = await belowOrItself(ctx, organization);
  const organizationIds = sellers.map(({ id }) => id);
  const { timeZone } = organization;
  const range = lastDays(today(ctx, organization), contract.STATS_DAYS);
  const both = lastDays(range.to, 2 * contract.STATS_DAYS);
  const clubs = sellers.filter(({ id }) => id !== organization.id);
  const { days, netCents, bySeller } = await ctx.database.read(tenantScope(...organizationIds), async (db) => ({
    days: await salesDaysSql.listDays(db, { organizationIds, range: both, timeZone }),
    netCents: await salesDaysSql.sumNet(db, { organizationIds, range, timeZone }),
    bySeller: clubs.length === 0 ? [] : await salesDaysSql.listBySeller(db, { organizationIds, range, timeZone }),
  }));
  const before = days.filter(({ day }) => day < range.from);
  const inRange = days.filter(({ day }) => day >= range.from);
  return {
    days: spread(inRange, range, 'day'),
    now: sumOfDays(inRange),
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

/** The figures that members see in the response about their affiliate, and its promo code; nothing for others. */
export async function statsFor(
  ctx: ReportContext,
  caller: Caller,
  organization: Organization,
): Promise<contract.OwnFigures | null> {
  const { id: organizationId, parentOrganizationId, timeZone } = organization;
  if (!mayEdit(caller.actor, { organizationId, parentOrganizationId })) return null;
  const organizationIds = (await belowOrItself(ctx, organization)).map(({ id }) => id);
  const range = lastDays(today(ctx, organization), contract.STATS_DAYS);
  return ctx.database.read(tenantScope(...organizationIds), async (db) => {
    const counts = await salesDaysSql.countSales(db, { organizationIds, timeZone }, range);
    return {
      ...presentStats(sumOfDays(counts.filter(({ isWithin }) => isWithin)), sumOfDays(counts)),
      promo_code: organization.takesPromoCodes ? await reportsSql.findPromoCode(db, organizationId) : null,
    };
  });
}

/** The last 30 days, or all time. @throws unauthenticated; not_found; unavailable when too many reports are being made */
export async function ofGallery(
  ctx: ReportContext,
  caller: Caller,
  galleryId: number,
  days: '30' | 'all',
): Promise<contract.GalleryReport> {
  const gallery = await ctx.galleries.ownGallery(caller, galleryId);
  const owner = await ctx.organizations.byId(gallery.organizationId);
  if (!owner) throw notFound();
  const lastDay = today(ctx, owner);
  const range = days === 'all' ? null : lastDays(lastDay, contract.STATS_DAYS);
  const filter = { organizationIds: [owner.id], range, timeZone: owner.timeZone, galleryId: gallery.id };
  const found = await ctx.limit.run(() =>
    ctx.database.read(tenantScope(owner.id), async (db) => ({
      days: await salesDaysSql.listGalleryDays(db, filter),
      bestSellers: await salesDaysSql.listBestSellers(db, filter, contract.BEST_SELLERS),
    })),
  );
  return presentGalleryReport(gallery, found, range ?? coveredBy(found.days, lastDay));
}

export const createReportService = (deps: ReportDeps) =>
  bind(contextOf(deps), { today, answer, csv, salesOf, dashboard, statsFor, ofGallery });

/** The figures of these organizations for the office's list; one query. @throws unauthenticated; forbidden */
export async function figuresOf(ctx: Pick<ReportDeps, 'database'>, caller: Caller, ids: readonly number[]) {
  requirePlatformAdmin(caller.actor);
  const rows = await ctx.database.read(OFFICE, (db) => reportsSql.listFigures(db, ids, COUNTED_UP_TO));
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}

/** Organizations whose report differs from the ledger, for the nightly reconciliation; empty if all is well. */
export function differences(ctx: Pick<ReportDeps, 'database'>): Promise<reportsSql.ReportDifference[]> {
  return ctx.database.read(AUDIT, (db) => reportsSql.listReportDifferences(db, DIFFERENCES_AT_MOST));
}

/** The functions that need only the database. */
export const createReportCheck = (deps: Pick<ReportDeps, 'database'>) => bind(deps, { figuresOf, differences });
export type ReportCheck = ReturnType<typeof createReportCheck>;
