/**
 * Platform admins ask who sold what: all organisations, one parent with those below it, one seller, one gallery. Sums are always of
 * everything that was asked for; the orders themselves are read in parts, so that a hundred thousand of them can be sent without
 * being held, and nobody else waits for it (threat 72).
 */
import { Readable } from 'node:stream';
import { requirePlatformAdmin, type Caller } from '#src/features/accounts/actor.rules.ts';
import {
  ADMIN_REPORT_LIMITS,
  ORDERS_A_BATCH,
  READER_GONE_MS,
  readPeriod,
  type AdminReportAnswer,
  type AdminReportBody,
  type AdminReportQuery,
  type AdminReportRow,
} from '#src/features/reports/admin-report.contract.ts';
import {
  batchesOf,
  exportCells,
  exportHead,
  exportName,
  presentRow,
  presentSeller,
  type SellerSums,
  type SoldOrderRow,
} from '#src/features/reports/admin-report.rules.ts';
import * as adminReportSql from '#src/features/reports/admin-report.sql.ts';
import { rangeOf } from '#src/features/reports/report-period.rules.ts';
import { readDates, REPORTING_ERROR, REPORTS_ARE_BUSY } from '#src/features/reports/reports.contract.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { createTurnstile } from '#src/platform/limits/turnstile.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { machineDay } from '#src/shared/dates.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const ALL = { kind: 'system', why: 'platform admins see what every organisation sold' } as const;

export type AdminReportDeps = { database: Database; clock: Clock };
export type AdminReports = ReturnType<typeof createAdminReports>;

type Filter = adminReportSql.SalesFilter;
/** Somebody's orders, as many as were read at once. */
type Part = { seller: SellerSums; orders: SoldOrderRow[] };

export function createAdminReports({ database, clock }: AdminReportDeps) {
  const enter = createTurnstile({
    ...ADMIN_REPORT_LIMITS,
    full: () => problem('unavailable', REPORTS_ARE_BUSY, { retryAfterSeconds: 5 }),
  });
  /** Of the platform, for ranges that end today. */
  const today = () => machineDay(clock.now());
  const nothingFound = () => notFound(REPORTING_ERROR);

  /** Takes a place, to be left by the function that is answered. @throws unavailable */
  async function takePlace(): Promise<() => void> {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const stay = enter(() => {
      arrive();
      return left;
    });
    await Promise.race([arrived, stay]);
    return leave;
  }

  /** What the body asks for, and the path of the organisation it names. @throws not_found for ids that do not belong together */
  async function readFilter(body: AdminReportBody): Promise<{ filter: Filter; path: string | null }> {
    const idOf = (id: number | '' | null | undefined) => (id === '' || id === undefined ? null : id);
    const ids = {
      organizationId: idOf(body.org_id),
      affiliateId: idOf(body.affiliate_id),
      galleryId: idOf(body.gallery_id),
    };
    const { organization, affiliate, gallery } = await database.read(ALL, (db) => adminReportSql.findPlaces(db, ids));
    if (ids.organizationId !== null && organization?.parentId !== null) throw nothingFound();
    if (ids.affiliateId !== null && !affiliate) throw nothingFound();
    if (affiliate && organization && ![affiliate.id, affiliate.parentId].includes(organization.id))
      throw nothingFound();
    if (ids.galleryId !== null && !gallery) throw nothingFound();
    if (gallery && affiliate && gallery.organizationId !== affiliate.id) throw nothingFound();
    if (gallery && organization && ![gallery.organizationId, gallery.parentId].includes(organization.id))
      throw nothingFound();
    const dates = readDates(body);
    const filter: Filter = {
      organizationId: organization?.id ?? null,
      // An order has one seller: where a gallery is asked for, nobody else's orders need to be looked at.
      sellerId: affiliate?.id ?? gallery?.organizationId ?? null,
      galleryId: gallery?.id ?? null,
      range: dates === null || dates === 'invalid' ? rangeOf(readPeriod(body.date_range) ?? '7-days', today()) : dates,
      showReconciled: body.show_reconciled ?? false,
    };
    return { filter, path: affiliate?.path ?? organization?.path ?? null };
  }

  const readSums = (filter: Filter) => database.read(ALL, (db) => adminReportSql.listSellerSums(db, filter));
  const readOrders = (filter: Filter, part: adminReportSql.OrdersPart) =>
    database.read(ALL, (db) => adminReportSql.listSoldOrders(db, filter, part));

  /** All orders of these sellers in parts: one after the other, each newest first. */
  async function* readParts(filter: Filter, sellers: readonly SellerSums[]): AsyncGenerator<Part> {
    for (const batch of batchesOf(sellers, ORDERS_A_BATCH)) {
      const sellerIds = batch.map(({ id }) => id);
      let after: number | null = null;
      do {
        const orders: SoldOrderRow[] = await readOrders(filter, { sellerIds, limit: ORDERS_A_BATCH, after });
        const bySeller = Map.groupBy(orders, ({ organizationId }) => organizationId);
        for (const seller of batch) yield { seller, orders: bySeller.get(seller.id) ?? [] };
        after = batch.length === 1 && orders.length === ORDERS_A_BATCH ? (orders.at(-1)?.id ?? null) : null;
      } while (after !== null);
    }
  }

  /**
   * What is found, as a stream of text. A place is held until it was sent, or its reader has left; a reader who takes nothing for
   * a minute has. @throws unauthenticated; forbidden; not_found; unavailable
   */
  async function send(
    caller: Caller,
    body: AdminReportBody,
    write: (filter: Filter, sellers: readonly SellerSums[]) => AsyncGenerator<string>,
  ): Promise<{ stream: Readable; fileName: string }> {
    requirePlatformAdmin(caller.actor);
    const { filter, path } = await readFilter(body);
    const leave = await takePlace();
    try {
      const sellers = await readSums(filter);
      if (sellers.length === 0) throw nothingFound();
      const stream = Readable.from(
        watched(write(filter, sellers), () => stream.destroy()),
        { highWaterMark: 1 },
      );
      stream.once('close', leave);
      return { stream, fileName: exportName(filter.range, path) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function* writeJson(filter: Filter, sellers: readonly SellerSums[]): AsyncGenerator<string> {
    let open: SellerSums | null = null;
    let isFirstOrder = true;
    let text = '[';
    for await (const { seller, orders } of readParts(filter, sellers)) {
      if (seller !== open) {
        text += open === null ? '' : '],"next":null},';
        text += `${JSON.stringify(presentSeller(seller)).slice(0, -1)},"complete_orders":[`;
        open = seller;
        isFirstOrder = true;
      }
      for (const order of orders) {
        text += (isFirstOrder ? '' : ',') + JSON.stringify(presentRow(order));
        isFirstOrder = false;
      }
      yield text;
      text = '';
    }
    yield open === null ? ']' : '],"next":null}]';
  }

  async function* writeFile(filter: Filter, sellers: readonly SellerSums[]): AsyncGenerator<string> {
    const showsBuyers = sellers.some((seller) => seller.showsBuyers);
    yield CSV_MARK + csvLine(exportHead(showsBuyers));
    for await (const { seller, orders } of readParts(filter, sellers))
      yield orders.map((order) => csvLine(exportCells(order, seller, showsBuyers))).join('');
  }

  return {
    today,

    /** The whole answer of `POST /orders/admin-report`, as JSON text. @throws as `send` */
    answer: (caller: Caller, body: AdminReportBody) => send(caller, body, writeJson),

    /** The file of `POST /orders/admin-report-csv.csv`. @throws as `send` */
    file: (caller: Caller, body: AdminReportBody) => send(caller, body, writeFile),

    /** One order of a seller as the report has it; null where it was never sold. @throws unauthenticated; forbidden */
    async row(caller: Caller, sellerId: number, orderId: number): Promise<AdminReportRow | null> {
      requirePlatformAdmin(caller.actor);
      const filter: Filter = { organizationId: null, sellerId, galleryId: null, range: null, showReconciled: true };
      const [row] = await readOrders(filter, { sellerIds: [sellerId], limit: 1, after: null, only: orderId });
      return row ? presentRow(row) : null;
    },

    /** The answer with a part of each organisation's orders. @throws as `send` */
    async page(
      caller: Caller,
      body: AdminReportBody,
      { limit, after }: { limit: number } & Pick<AdminReportQuery, 'after'>,
    ): Promise<AdminReportAnswer> {
      requirePlatformAdmin(caller.actor);
      const { filter } = await readFilter(body);
      const leave = await takePlace();
      try {
        const sellers = await readSums(filter);
        if (sellers.length === 0) throw nothingFound();
        // A key is one organisation's; with several it would mean nothing.
        if (after !== undefined && sellers.length > 1) throw nothingFound();
        const sellerIds = sellers.map(({ id }) => id);
        const orders = await readOrders(filter, { sellerIds, limit: limit + 1, after: after ?? null });
        const bySeller = Map.groupBy(orders, ({ organizationId }) => organizationId);
        return sellers.map((seller) => {
          const found = bySeller.get(seller.id) ?? [];
          const shown = found.slice(0, limit);
          return {
            ...presentSeller(seller),
            complete_orders: shown.map(presentRow),
            next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
          };
        });
      } finally {
        leave();
      }
    },
  };
}

/** Hands chunks on, and gives up a reader who takes none for too long. */
async function* watched(chunks: AsyncGenerator<string>, giveUp: () => void): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    if (chunk === '') continue;
    const timer = setTimeout(giveUp, READER_GONE_MS);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}
