/**
 * Platform admins see who sold what: all organizations, one parent with its affiliates, one seller, one gallery. Sums
 * always cover everything requested; the orders themselves are read in parts, so that a hundred thousand of them can be
 * sent without holding them in memory or delaying others (threat 72).
 */
import { Readable } from 'node:stream';
import { requirePlatformAdmin, requireAdminUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import * as contract from '#src/features/admin-reports/admin-report.contract.ts';
import * as rules from '#src/features/admin-reports/admin-report.rules.ts';
import { createReportStream, watched } from '#src/features/admin-reports/admin-report-stream.service.ts';
import * as adminReportSql from '#src/features/admin-reports/admin-report.sql.ts';
import { bringSumsUpToDate } from '#src/features/reports/kept-sales.service.ts';
import { rangeOf } from '#src/features/reports/report-period.rules.ts';
import { sumOf } from '#src/features/reports/reports.rules.ts';
import { coveredBy, spread, unitFor } from '#src/features/reports/sales-days.rules.ts';
import { readDates, REPORTING_ERROR, REPORTS_ARE_BUSY } from '#src/features/reports/reports.contract.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { createConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import type { SiteOrigin } from '#src/shared/addresses.ts';
import { machineDay } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { pageOf } from '#src/shared/paging.ts';
import { notFound, orNull, problem } from '#src/shared/problem.ts';

const MARKS = { kind: 'system', why: 'platform admins mark orders of every organization' } as const;
const ALL = { kind: 'system', why: 'platform admins see what every organization sold' } as const;

type AdminReportDeps = { database: Database; clock: Clock; audit: AuditRecorder; origin: SiteOrigin };
export type AdminReports = ReturnType<typeof createAdminReports>;

type Filter = adminReportSql.SalesFilter;
type ChosenIds = { organizationId: number | null; affiliateId: number | null; galleryId: number | null };
/** `shown`: the number of organizations whose orders are read. */
type AdminReportRequest = ChosenIds & Pick<Filter, 'range' | 'showReconciled'> & { shown: number };

const NOTHING_CHOSEN = { organization: null, affiliate: null, gallery: null };

const choiceOf = ({ id, name, path }: adminReportSql.Place) => ({ id, name, path });

/** Which sellers, and how they are written. */
type Sending<One extends rules.Seller> = {
  find: (filter: Filter) => Promise<One[]>;
  write: (filter: Filter, sellers: readonly One[]) => AsyncGenerator<string>;
};

type AdminReportsContext = ReturnType<typeof contextOf>;

function contextOf(deps: AdminReportDeps) {
  const concurrency = createConcurrencyLimit({
    ...contract.ADMIN_REPORT_LIMITS,
    full: () => problem('unavailable', REPORTS_ARE_BUSY, { retryAfterSeconds: 5 }),
  });
  const { writeJson, writeFile } = createReportStream(deps.database, ALL);
  return { ...deps, concurrency, writeJson, writeFile };
}

/** Today for the platform, for ranges that end today. */
export function today(ctx: AdminReportsContext) {
  return machineDay(ctx.clock.now());
}

function nothingFound() {
  return notFound(REPORTING_ERROR);
}

/** The organizations and gallery of the ids. @throws not_found for unknown ids, or ids that do not belong together */
async function findPlaces(ctx: AdminReportsContext, ids: ChosenIds): Promise<adminReportSql.Places> {
  const places = await ctx.database.read(ALL, (db) => adminReportSql.findPlaces(db, ids));
  const { organization, affiliate, gallery } = places;
  if (ids.organizationId !== null && organization?.parentId !== null) throw nothingFound();
  if (ids.affiliateId !== null && !affiliate) throw nothingFound();
  if (affiliate && organization && ![affiliate.id, affiliate.parentId].includes(organization.id)) throw nothingFound();
  if (ids.galleryId !== null && !gallery) throw nothingFound();
  if (gallery && affiliate && gallery.organizationId !== affiliate.id) throw nothingFound();
  if (gallery && organization && ![gallery.organizationId, gallery.parentId].includes(organization.id))
    throw nothingFound();
  return places;
}

function filterOf(
  { organization, affiliate, gallery }: adminReportSql.Places,
  chosen: Pick<Filter, 'range' | 'showReconciled'>,
): Filter {
  return {
    organizationId: organization?.id ?? null,
    // An order has one seller: with a gallery, no other seller's orders matter.
    sellerId: affiliate?.id ?? gallery?.organizationId ?? null,
    galleryId: gallery?.id ?? null,
    ...chosen,
  };
}

/** The filter of the body, and the path of its organization. @throws not_found */
async function readFilter(ctx: AdminReportsContext, body: contract.AdminReportBody) {
  const places = await findPlaces(ctx, {
    organizationId: body.org_id || null,
    affiliateId: body.affiliate_id || null,
    galleryId: body.gallery_id || null,
  });
  const dates = readDates(body);
  const range =
    dates === null || dates === 'invalid'
      ? rangeOf(contract.readPeriod(body.date_range) ?? '7-days', today(ctx))
      : dates;
  return {
    filter: filterOf(places, { range, showReconciled: body.show_reconciled ?? false }),
    path: places.affiliate?.path ?? places.organization?.path ?? null,
  };
}

async function readSums(ctx: AdminReportsContext, filter: Filter) {
  await bringSumsUpToDate(ctx);
  return ctx.database.read(ALL, (db) => adminReportSql.listSellerSums(db, filter));
}

function readOrders(ctx: AdminReportsContext, filter: Filter, part: adminReportSql.OrdersPart) {
  return ctx.database.read(ALL, (db) => adminReportSql.listSoldOrders(db, filter, part));
}

/**
 * The result as a stream of text. It counts as running until it was sent or its reader has left, which means taking
 * nothing for a minute.
 * @throws unauthenticated; forbidden; not_found; unavailable
 */
async function send<One extends rules.Seller>(
  ctx: AdminReportsContext,
  caller: Caller,
  body: contract.AdminReportBody,
  { find, write }: Sending<One>,
): Promise<{ stream: Readable; fileName: string }> {
  requirePlatformAdmin(caller.actor);
  const { filter, path } = await readFilter(ctx, body);
  const release = await ctx.concurrency.acquire();
  try {
    const sellers = await find(filter);
    if (sellers.length === 0) throw nothingFound();
    const stream = Readable.from(
      watched(write(filter, sellers), () => stream.destroy()),
      { highWaterMark: 1 },
    );
    stream.once('close', release);
    return { stream, fileName: rules.exportName(filter.range, path) };
  } catch (error) {
    release();
    throw error;
  }
}

/** The whole response of `POST /orders/admin-report`, as JSON text. @throws as `send` */
export function answer(ctx: AdminReportsContext, caller: Caller, body: contract.AdminReportBody) {
  return send(ctx, caller, body, { find: (filter) => readSums(ctx, filter), write: ctx.writeJson });
}

/** The file of `POST /orders/admin-report-csv.csv`. @throws as `send` */
export function file(ctx: AdminReportsContext, caller: Caller, body: contract.AdminReportBody) {
  // The file contains no sums.
  const find = (filter: Filter) => ctx.database.read(ALL, (db) => adminReportSql.listSellers(db, filter));
  return send(ctx, caller, body, { find, write: ctx.writeFile });
}

/**
 * Marks a sold order as reconciled (it agrees with the bank), or removes the mark; idempotent. Who did it and when is
 * stored with the order and in the audit log. The mark moves no money: payouts neither need nor set it. Returns the
 * order's row of the report.
 * @throws unauthenticated; forbidden; not_found
 */
export async function mark(
  ctx: AdminReportsContext,
  caller: Caller,
  orderId: number,
  { reconciled }: { reconciled: boolean },
): Promise<contract.AdminReportRow> {
  const { userId } = requireAdminUser(caller.actor);
  const sellerId = await ctx.database.write(MARKS, async (tx) => {
    const marked = await adminReportSql.markOrder(tx, { orderId, reconciled, userId, at: ctx.clock.now() });
    if (!marked) throw notFound(ORDER_NOT_FOUND);
    if (marked.changed)
      await ctx.audit.record(tx, caller, {
        action: reconciled ? 'order.reconciled' : 'order.reconciliation_undone',
        organizationId: marked.organizationId,
        object: ['order', orderId],
      });
    return marked.organizationId;
  });
  const filter: Filter = { organizationId: null, sellerId, galleryId: null, range: null, showReconciled: true };
  const [row] = await readOrders(ctx, filter, { sellerIds: [sellerId], only: orderId });
  if (!row) throw notFound(ORDER_NOT_FOUND);
  return rules.presentRow(row);
}

/**
 * For the page: sums of everything, sales over time, and the newest orders of the first organizations by name. Null if
 * nothing is found, with whether there is any organization yet.
 * @throws unauthenticated; forbidden; unavailable
 */
export async function view(ctx: AdminReportsContext, caller: Caller, request: AdminReportRequest) {
  requirePlatformAdmin(caller.actor);
  const places = await orNull(findPlaces(ctx, request));
  if (!places) return { chosen: NOTHING_CHOSEN, report: null, isNew: false };
  const chosen = {
    organization: places.organization && choiceOf(places.organization),
    affiliate: places.affiliate && choiceOf(places.affiliate),
    gallery: places.gallery && { id: places.gallery.id, name: places.gallery.name },
  };
  return ctx.concurrency.run(async () => {
    const filter = filterOf(places, request);
    const sellers = await readSums(ctx, filter);
    const days = await ctx.database.read(ALL, (db) => adminReportSql.listSalesDays(db, filter));
    if (sellers.length === 0) return { chosen, report: null, isNew: !places.hasOrganizations };
    const shown = sellers.slice(0, request.shown);
    const orders = await readOrders(ctx, filter, {
      sellerIds: shown.map(({ id }) => id),
      limit: contract.ORDERS_SHOWN + 1,
    });
    const bySeller = Map.groupBy(orders, ({ organizationId }) => organizationId);
    const covered = filter.range ?? coveredBy(days, today(ctx));
    const unit = unitFor(covered);
    return {
      chosen,
      isNew: false,
      report: {
        total: sumOf(sellers.map(({ totals }) => totals)),
        days: spread(days, covered, unit),
        unit,
        organizations: sellers.length,
        sellers: shown.map((seller) => rules.presentSection(seller, bySeller.get(seller.id) ?? [], ctx.origin)),
      },
    };
  });
}

/** Galleries to choose from. @throws unauthenticated; forbidden */
export async function galleryChoices(ctx: AdminReportsContext, caller: Caller, organizationId: number, search = '') {
  requirePlatformAdmin(caller.actor);
  return ctx.database.read(ALL, (db) =>
    adminReportSql.listGalleryChoices(db, { organizationId, search: search.trim(), limit: contract.CHOICES_SHOWN }),
  );
}

/** The response with a part of each organization's orders. @throws as `send` */
export async function page(
  ctx: AdminReportsContext,
  caller: Caller,
  body: contract.AdminReportBody,
  { limit, after }: { limit: number } & Pick<contract.AdminReportQuery, 'after'>,
): Promise<contract.AdminReportAnswer> {
  requirePlatformAdmin(caller.actor);
  const { filter } = await readFilter(ctx, body);
  return ctx.concurrency.run(async () => {
    const sellers = await readSums(ctx, filter);
    if (sellers.length === 0) throw nothingFound();
    // A key belongs to one organization; with several it would be ambiguous.
    if (after !== undefined && sellers.length > 1) throw nothingFound();
    const sellerIds = sellers.map(({ id }) => id);
    const orders = await readOrders(ctx, filter, { sellerIds, limit: limit + 1, after: after ?? null });
    const bySeller = Map.groupBy(orders, ({ organizationId }) => organizationId);
    return sellers.map((seller) => {
      const { shown, next } = pageOf(bySeller.get(seller.id) ?? [], limit);
      return { ...rules.presentSeller(seller), complete_orders: shown.map(rules.presentRow), next };
    });
  });
}

export const createAdminReports = (deps: AdminReportDeps) =>
  bind(contextOf(deps), { today, answer, file, mark, view, galleryChoices, page });
