/** A large report of the platform: nothing is lost between its parts, and only a few are sent at the same time. */
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import {
  ADMIN_REPORT_LIMITS,
  ORDERS_A_PART,
  type AdminReportAnswer,
} from '#src/features/admin-reports/admin-report.contract.ts';
import { batchesOf } from '#src/features/admin-reports/admin-report.rules.ts';
import { REPORTS_ARE_BUSY } from '#src/features/reports/reports.contract.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let admin: Caller;
const MANY = 4 * ORDERS_A_PART + 7;
const FEW = 30;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  admin = {
    actor: await server.app.accounts.actorOf(people.tokens.admin),
    visitorId: null,
    unlocks: new Map<number, string>(),
    ip: '127.0.0.1',
  };
  const sell = (sellerId: number, count: number) =>
    server.data.ownerQuery(
      `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                           subtotal_cents, tax_cents, donation_cents, share_bps, created_at, paid_at)
       select md5($1::text || n), $1::bigint, md5($1::text || n), '\\x00', 'paid', 'Ann', 'Buyer', 'ann@buyers.test', n, 0, 0, 2000, made.at, made.at
         from generate_series(1, $2::int) as n,
              -- Many of one moment: the order of those is that of their numbers.
              lateral (select now() - n / 500 * interval '1 minute' as at) made`,
      [sellerId, count],
    );
  await sell(people.hawks.id, MANY);
  await sell(people.stranger.id, FEW);
  await sell(people.tides.id, FEW);
});

const ask = (url: string) =>
  server.call({ method: 'POST', url, as: people.tokens.admin, payload: { date_range: 'all' } });

test('a report with many parts has every order once, newest first', async () => {
  const answer = (await ask('/api/v1/orders/admin-report')).json<AdminReportAnswer>();
  expect(answer.map(({ complete_orders: orders }) => orders.length)).toEqual([MANY, FEW, FEW]);
  for (const { complete_orders: orders } of answer) {
    expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
    const places = orders.map(({ created_at, id }) => `${created_at} ${String(id).padStart(10, '0')}`);
    expect(places).toEqual(places.toSorted().toReversed());
  }
  const file = parse((await ask('/api/v1/orders/admin-report-csv.csv')).body, { bom: true, columns: true });
  expect((file as Record<string, string>[]).map((row) => Number(row['Order']))).toEqual(
    answer.flatMap(({ complete_orders: orders }) => orders.map(({ id }) => id)),
  );
});

test('the parts together equal one statement over everything', async () => {
  const inParts = (await ask('/api/v1/orders/admin-report')).json<AdminReportAnswer>();
  const whole = await server.app.adminReports.page(admin, { date_range: 'all' }, { limit: MANY, after: undefined });
  // Compared as text: a deep comparison of so many fields takes a minute.
  expect(JSON.stringify(inParts) === JSON.stringify(whole)).toBe(true);
});

test('reconciling an order while a report is sent moves no other order', async () => {
  const { stream } = await server.app.adminReports.file(admin, { date_range: 'all', affiliate_id: people.hawks.id });
  const texts: string[] = [];
  for await (const text of stream as AsyncIterable<string>) {
    // The header has arrived; the orders are about to be read.
    if (texts.length === 1)
      await server.data.ownerQuery(
        'update orders set reconciled_at = now() where organization_id = $1 and subtotal_cents % 7 = 0',
        [people.hawks.id],
      );
    texts.push(text);
  }
  const subtotals = (parse(texts.join(''), { bom: true, columns: true }) as Record<string, string>[]).map((row) =>
    Math.round(Number(row['Subtotal']) * 100),
  );
  expect(new Set(subtotals).size).toBe(subtotals.length);
  expect(subtotals.filter((subtotal) => subtotal % 7 !== 0)).toHaveLength(MANY - Math.floor(MANY / 7));
  await server.data.ownerQuery('update orders set reconciled_at = null where organization_id = $1', [people.hawks.id]);
});

test('some reports are sent, some wait, and the next is refused until later; a client that leaves frees its slot', async () => {
  const begin = () => server.app.adminReports.file(admin, { date_range: 'all' });
  const { atOnce, waiting } = ADMIN_REPORT_LIMITS;
  const sent = await Promise.all(Array.from({ length: atOnce }, begin));
  const inLine = Array.from({ length: waiting + 1 }, begin);
  const refused = await Promise.any(
    inLine.map(async (next) => {
      const refusal = await next.then(
        () => null,
        (error: unknown) => error,
      );
      if (refusal === null) throw new Error('this one was accepted');
      return refusal;
    }),
  );
  expect(refused).toMatchObject({
    code: 'unavailable',
    message: REPORTS_ARE_BUSY,
    details: { retryAfterSeconds: 5 },
  });
  for (const { stream } of sent) stream.destroy();
  const files = await Promise.all(
    inLine.map(async (next) => {
      const file = await next.catch(() => null);
      file?.stream.destroy();
      return file;
    }),
  );
  expect(files.filter((file) => file !== null)).toHaveLength(waiting);
  expect((await ask('/api/v1/orders/admin-report?limit=1')).statusCode).toBe(200);
});

test.each<[string, number[], number[][]]>([
  ['no one', [], []],
  ['a few small ones together', [10, 20, 30], [[10, 20, 30]]],
  ['no more than there is space for', [60, 30, 20], [[60, 30], [20]]],
  ['a large one alone', [250, 5, 5], [[250], [5, 5]]],
  ['a large one behind small ones', [5, 250, 5], [[5], [250], [5]]],
])('parts of a hundred orders: %s', (_what, sizes, parts) => {
  const sellers = sizes.map((rows) => ({ rows }));
  expect(batchesOf(sellers, 100).map((batch) => batch.map(({ rows }) => rows))).toEqual(parts);
});
