/** Prepaid credit in reports, stored sums, statements and office lists: sold credit is no sale, spent credit is one. */
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { AdminReportAnswer } from '#src/features/admin-reports/admin-report.contract.ts';
import type { ReportAnswer, TotalsAnswer } from '#src/features/reports/reports.contract.ts';
import type { StatementAnswer } from '#src/features/statements/statements.contract.ts';
import { cents } from '#src/shared/money.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { haveCredit, someBuyer } from '#tests/support/credit-codes.ts';
import { settleAnother, thisMonth, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;

/** Buys these photos at $4.00 with a code; returns the order. */
async function buy(
  organizationId: number,
  { photoIds, galleryId }: { photoIds: readonly number[]; galleryId: number },
  code: string,
  { subtotal, donation, charge }: { subtotal: number; donation: string; charge: number },
): Promise<string> {
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/orders',
    payload: {
      order: {
        user: someBuyer('10001'),
        donation,
        taxes: 0,
        subtotal,
        org_id: organizationId,
        donation_gallery_id: galleryId,
        checkout_key: randomUUID(),
        charge,
      },
      stripe_token: charge > 0 ? await payWith(server) : null,
      items: photoIds.map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
      codes: [code],
    },
  });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<{ vanity_id: string }>().vanity_id;
}

/**
 * $30.00 of credit with a bonus of $3.00. Two photos at $4.00 cost $5.00 with the bonus, paid by the code alone; four photos and a
 * donation of $14.00 are paid by its last $25.00 and a card; then $8.00 of that are refunded, to the code.
 */
beforeAll(async () => {
  people = await settleAnother(server);
  const { hawks, tokens } = people;
  const sale = await openSale(server, tokens.owner, hawks.id, { photos: 6, priceDollars: 4, name: 'Cup' });
  const { code } = await haveCredit(server, hawks.id, 3000, 300);
  await buy(hawks.id, { ...sale, photoIds: sale.photoIds.slice(0, 2) }, code, { subtotal: 5, donation: '', charge: 0 });
  const both = await buy(hawks.id, { ...sale, photoIds: sale.photoIds.slice(2) }, code, {
    subtotal: 16,
    donation: '$14.00',
    charge: 5,
  });
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
  const url = `/api/v1/affiliates/${people.hawks.id}/statements/${thisMonth()}`;
  const get = (path: string) => server.call({ method: 'GET', url: path, as: people.tokens.owner });
  const statement = (await get(url)).json<StatementAnswer>();
  expect(amounts(statement)).toEqual(AMOUNTS);
  const { lines } = (await get(`${url}/lines`)).json<{ lines: { type: string; credit_sold?: number }[] }>();
  expect(lines.filter((line) => line.credit_sold)).toMatchObject([{ credit_sold: 30 }]);
  const file = (await get(`${url}.csv`)).body;
  for (const words of ['"Prepaid credit sold"', '"Prepaid credit used"']) expect(file).toContain(words);
});

test('a balance that was paid out takes no place among the lines of a page', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const { orderId } = await haveCredit(server, hawks.id, 900);
  const [sold] = await server.data.ownerQuery<{ id: number }>('select id from credit_codes where order_id = $1', [
    orderId,
  ]);
  const url = `/api/v1/credit/${sold?.id}/pay_out`;
  expect((await server.call({ method: 'POST', url, as: tokens.admin, payload: {} })).statusCode).toBe(200);
  await haveCredit(server, hawks.id, 2500);
  await haveCredit(server, hawks.id, 2500);
  const month = `/api/v1/affiliates/${hawks.id}/statements/${thisMonth()}/lines`;
  const page = async (more: string) =>
    (await server.call({ method: 'GET', url: `${month}?limit=2${more}`, as: tokens.owner })).json<{
      lines: { credit_sold?: number }[];
      next: string | null;
    }>();
  const first = await page('');
  expect(first.lines.map((line) => line.credit_sold)).toEqual([9, 25]);
  const second = await page(`&after=${first.next}`);
  expect([second.lines.map((line) => line.credit_sold), second.next]).toEqual([[25], null]);
});

/** What the statement, its last line and the report say about sold credit. */
async function soldOf(organizationId: number, as: string) {
  const month = `/api/v1/affiliates/${organizationId}/statements/${thisMonth()}`;
  const get = async <T>(path: string) => (await server.call({ method: 'GET', url: path, as })).json<T>();
  const { lines } = await get<{ lines: object[] }>(`${month}/lines`);
  const url = `/api/v1/affiliates/${organizationId}/reports`;
  const report = await server.call({ method: 'POST', url, as, payload: { responseType: 'json' } });
  return {
    statement: (await get<StatementAnswer>(month)).credit_sold ?? 0,
    lastLine: lines.at(-1),
    report: report.json<ReportAnswer>()[String(organizationId)]?.totals.credit_sold ?? 0,
  };
}

test('refunded credit is no longer sold: the statement, its lines and the report say the same', async () => {
  const { tides, tokens } = people;
  const { vanityId } = await haveCredit(server, tides.id, 1000);
  await haveCredit(server, tides.id, 2500);
  const refund = { reason: 'A wish', refund_key: randomUUID() };
  const url = `/api/v1/orders/${vanityId}/refunds`;
  const given = await server.call({ method: 'POST', url, as: tokens.admin, payload: refund });
  expect(given.statusCode, given.body).toBe(201);
  expect(await soldOf(tides.id, tokens.admin)).toMatchObject({
    statement: 25,
    lastLine: { words: 'Prepaid credit refunded', credit_sold: -10, change: 0 },
    report: 25,
  });
});

test('credit that was spent before all of it was refunded at the card provider is no longer sold, either', async () => {
  const { hawks, tokens } = await settleAnother(server);
  const sale = await openSale(server, tokens.owner, hawks.id, { photos: 4, priceDollars: 4, name: 'Cup' });
  const { code, vanityId, orderId } = await haveCredit(server, hawks.id, 3000);
  await buy(hawks.id, sale, code, { subtotal: 16, donation: '', charge: 0 });
  const [charge] = await server.data.ownerQuery<{ ref: string }>(
    "select provider_ref as ref from payment_attempts where order_id = $1 and kind = 'charge'",
    [orderId],
  );
  const refund = { idempotencyKey: randomUUID(), chargeId: charge?.ref ?? '', amountCents: cents(3000) };
  expect(await server.platform.payments.refund(refund)).toMatchObject({ state: 'succeeded' });
  await reportCharge(server, vanityId, { refundedCents: 3000 });
  expect(await soldOf(hawks.id, tokens.admin)).toMatchObject({
    statement: 0,
    lastLine: { words: 'Prepaid credit refunded', credit_sold: -30, change: -16 },
    report: 0,
  });
});
