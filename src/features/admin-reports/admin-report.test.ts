/** The platform's report: who sold what, equal to orders and ledger to the cent; for platform admins only. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AdminReportAnswer } from '#src/features/admin-reports/admin-report.contract.ts';
import { CHOOSE_DATE_RANGE, REPORTING_ERROR } from '#src/features/reports/reports.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleAnother, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let final: ForSale;
let training: ForSale;
let meet: ForSale;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { hawks, tides, stranger, tokens } = people;
  final = await openSale(server, tokens.owner, hawks.id, { priceDollars: 10, name: '=Cup, "Final"' });
  training = await openSale(server, tokens.owner, hawks.id, { priceDollars: 2.5, photos: 2, name: 'Training' });
  meet = await openSale(server, tokens.neighbor, tides.id, { name: 'Dual Meet' });
  const elsewhere = await openSale(server, tokens.foreigner, stranger.id, { name: 'Regatta' });
  await buyPhotos(server, [final], { donation: '$5.00' });
  const both = await buyPhotos(server, [final, training]);
  await buyPhotos(server, [meet]);
  await buyPhotos(server, [elsewhere]);
  await reportCharge(server, both, { refundedCents: 500 });
});

const REPORT = '/api/v1/orders/admin-report';
const FILE = '/api/v1/orders/admin-report-csv.csv';

const ask = (
  body: object = {},
  { url = REPORT, as = people.tokens.admin }: { url?: string; as?: string | null } = {},
) => server.call({ method: 'POST', url, as, payload: body });
const report = async (body: object = {}, url = REPORT): Promise<AdminReportAnswer> => {
  const answer = await ask(body, { url });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<AdminReportAnswer>();
};
const ids = (answer: AdminReportAnswer) => answer.map(({ id }) => id);
/** Without the sellers that a test created for itself. */
const ofAll = (answer: AdminReportAnswer) => {
  const { parent, hawks, tides, stranger } = people;
  return answer.filter(({ id }) => [parent, hawks, tides, stranger].some((club) => club.id === id));
};
/** Other organizations, whose Hawks sold two orders: for tests that change sales. */
async function sellElsewhere(): Promise<Neighborhood> {
  const others = await settleAnother(server);
  const sale = await openSale(server, others.tokens.owner, others.hawks.id);
  for (let count = 0; count < 2; count++) await buyPhotos(server, [sale]);
  return others;
}

describe('the platform’s report', () => {
  test('has every seller, by name, with every order', async () => {
    const { hawks, parent, stranger, tides } = people;
    const answer = ofAll(await report());
    expect(ids(answer)).toEqual([hawks.id, stranger.id, tides.id]);
    expect(answer[0]).toEqual({
      id: hawks.id,
      name: 'hawks',
      domain_name: 'hawks',
      parent_organization_id: parent.id,
      // $5.00 of the $15.00 and $15.00 were refunded: the card costs 30 cents and 2.9% of each, and 20% of the rest is the
      // platform's.
      totals: expect.objectContaining({
        orders: 2,
        photos: 4,
        sales: 20,
        donations: 5,
        refunds: 5,
        fees: 1.48,
        share: 5,
        net: 18.52,
      }),
      complete_orders: [expect.anything(), expect.anything()],
      next: null,
    });
    const [second, first] = answer[0]?.complete_orders ?? [];
    expect(second).toMatchObject({
      subtotal: 15,
      total: 15,
      refunded: 5,
      status: 'partially_refunded',
      share: 2,
      net: 7.26,
    });
    expect(first).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/),
      first_name: 'Ann',
      last_name: 'Buyer',
      email_address: 'ann@buyers.test',
      subtotal: 10,
      additional_donation: '$5.00',
      tax: 0,
      total: 15,
      refunded: 0,
      fee: 0.74,
      share: 3,
      disputed: 0,
      net: 11.26,
      status: 'paid',
      stripe_response: '{"amount":1500,"currency":"usd","brand":"visa","last4":"4242"}',
      reconciled: false,
      reconciled_at: null,
      payout_id: null,
      payout_status: null,
    });
  });

  test('adds up: the rows to the totals, and the totals to what the ledger owes', async () => {
    for (const { id, totals, complete_orders: orders } of ofAll(await report())) {
      const sum = (pick: (row: (typeof orders)[number]) => number) =>
        Math.round(orders.reduce((total, row) => total + pick(row) * 100, 0)) / 100;
      expect(sum((row) => row.net)).toBe(totals.net);
      expect(sum((row) => row.fee)).toBe(totals.fees);
      expect(sum((row) => row.share)).toBe(totals.share);
      expect(sum((row) => row.total - row.refunded)).toBe(
        Math.round((totals.sales + totals.donations + totals.tax) * 100) / 100,
      );
      const [owed] = await server.data.ownerQuery<{ owed: number }>(
        `select -sum(e.amount_cents)::int as owed from ledger_entries e join ledger_accounts a on a.id = e.account_id
          where a.kind = 'org_payable' and a.organization_id = $1`,
        [id],
      );
      expect((owed?.owed ?? 0) / 100).toBe(totals.net);
    }
  });

  test('covers a parent with its affiliates, one seller, or one gallery', async () => {
    const { parent, hawks, tides, stranger } = people;
    expect(ids(await report({ org_id: parent.id }))).toEqual([hawks.id, tides.id]);
    expect(ids(await report({ org_id: String(stranger.id), affiliate_id: '', gallery_id: null }))).toEqual([
      stranger.id,
    ]);
    expect(ids(await report({ org_id: parent.id, affiliate_id: tides.id }))).toEqual([tides.id]);
    expect(ids(await report({ affiliate_id: hawks.id }))).toEqual([hawks.id]);
    expect(ids(await report({ org_id: stranger.id, affiliate_id: stranger.id }))).toEqual([stranger.id]);
    const ofFinal = await report({ org_id: parent.id, gallery_id: final.galleryId });
    expect(ofFinal[0]?.complete_orders).toHaveLength(2);
    const ofTraining = await report({ gallery_id: training.galleryId });
    // The whole order, including what it bought elsewhere.
    expect(ofTraining[0]?.complete_orders.map(({ subtotal }) => subtotal)).toEqual([15]);
    expect(ofTraining[0]?.totals.photos).toBe(3);
  });

  test('is not found if ids do not belong together, or nothing was sold', async () => {
    const { parent, hawks, tides, stranger } = people;
    for (const body of [
      { org_id: hawks.id },
      { org_id: 9_999_999 },
      { org_id: stranger.id, affiliate_id: hawks.id },
      { affiliate_id: 9_999_999 },
      { org_id: stranger.id, gallery_id: final.galleryId },
      { affiliate_id: tides.id, gallery_id: final.galleryId },
      { gallery_id: 9_999_999 },
      { org_id: parent.id, affiliate_id: parent.id },
      { start_date: '01/01/2001', end_date: '01/31/2001' },
    ])
      for (const url of [REPORT, FILE, `${REPORT}?limit=5`]) {
        const answer = await ask(body, { url });
        expect(answer.statusCode, JSON.stringify(body)).toBe(404);
        expect(answer.json()).toMatchObject({ error: REPORTING_ERROR });
        expect(answer.headers['content-type']).toContain('application/json');
      }
  });

  test('is for platform admins only', async () => {
    for (const url of [REPORT, FILE]) {
      expect((await ask({}, { url, as: null })).statusCode).toBe(401);
      for (const as of [people.tokens.owner, people.tokens.parentMember, people.tokens.foreigner]) {
        const answer = await ask({ org_id: people.parent.id }, { url, as });
        expect(answer.statusCode).toBe(403);
        expect(answer.body).not.toContain('buyers.test');
      }
    }
  });

  test('comes in parts, whose totals are those of the whole', async () => {
    const body = { affiliate_id: people.hawks.id };
    const [whole] = await report(body);
    const [first] = await report(body, `${REPORT}?limit=1`);
    expect(first).toMatchObject({ totals: whole?.totals, next: whole?.complete_orders[0]?.id });
    const [second] = await report(body, `${REPORT}?limit=1&after=${first?.next}`);
    expect(second).toMatchObject({ totals: whole?.totals, next: null });
    expect([...(first?.complete_orders ?? []), ...(second?.complete_orders ?? [])]).toEqual(whole?.complete_orders);
    expect(ofAll(await report({}, `${REPORT}?limit=1`))).toHaveLength(3);
    expect((await ask({}, { url: `${REPORT}?limit=0` })).json()).toMatchObject({
      errors: { limit: ['From 1 to 200, please.'] },
    });
  });
});

describe('the dates of the platform’s report', () => {
  const CHOOSE = [CHOOSE_DATE_RANGE];
  test.each<[string, object, object]>([
    ['the end before the beginning', { start_date: '03/02/2026', end_date: '03/01/2026' }, { start_date: CHOOSE }],
    ['a day that is not', { start_date: '02/01/2026', end_date: '02/31/2026' }, { start_date: CHOOSE }],
    ['days before months', { start_date: '31/02/2026', end_date: '31/03/2026' }, { start_date: CHOOSE }],
    ['the ISO writing', { start_date: '2026-02-01', end_date: '2026-02-02' }, { start_date: CHOOSE }],
    ['a hundred years', { start_date: '01/01/1926', end_date: '01/01/2026' }, { start_date: CHOOSE }],
    ['no end', { start_date: '01/01/2026' }, { start_date: CHOOSE }],
    ['an unknown range', { date_range: 'the summer' }, { date_range: CHOOSE }],
    [
      'everything wrong at once',
      { org_id: 'x', affiliate_id: -1, gallery_id: 1.5, show_reconciled: 'yes', start_date: 7, end_date: 8 },
      {
        org_id: ['Not an id.'],
        affiliate_id: ['Not an id.'],
        gallery_id: ['Not an id.'],
        show_reconciled: ['Please send true or false here.'],
        start_date: CHOOSE,
        end_date: CHOOSE,
      },
    ],
  ])('%s is refused', async (_what, body, errors) => {
    for (const url of [REPORT, FILE]) {
      const answer = await ask(body, { url });
      expect([answer.statusCode, answer.json()]).toEqual([422, expect.objectContaining({ errors })]);
    }
  });

  test('are the last seven if none are given, and whole days of each seller’s own time zone', async () => {
    const { hawks, tides } = await sellElsewhere();
    const [row] = await report({ affiliate_id: hawks.id, date_range: '' }).then(([one]) => one?.complete_orders ?? []);
    // The specification's payload always has the keys: empty means not given.
    const empty = { start_date: '', end_date: '' };
    for (const date_range of ['', 'all', '30-days'])
      expect((await ask({ affiliate_id: hawks.id, date_range, ...empty })).statusCode, date_range).toBe(200);
    const movedTo = async (moment: string) => {
      await server.data.ownerQuery('update orders set paid_at = $2 where id = $1', [row?.id, moment]);
      const found = async (body: object) => {
        const answer = await ask({ affiliate_id: hawks.id, ...body });
        return answer.statusCode === 200 && answer.body.includes(`"id":${row?.id},`);
      };
      const on = (start_date: string, end_date = start_date) => found({ start_date, end_date, date_range: 'custom' });
      return { found, on };
    };
    const now = Date.now();
    const days = (count: number) => new Date(now - count * 86_400_000).toISOString();
    expect(await (await movedTo(days(6))).found({})).toBe(true);
    expect(await (await movedTo(days(9))).found({})).toBe(false);
    expect(await (await movedTo(days(9))).found({ date_range: '30-days' })).toBe(true);
    expect(await (await movedTo('2019-05-05T12:00:00Z')).found({ date_range: 'all' })).toBe(true);
    // A minute before midnight in New York is the next day in UTC.
    await server.data.ownerQuery("update organizations set time_zone = 'UTC' where id = $1", [tides.id]);
    const late = await movedTo('2026-03-15T03:59:30Z');
    expect(await late.on('03/14/2026')).toBe(true);
    expect(await late.on('03/15/2026')).toBe(false);
    await server.data.ownerQuery("update organizations set time_zone = 'UTC' where id = $1", [hawks.id]);
    expect(await late.on('03/14/2026')).toBe(false);
    expect(await late.on('03/15/2026')).toBe(true);
  });
});

describe('the platform’s report as a file', () => {
  const readFile = async (body: object = {}) => {
    const answer = await ask(body, { url: FILE });
    expect(answer.statusCode, answer.body).toBe(200);
    const rows = parse(answer.body, { bom: true, columns: true }) as Record<string, string>[];
    return { answer, rows };
  };

  test('opens in a spreadsheet with the values on the screen', async () => {
    const { answer, rows } = await readFile({ date_range: '7-days', org_id: people.parent.id });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="sideline-sales-lakeside-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv"$/,
      ),
    });
    expect(answer.body.startsWith('\uFEFF"Order","Organization","Domain name","Subtotal"')).toBe(true);
    const sellers = await report({ org_id: people.parent.id });
    expect(rows).toEqual(
      sellers.flatMap(({ name, domain_name, complete_orders }) =>
        complete_orders.map((row) => ({
          Order: String(row.id),
          Organization: name,
          'Domain name': domain_name,
          Subtotal: row.subtotal.toFixed(2),
          Donation: row.additional_donation.slice(1),
          Tax: row.tax.toFixed(2),
          Total: row.total.toFixed(2),
          Refunded: row.refunded.toFixed(2),
          'Card fee': row.fee.toFixed(2),
          'Platform share': row.share.toFixed(2),
          Disputed: row.disputed.toFixed(2),
          Net: row.net.toFixed(2),
          Status: row.status === 'paid' ? 'Paid' : 'Partly refunded',
          Reconciled: 'No',
          Payout: '',
          'Payout status': '',
        })),
      ),
    );
  });

  test('has name, date and email for the one parent that shows them, and no active formulas', async () => {
    const { parent, hawks } = await sellElsewhere();
    const { stranger } = people;
    await server.data.ownerQuery('update organizations set reports_buyer_columns = true where id = $1', [parent.id]);
    await server.data.ownerQuery(
      `update orders set first_name = '=HYPERLINK("http://x")', last_name = E'O’Neil, "Zoë"\nJr.', email_address = '+1@buyers.test' where organization_id = $1`,
      [hawks.id],
    );
    const { rows } = await readFile();
    expect(rows.find((row) => row['Domain name'] === hawks.path)).toMatchObject({
      'First name': `'=HYPERLINK("http://x")`,
      'Last name': 'O’Neil, "Zoë"\nJr.',
      Email: `'+1@buyers.test`,
      Date: expect.stringMatching(/^\d\d-\d\d-20\d\d$/),
    });
    expect(rows.find((row) => row['Domain name'] === stranger.path)).toMatchObject({
      'First name': '',
      Email: '',
      Date: '',
    });
    expect((await readFile({ org_id: stranger.id })).answer.body).not.toContain('Email');
  });
});

describe('reconciled orders', () => {
  test('are hidden unless requested, and count if they are shown', async () => {
    const { hawks } = await sellElsewhere();
    const [whole] = await report({ affiliate_id: hawks.id });
    const [hidden] = whole?.complete_orders ?? [];
    await server.data.ownerQuery('update orders set reconciled_at = now() where id = $1', [hidden?.id]);
    const [left] = await report({ affiliate_id: hawks.id, show_reconciled: false });
    expect(left?.complete_orders.map(({ id }) => id)).toEqual(whole?.complete_orders.slice(1).map(({ id }) => id));
    expect(left?.totals.orders).toBe(1);
    const [shown] = await report({ affiliate_id: hawks.id, show_reconciled: true });
    expect(shown?.complete_orders[0]).toMatchObject({ id: hidden?.id, reconciled: true });
    expect(shown?.totals).toEqual(whole?.totals);
  });
});
