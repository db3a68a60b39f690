/**
 * Reductions by offers, early birds and codes in reports, stored sums and statements; sellers without them do not see these
 * columns.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import type { ReportAnswer, TotalsAnswer } from '#src/features/reports/reports.contract.ts';
import type { StatementAnswer } from '#src/features/statements/statements.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, thisMonth, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let cup: ForSale;
let camp: ForSale;

const HAWKS: SheetContent = {
  offers: [
    { id: 1, kind: 'bundle', photos: 3, priceCents: 1000 },
    { id: 2, kind: 'bundle', photos: 5, priceCents: 1500 },
    { id: 3, kind: 'gallery_pass', priceCents: 4000 },
  ],
  ownPricesTakePart: false,
  earlyBird: null,
};

const paid: number[] = [];
const passOf = ({ galleryId }: ForSale) => ({ kind: 'gallery_pass', gallery_id: galleryId });

const quote = async (body: object) => {
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders/quote', payload: body });
  return answer.json<{ subtotal: number }>().subtotal;
};

/** Buys at the quoted price; returns what was paid for the photos and passes. */
async function buy(
  photos: readonly (readonly [ForSale, number])[],
  more: { passes?: object[]; codes?: string[] } = {},
) {
  const email = `${randomUUID()}@buyers.test`;
  const items = photos.flatMap(([{ galleryId, photoIds }, many]) =>
    photoIds.slice(0, many).map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
  );
  const subtotal = await quote({ order: { org_id: people.hawks.id }, items, ...more });
  const user = { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '10001' };
  const order = { user, donation: '', taxes: 0, subtotal, org_id: people.hawks.id, checkout_key: randomUUID() };
  const payload = { order, stripe_token: await payWith(server), items, ...more };
  const answer = await server.call({ method: 'POST', url: '/api/v1/orders', payload });
  expect(answer.statusCode, answer.body).toBe(201);
  return subtotal;
}

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { hawks, tides, tokens } = people;
  cup = await openSale(server, tokens.owner, hawks.id, { photos: 6, priceDollars: 4, name: 'Cup' });
  camp = await openSale(server, tokens.owner, hawks.id, { photos: 6, priceDollars: 4, name: 'Camp' });
  const sheetId = await useSheet(server.data, { sellerId: hawks.id, galleryId: cup.galleryId }, HAWKS);
  await server.data.ownerQuery('update galleries set price_sheet_id = $2 where id = $1', [camp.galleryId, sheetId]);
  await makeCoupon(server.data, { sellerId: hawks.id }, { code: 'HAWKS20', kind: 'percent', value: 2000 });
  await makeCoupon(server.data, { sellerId: hawks.id }, { code: 'TEAM2', kind: 'photos', value: 2, maxUses: 99 });
  const plain = await openSale(server, tokens.neighbor, tides.id, { photos: 2, priceDollars: 7, name: 'Meet' });
  await buyPhotos(server, [plain], {});
  // 6 instead of $24.00; the same with 20% off; four of six; a pass alone with 20% off; one that costs more than its photos; one photo.
  const both = [
    [cup, 3],
    [camp, 3],
  ] as const;
  paid.push(await buy([[cup, 6]]));
  paid.push(await buy(both, { codes: ['HAWKS20'] }));
  paid.push(await buy([[camp, 6]], { codes: ['TEAM2'] }));
  paid.push(await buy([], { passes: [passOf(cup)], codes: ['HAWKS20'] }));
  paid.push(await buy([[camp, 2]], { passes: [passOf(camp)] }));
  paid.push(await buy([[camp, 1]]));
});

const reportOf = async (organizationId: number, token: string, responseType: 'json' | 'csv' = 'json') =>
  server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${organizationId}/reports`,
    as: token,
    payload: { responseType, for_org: false },
  });
const THE_FOUR = ['offers_saved', 'reductions', 'credit_used', 'credit_sold'] as const;
const four = (totals: TotalsAnswer | undefined) => THE_FOUR.map((name) => totals?.[name]);
const sum = (all: readonly TotalsAnswer[], name: 'sales' | (typeof THE_FOUR)[number]) =>
  Math.round(all.reduce((total, totals) => total + (totals[name] ?? 0), 0) * 100) / 100;

describe('the report of a seller with offers', () => {
  test('has sales after offers and reductions, and the amounts these saved, in total, by gallery and by code', async () => {
    const report = (await reportOf(people.hawks.id, people.tokens.owner)).json<ReportAnswer>()[people.hawks.id];
    expect(paid).toEqual([19, 15.2, 14, 32, 40, 4]);
    // Saved: 5 + 5 + 2 by bundles. Reduced: 3.80 of the six, two photos, 8.00 of the pass.
    expect(report?.totals.sales).toBe(124.2);
    expect(four(report?.totals)).toEqual([12, 19.8, 0, 0]);
    const galleries = Object.values(report?.galleries ?? {}).map(({ totals }) => totals);
    for (const name of ['sales', 'offers_saved', 'reductions'] as const)
      expect(sum(galleries, name), name).toBe(report?.totals[name]);
    expect(
      Object.values(report?.codes ?? {}).map(({ name, totals }) => [
        name,
        totals.orders,
        totals.sales,
        ...four(totals),
      ]),
    ).toEqual([
      ['HAWKS20', 2, 47.2, 5, 11.8, 0, 0],
      ['TEAM2', 1, 14, 2, 8, 0, 0],
    ]);
  });

  test('has the same figures as a file', async () => {
    const file = (await reportOf(people.hawks.id, people.tokens.owner, 'csv')).body;
    const [head, ...rows] = file
      .trim()
      .split('\r\n')
      .map((line) => line.replaceAll('"', '').split(','));
    const at = ['Gallery', 'Sales', 'Saved by offers', 'Reductions'].map((name) => head?.indexOf(name) ?? -1);
    const cells = rows.map((row) => at.map((place) => row[place]));
    expect(cells[0]).toEqual(['All galleries', '124.20', '12.00', '19.80']);
    expect(cells).toContainEqual(['Code TEAM2', '14.00', '2.00', '8.00']);
  });

  test('agrees with the stored sums of the platform’s report, and these with the orders', async () => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/orders/admin-report',
      as: people.tokens.admin,
      payload: { affiliate_id: people.hawks.id, date_range: 'all', show_reconciled: true },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const [entry] = answer.json<{ totals: TotalsAnswer }[]>();
    expect([entry?.totals.sales, ...four(entry?.totals)]).toEqual([124.2, 12, 19.8, 0, 0]);
    // These photos have no image files.
    const broken = await checkInvariants({ database: server.platform.database, sandboxCards: true });
    expect(broken.filter((line) => !line.startsWith('I7:'))).toEqual([]);
  });

  test('has a statement whose sales, savings and reductions add up to the single prices of the photos', async () => {
    const url = `/api/v1/affiliates/${people.hawks.id}/statements/${thisMonth()}`;
    const get = (path: string) => server.call({ method: 'GET', url: path, as: people.tokens.owner });
    const statement = (await get(url)).json<StatementAnswer>();
    expect([statement.movements.sales, statement.offers_saved, statement.reductions]).toEqual([124.2, 12, 19.8]);
    const { lines } = (await get(`${url}/lines`)).json<{ lines: StatementAnswer[] }>();
    expect(lines.map(({ offers_saved, reductions }) => [offers_saved, reductions])).toEqual([
      [5, 0],
      [5, 3.8],
      [2, 8],
      [0, 8],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect((await get(`${url}.csv`)).body).toContain('"Saved by offers","Reductions"');
  });
});

test('a seller without offers has unchanged answers, files and statements', async () => {
  const { tides, tokens } = people;
  const json = (await reportOf(tides.id, tokens.neighbor)).body;
  const csv = (await reportOf(tides.id, tokens.neighbor, 'csv')).body;
  const url = `/api/v1/affiliates/${tides.id}/statements/${thisMonth()}`;
  const files = await Promise.all(
    [url, `${url}.csv`, `${url}/lines`].map((path) => server.call({ method: 'GET', url: path, as: tokens.neighbor })),
  );
  const all = [json, csv, ...files.map(({ body }) => body)].join('\n');
  expect(all).toContain('Meet');
  for (const word of [...THE_FOUR, 'codes', 'Saved', 'Reductions', 'redit']) expect(all).not.toContain(word);
});

test('sums written by a process of the previous release are updated', async () => {
  const own = <Row extends object>(text: string) => server.data.ownerQuery<Row>(text);
  await server.app.keptSales.bringSumsUpToDate();
  const sums = () => own('select * from sales_days order by organization_id, day');
  const before = await sums();
  // As that release writes them: without the columns it does not know.
  await own(
    `with gone as (delete from sales_days returning *)
     insert into sales_days (organization_id, day, reconciled, sold_count, order_count, photo_count, sales_cents, donations_cents, tax_cents,
            refunds_cents, fees_cents, share_cents, disputed_cents, charged_subtotal_cents, charged_donation_cents, charged_tax_cents)
     select organization_id, day, reconciled, sold_count, order_count, photo_count, sales_cents, donations_cents, tax_cents,
            refunds_cents, fees_cents, share_cents, disputed_cents, charged_subtotal_cents, charged_donation_cents, charged_tax_cents from gone`,
  );
  expect(await sums()).not.toEqual(before);
  await server.app.keptSales.bringSumsUpToDate();
  expect(await sums()).toEqual(before);
});
