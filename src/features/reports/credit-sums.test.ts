/** Prepaid credit in reports, stored sums, statements and office lists: sold credit is no sale, spent credit is one. */
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { AdminReportAnswer } from '#src/features/admin-reports/admin-report.contract.ts';
import type { ReportAnswer, TotalsAnswer } from '#src/features/reports/reports.contract.ts';
import type { StatementAnswer } from '#src/features/statements/statements.contract.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { haveCredit, someBuyer } from '#tests/support/credit-codes.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;

/**
 * $30.00 of credit with a bonus of $3.00. Two photos at $4.00 cost $5.00 with the bonus, paid by the code alone; four photos and a
 * donation of $14.00 are paid by its last $25.00 and a card; then $8.00 of that are refunded, to the code.
 */
beforeAll(async () => {
  people = await settleAnother(server);
  const { hawks, tokens } = people;
  const sale = await openSale(server, tokens.owner, hawks.id, { photos: 6, priceDollars: 4, name: 'Cup' });
  const { code } = await haveCredit(server, hawks.id, 3000, 300);
  const buy = async (from: number, to: number, paid: { subtotal: number; donation: string; charge: number }) => {
    const { subtotal, donation, charge } = paid;
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/orders',
      payload: {
        order: {
          user: someBuyer('10001'),
          donation,
          taxes: 0,
          subtotal,
          org_id: hawks.id,
          donation_gallery_id: sale.galleryId,
          checkout_key: randomUUID(),
          charge,
        },
        stripe_token: charge > 0 ? await payWith(server) : null,
        items: sale.photoIds.slice(from, to).map((id) => ({ id, gallery_id: sale.galleryId, sales_price: 4 })),
        codes: [code],
      },
    });
    if (answer.statusCode !== 201) throw new Error(answer.body);
    return answer.json<{ vanity_id: string }>().vanity_id;
  };
  await buy(0, 2, { subtotal: 5, donation: '', charge: 0 });
  const both = await buy(2, 6, { subtotal: 16, donation: '$14.00', charge: 5 });
  const refund = { amount: 8, reason: 'A wish', refund_key: randomUUID() };
  const url = `/api/v1/orders/${both}/refunds`;
  const given = await server.call({ method: 'POST', url, as: tokens.admin, payload: refund });
  if (given.statusCode !== 201) throw new Error(given.body);
});

const amounts = ({ reductions, credit_used, credit_sold }: Partial<TotalsAnswer>) => [
  reductions,
  credit_used,
  credit_sold,
];
const AMOUNTS = [3, 22, 30];

test('the report shows credit next to its sales, in total and for the gallery where it was spent', async () => {
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${people.hawks.id}/reports`,
    as: people.tokens.owner,
    payload: { responseType: 'json', for_org: false },
  });
  const report = answer.json<ReportAnswer>()[people.hawks.id];
  expect(report?.totals).toMatchObject({ orders: 2, photos: 6 });
  expect(amounts(report?.totals ?? {})).toEqual(AMOUNTS);
  const [gallery] = Object.values(report?.galleries ?? {});
  expect(gallery?.totals.sales).toBe(report?.totals.sales);
});

test('the platform’s report shows the same from its stored sums, and for each order what credit paid', async () => {
  await server.app.keptSales.bringSumsUpToDate();
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/orders/admin-report',
    as: people.tokens.admin,
    payload: { affiliate_id: people.hawks.id, date_range: 'all', show_reconciled: true },
  });
  const [entry] = answer.json<AdminReportAnswer>();
  expect(amounts(entry?.totals ?? {})).toEqual(AMOUNTS);
  expect(
    entry?.complete_orders.map((order) => [
      order.total,
      order.credit_used,
      (JSON.parse(order.stripe_response) as { amount: number }).amount,
    ]),
  ).toEqual([
    [30, 25, 500],
    [5, 5, 0],
  ]);
  const broken = await checkInvariants({ database: server.platform.database, sandboxCards: true });
  expect(broken.filter((line) => !line.startsWith('I7:'))).toEqual([]);
});

test('both files have a column for what credit paid, and none where it paid nothing', async () => {
  const filed = async (url: string, as: string, payload: object) => {
    const answer = await server.call({ method: 'POST', url, as, payload });
    expect(answer.statusCode, answer.body).toBe(200);
    return parse(answer.body, { bom: true }) as string[][];
  };
  const platform = (affiliate: number) =>
    filed('/api/v1/orders/admin-report-csv.csv', people.tokens.admin, {
      affiliate_id: affiliate,
      date_range: 'all',
      show_reconciled: true,
    });
  expect((await platform(people.hawks.id)).map((row) => row.at(-1))).toEqual(['Prepaid credit used', '25.00', '5.00']);
  const own = { responseType: 'csv', for_org: false };
  const [head, whole] = await filed(`/api/v1/affiliates/${people.hawks.id}/reports`, people.tokens.owner, own);
  const columnOf = (name: string) => whole?.[head?.indexOf(name) ?? -1];
  expect([columnOf('Prepaid credit used'), columnOf('Prepaid credit sold')]).toEqual(['22.00', '30.00']);
  const { hawks, tokens } = await settleAnother(server);
  await buyPhotos(server, [await openSale(server, tokens.owner, hawks.id)]);
  expect((await platform(hawks.id)).map((row) => row.length)).toEqual([16, 16]);
  expect((await filed(`/api/v1/affiliates/${hawks.id}/reports`, tokens.owner, own))[0]).not.toContain(
    'Prepaid credit used',
  );
});

test('the statement has a line for sold credit and the sums of credit sold and used', async () => {
  const url = `/api/v1/affiliates/${people.hawks.id}/statements/${new Date().toISOString().slice(0, 7)}`;
  const get = (path: string) => server.call({ method: 'GET', url: path, as: people.tokens.owner });
  const statement = (await get(url)).json<StatementAnswer>();
  expect(amounts(statement)).toEqual(AMOUNTS);
  const { lines } = (await get(`${url}/lines`)).json<{ lines: { type: string; credit_sold?: number }[] }>();
  expect(lines.filter((line) => line.credit_sold)).toMatchObject([{ credit_sold: 30 }]);
  const file = (await get(`${url}.csv`)).body;
  for (const words of ['"Prepaid credit sold"', '"Prepaid credit used"']) expect(file).toContain(words);
});

test('refunded credit is no longer sold: the statement, its lines and the report say the same', async () => {
  const { tides, tokens } = people;
  const { vanityId } = await haveCredit(server, tides.id, 1000);
  await haveCredit(server, tides.id, 2500);
  const refund = { reason: 'A wish', refund_key: randomUUID() };
  const url = `/api/v1/orders/${vanityId}/refunds`;
  const given = await server.call({ method: 'POST', url, as: tokens.admin, payload: refund });
  expect(given.statusCode, given.body).toBe(201);
  const month = `/api/v1/affiliates/${tides.id}/statements/${new Date().toISOString().slice(0, 7)}`;
  const get = async <T>(path: string) => (await server.call({ method: 'GET', url: path, as: tokens.admin })).json<T>();
  expect((await get<StatementAnswer>(month)).credit_sold).toBe(25);
  const { lines } = await get<{ lines: object[] }>(`${month}/lines`);
  expect(lines.at(-1)).toMatchObject({ words: 'Prepaid credit refunded', credit_sold: -10, change: 0 });
  const report = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${tides.id}/reports`,
    as: tokens.admin,
    payload: { responseType: 'json' },
  });
  expect(report.json<ReportAnswer>()[String(tides.id)]?.totals.credit_sold).toBe(25);
});
