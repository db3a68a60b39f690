/**
 * All orders of the platform's report as text (threat 72, decision record 0030). They are read in parts, a few ahead of
 * the writer: a hundred thousand orders are never in memory together, and the database works while a part is sent.
 * Between small pieces of text other requests get their turn. All such reports of a process together run few statements
 * at a time.
 */
import { setImmediate } from 'node:timers/promises';
import {
  ORDERS_A_PART,
  ORDERS_A_TURN,
  PARTS_AHEAD,
  READER_GONE_MS,
} from '#src/features/admin-reports/admin-report.contract.ts';
import * as rules from '#src/features/admin-reports/admin-report.rules.ts';
import * as adminReportSql from '#src/features/admin-reports/admin-report.sql.ts';
import type { Database, Reader, Scope } from '#src/platform/db/db.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import { CSV_MARK, csvLine } from '#src/shared/csv.ts';
import { bind } from '#src/shared/bind.ts';
import { readAhead } from '#src/shared/read-ahead.ts';

/** The orders of one seller that were read together. */
type Part<One> = { seller: One; orders: rules.SoldOrderRow[] };
/** What is read together: some whole sellers, or a range of one seller's orders, after one order and up to another. */
type Range<One> = {
  sellers: readonly One[];
  isFirst: boolean;
  after: Promise<number | null>;
  upTo: Promise<number | null>;
};

const UNBOUNDED = Promise.resolve(null);

type ReportStreamContext = { database: Database; scope: Scope; limit: ConcurrencyLimit };

function read<T>(ctx: ReportStreamContext, work: (db: Reader) => Promise<T>): Promise<T> {
  return ctx.limit.run(() => ctx.database.read(ctx.scope, work));
}

/** The ranges to read, in order. The end of a range is looked up when it is needed. */
function* rangesOf<One extends rules.Seller>(
  ctx: ReportStreamContext,
  filter: adminReportSql.SalesFilter,
  sellers: readonly One[],
): Generator<Range<One>> {
  for (const batch of rules.batchesOf(sellers, ORDERS_A_PART)) {
    const [seller] = batch;
    const count = seller && batch.length === 1 ? Math.ceil(seller.rows / ORDERS_A_PART) : 1;
    if (!seller || count === 1) {
      yield { sellers: batch, isFirst: true, after: UNBOUNDED, upTo: UNBOUNDED };
      continue;
    }
    const size = Math.ceil(seller.rows / count);
    let after: Promise<number | null> = UNBOUNDED;
    for (let part = 0; part < count; part++) {
      const upTo = after.then((order) => {
        if (part === count - 1 || (part > 0 && order === null)) return null;
        return read(ctx, (db) => adminReportSql.findPartEnd(db, filter, { sellerId: seller.id, after: order, size }));
      });
      // The error is reported where the range is read.
      upTo.catch(() => undefined);
      yield { sellers: batch, isFirst: part === 0, after, upTo };
      after = upTo;
    }
  }
}

/** All orders of these sellers in parts: one seller after another, each newest first. */
async function* readParts<One extends rules.Seller>(
  ctx: ReportStreamContext,
  filter: adminReportSql.SalesFilter,
  sellers: readonly One[],
): AsyncGenerator<Part<One>> {
  const ranges = readAhead(rangesOf(ctx, filter, sellers), PARTS_AHEAD, async (range) => {
    const [after, upTo] = await Promise.all([range.after, range.upTo]);
    // The previous range had no end: there are fewer orders than were counted.
    if (after === null && !range.isFirst) return { ...range, orders: [] };
    const sellerIds = range.sellers.map(({ id }) => id);
    const orders = await read(ctx, (db) => adminReportSql.listSoldOrders(db, filter, { sellerIds, after, upTo }));
    return { ...range, orders };
  });
  for await (const { sellers: some, orders } of ranges) {
    const bySeller = Map.groupBy(orders, ({ organizationId }) => organizationId);
    for (const seller of some) yield { seller, orders: bySeller.get(seller.id) ?? [] };
  }
}

/** The response of `POST /orders/admin-report`. */
export async function* writeJson(
  ctx: ReportStreamContext,
  filter: adminReportSql.SalesFilter,
  sellers: readonly rules.SellerSums[],
): AsyncGenerator<string> {
  let open: rules.SellerSums | null = null;
  let isFirstOrder = true;
  let text = '[';
  for await (const { seller, orders } of readParts(ctx, filter, sellers)) {
    if (seller !== open) {
      text += open === null ? '' : '],"next":null},';
      text += `${JSON.stringify(rules.presentSeller(seller)).slice(0, -1)},"complete_orders":[`;
      open = seller;
      isFirstOrder = true;
    }
    for (const some of turnsOf(orders)) {
      for (const order of some) {
        text += (isFirstOrder ? '' : ',') + JSON.stringify(rules.presentRow(order));
        isFirstOrder = false;
      }
      yield text;
      text = '';
      await setImmediate();
    }
  }
  yield text + (open === null ? ']' : '],"next":null}]');
}

/** The file of `POST /orders/admin-report-csv.csv`. */
export async function* writeFile(
  ctx: ReportStreamContext,
  filter: adminReportSql.SalesFilter,
  sellers: readonly rules.FiledSeller[],
): AsyncGenerator<string> {
  const columns = rules.exportColumns(sellers);
  yield CSV_MARK + csvLine(columns.map(({ head }) => head));
  for await (const { seller, orders } of readParts(ctx, filter, sellers))
    for (const some of turnsOf(orders)) {
      yield some.map((order) => csvLine(columns.map(({ cell }) => cell(order, seller)))).join('');
      await setImmediate();
    }
}

/** One for each process, so that all its reports share the limit. */
export function createReportStream(database: Database, scope: Scope) {
  return bind({ database, scope, limit: createConcurrencyLimit({ atOnce: PARTS_AHEAD }) }, { writeJson, writeFile });
}

/** Chunks that are written before other requests get their turn. */
function* turnsOf(orders: readonly rules.SoldOrderRow[]): Generator<rules.SoldOrderRow[]> {
  for (let at = 0; at < orders.length; at += ORDERS_A_TURN) yield orders.slice(at, at + ORDERS_A_TURN);
}

/** Passes chunks on; calls `giveUp` when the reader takes none for too long. */
export async function* watched(chunks: AsyncGenerator<string>, giveUp: () => void): AsyncGenerator<string> {
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
