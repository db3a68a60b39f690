/**
 * A parent sees the sales of its clubs; no one sees another organization's sales. Every number agrees with the orders and the
 * ledger, to the cent.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { CHOOSE_DATE_RANGE, REPORTING_ERROR, type ReportAnswer } from '#src/features/reports/reports.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleAnother, type Club, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
type Clubs = { people: Neighborhood; final: ForSale; training: ForSale; firstOrder: string };

/** The hawks have sold two orders from two galleries, the tides one. */
async function openClubs(): Promise<Clubs> {
  const settled = await settleAnother(server);
  const { hawks, tides, tokens } = settled;
  const cup = await openSale(server, tokens.owner, hawks.id, { priceDollars: 10, name: '=Cup, "Final"' });
  const practice = await openSale(server, tokens.owner, hawks.id, { priceDollars: 2.5, photos: 2, name: 'Training' });
  const meet = await openSale(server, tokens.neighbor, tides.id, { name: 'Dual Meet' });
  const vanityId = await buyPhotos(server, [cup], { donation: '$5.00' });
  await buyPhotos(server, [cup, practice]);
  await buyPhotos(server, [meet]);
  return { people: settled, final: cup, training: practice, firstOrder: vanityId };
}

/** Other clubs: the hawks also have a refunded order, and their first order was 31 days ago. */
async function openClubsOfTwoMonths(): Promise<Clubs> {
  const clubs = await openClubs();
  await sellAndRefund(clubs.people);
  await server.data.ownerQuery("update orders set paid_at = paid_at - interval '31 days' where vanity_id = $1", [
    clubs.firstOrder,
  ]);
  return clubs;
}

async function sellAndRefund({ hawks, tokens }: Neighborhood): Promise<void> {
  const other = await openSale(server, tokens.owner, hawks.id, { name: 'Late Game' });
  await reportCharge(server, await buyPhotos(server, [other]), { refundedCents: 400 });
}

/** Used by all tests that change nothing. */
let people: Neighborhood;
let final: ForSale;
let training: ForSale;
beforeAll(async () => {
  ({ people, final, training } = await openClubs());
});

const ask = (id: number, as: string | null, body: object = {}) =>
  server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${id}/reports`,
    as,
    payload: { responseType: 'json', ...body },
  });
const report = async (id: number, as: string, body: object = {}): Promise<ReportAnswer> => {
  const answer = await ask(id, as, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<ReportAnswer>();
};

describe('a sales report', () => {
  test('has an affiliate’s totals and those of each gallery', async () => {
    expect(await report(people.hawks.id, people.tokens.owner)).toEqual({
      [people.hawks.id]: {
        name: people.hawks.path,
        promo_code: null,
        domain_name: people.hawks.path,
        // $15.00 and $15.00: 20% of each is $3.00, the card costs 30 cents and 2.9%.
        totals: {
          orders: 2,
          photos: 4,
          sales: 25,
          donations: 5,
          tax: 0,
          refunds: 0,
          fees: 1.48,
          share: 6,
          disputed: 0,
          net: 22.52,
          revenue: '$25.00',
          sales_rev: 25,
          gallery_donation: 5,
        },
        galleries: {
          [final.galleryId]: {
            name: '=Cup, "Final"',
            totals: expect.objectContaining({
              orders: 2,
              photos: 2,
              sales: 20,
              donations: 5,
              share: 5,
              fees: 1.23,
              net: 18.77,
            }),
          },
          [training.galleryId]: {
            name: 'Training',
            totals: expect.objectContaining({
              orders: 1,
              photos: 2,
              sales: 5,
              donations: 0,
              share: 1,
              fees: 0.25,
              net: 3.75,
            }),
          },
        },
      },
    });
  });

  test('of a parent has every club, and its own line; for_org chooses', async () => {
    const { parent, hawks, tides, tokens } = people;
    const ids = async (body: object) =>
      Object.keys(await report(parent.id, tokens.parentMember, body))
        .map(Number)
        .toSorted();
    const all = [parent.id, hawks.id, tides.id].toSorted();
    expect(await ids({})).toEqual(all);
    expect(await ids({ for_org: true })).toEqual(all);
    expect(await ids({ for_org: null })).toEqual(all);
    expect(await ids({ for_org: false })).toEqual([parent.id]);
    expect(await ids({ for_org: tides.id })).toEqual([tides.id]);
    const whole = await report(parent.id, tokens.parentMember);
    expect(whole[tides.id]).toMatchObject({ name: tides.path, totals: { sales: 4, net: 2.78 } });
    expect(whole[parent.id]).toMatchObject({ totals: { orders: 0, sales: 0, revenue: '$0.00' }, galleries: {} });
  });

  test('has a promo code that is still valid, and so has the affiliate for its members', async () => {
    const { tides, tokens } = (await openClubs()).people;
    const codes = async () => {
      const url = `/api/v1/affiliates/${tides.path}?org_id=${tides.parentId}`;
      const [affiliate] = (await server.call({ method: 'GET', url, as: tokens.neighbor })).json<
        { promo_code: string | null }[]
      >();
      return [(await report(tides.id, tokens.neighbor))[tides.id]?.promo_code, affiliate?.promo_code];
    };
    await server.data.ownerQuery(
      `insert into promo_codes (organization_id, code, max_uses, uses, expires_at) values
         ($1, 'GOODCODE', 5, 0, null), ($1, 'USEDCODE', 1, 1, null), ($1, 'OLD-CODE', 5, 0, now() - interval '1 day')`,
      [tides.id],
    );
    expect(await codes()).toEqual([null, null]);
    await server.data.ownerQuery('update organizations set takes_promo_codes = true where id = $1', [tides.id]);
    server.app.organizations.forget(tides.id);
    expect(await codes()).toEqual(['GOODCODE', 'GOODCODE']);
  });

  test('is refused to visitors and other organizations, and reveals nothing', async () => {
    const { hawks, parent, tides, tokens } = people;
    expect((await ask(hawks.id, null)).statusCode).toBe(401);
    for (const [id, as, body] of [
      [hawks.id, tokens.neighbor, {}],
      [hawks.id, tokens.foreigner, {}],
      [parent.id, tokens.owner, {}],
      [hawks.id, tokens.owner, { for_org: tides.id }],
      [parent.id, tokens.parentMember, { for_org: people.stranger.id }],
      [9_999_999, tokens.owner, {}],
    ] as const) {
      const answer = await ask(id, as, body);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('Final');
    }
    expect((await ask(parent.id, tokens.parentMember, { for_org: people.stranger.id })).json()).toMatchObject({
      error: REPORTING_ERROR,
    });
    expect((await report(hawks.id, tokens.admin))[hawks.id]?.totals.orders).toBe(2);
  });

  test('requires its format', async () => {
    const answer = await ask(people.hawks.id, people.tokens.owner, {
      responseType: 'xml',
      for_org: 'all',
      start_date: 7,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      errors: {
        responseType: ['Please choose json or csv.'],
        for_org: ['Must be yes, no or the id of an organization.'],
        start_date: [CHOOSE_DATE_RANGE],
      },
    });
  });
});

describe('the dates of a report', () => {
  test.each([
    ['the end before the beginning', { start_date: '03/02/2026', end_date: '03/01/2026' }],
    ['a day that is not', { start_date: '02/01/2026', end_date: '02/31/2026' }],
    ['days before months', { start_date: '31/02/2026', end_date: '31/03/2026' }],
    ['the ISO writing', { start_date: '2026-02-01', end_date: '2026-02-02' }],
    ['a hundred years', { start_date: '01/01/1926', end_date: '01/01/2026' }],
    ['no end', { start_date: '01/01/2026' }],
    ['no beginning', { end_date: '01/01/2026' }],
    ['no digits', { start_date: '1/1/2026', end_date: '1/2/2026' }],
  ])('are invalid: %s', async (_what, dates) => {
    const answer = await ask(people.hawks.id, people.tokens.owner, dates);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: CHOOSE_DATE_RANGE, errors: { start_date: [CHOOSE_DATE_RANGE] } });
  });

  test('are ignored if they are empty', async () => {
    const [empty, none] = await Promise.all(
      [{ start_date: '', end_date: '' }, {}].map((dates) => report(people.hawks.id, people.tokens.owner, dates)),
    );
    expect(Object.keys(empty ?? {})).toContain(String(people.hawks.id));
    expect(empty).toEqual(none);
  });

  test('are whole days of the organization’s time zone, both included', async () => {
    const { hawks, tokens } = (await openClubs()).people;
    const other = await openSale(server, tokens.owner, hawks.id, { name: 'Late Game' });
    const vanityId = await buyPhotos(server, [other]);
    const soldAt = async (moment: string, zone: string, dates: [string, string]) => {
      await server.data.ownerQuery('update orders set paid_at = $2 where vanity_id = $1', [vanityId, moment]);
      await server.data.ownerQuery('update organizations set time_zone = $2 where id = $1', [hawks.id, zone]);
      server.app.organizations.forget(hawks.id);
      const [start_date, end_date] = dates;
      return Object.keys((await report(hawks.id, tokens.owner, { start_date, end_date }))[hawks.id]?.galleries ?? {});
    };
    const found = [String(other.galleryId)];
    // A minute before midnight in New York is the next day in UTC.
    const late = '2026-03-15T03:59:30Z';
    expect(await soldAt(late, 'America/New_York', ['03/14/2026', '03/14/2026'])).toEqual(found);
    expect(await soldAt(late, 'America/New_York', ['03/15/2026', '03/15/2026'])).toEqual([]);
    expect(await soldAt(late, 'UTC', ['03/15/2026', '03/15/2026'])).toEqual(found);
    expect(await soldAt('2026-03-15T04:00:00Z', 'America/New_York', ['03/15/2026', '03/16/2026'])).toEqual(found);
    expect(await soldAt('2026-03-15T04:00:00Z', 'America/New_York', ['03/01/2026', '03/14/2026'])).toEqual([]);
  });
});

describe('a report as CSV', () => {
  test('opens in a spreadsheet with the values on the screen, and runs no formula', async () => {
    const clubs = await openClubs();
    await sellAndRefund(clubs.people);
    const { hawks, tokens } = clubs.people;
    const answer = await ask(hawks.id, tokens.owner, { responseType: 'csv' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="report.csv"',
    });
    const [head, whole, ...galleries] = answer.body.split('\r\n');
    expect(head).toBe(
      '\uFEFF"Organization","Domain name","Gallery","Orders","Photos","Sales","Donations","Taxes","Refunds","Card fees","Platform share","Disputed","You get"',
    );
    const name = `"${hawks.path}","${hawks.path}"`;
    const sums = `${name},"All galleries","2","4","25.00","5.00","0.00","4.00","1.90","6.00","0.00",`;
    expect(whole?.slice(0, sums.length)).toBe(sums);
    expect(galleries).toContain(
      `${name},"'=Cup, ""Final""","2","2","20.00","5.00","0.00","0.00","1.23","5.00","0.00","18.77"`,
    );
  });

  test('is refused like the JSON one', async () => {
    expect((await ask(people.hawks.id, null, { responseType: 'csv' })).statusCode).toBe(401);
    expect((await ask(people.hawks.id, people.tokens.neighbor, { responseType: 'csv' })).statusCode).toBe(404);
  });
});

describe('the numbers of an affiliate', () => {
  const read = async (as: string | null, { path, parentId, id }: Club) => {
    const url = `/api/v1/affiliates/${path}?org_id=${parentId ?? id}`;
    return (await server.call({ method: 'GET', url, as })).json<Record<string, unknown>[]>()[0];
  };

  test('are for members: the last 30 days, and all time, net of refunds', async () => {
    const { hawks, parent, tokens } = (await openClubsOfTwoMonths()).people;
    expect(await read(tokens.owner, hawks)).toMatchObject({
      stats_preview: { total_sales: 1, photos_purchased: 3, revenue: '$15.00' },
      preview_order_count: 1,
      preview_photo_count: 3,
      preview_price: 15,
      total_order_count: 2,
      total_photo_count: 4,
      total_price: 25,
    });
    expect(await read(tokens.parentMember, parent)).toMatchObject({ preview_price: 19, total_price: 29 });
  });

  test('are hidden from visitors', async () => {
    for (const as of [null, people.tokens.neighbor, people.tokens.foreigner]) {
      const hawks = await read(as, people.hawks);
      expect(hawks).toMatchObject({ id: people.hawks.id });
      expect(Object.keys(hawks ?? {}).filter((field) => /preview|total|promo/.test(field))).toEqual([]);
    }
  });

  test('are on the dashboard next to those of the 30 days before', async () => {
    const clubs = await openClubsOfTwoMonths();
    const hawks = await server.app.organizations.byId(clubs.people.hawks.id);
    if (!hawks) throw new Error('no hawks');
    const actor = await server.app.accounts.actorOf(clubs.people.tokens.owner);
    const caller = { actor, visitorId: null, unlocks: new Map<number, string>(), ip: '127.0.0.1' };
    const { now, before, days } = await server.app.reports.dashboard(caller, hawks);
    expect([now.orders, now.photos, now.salesCents]).toEqual([1, 3, 1500]);
    expect([before.orders, before.photos, before.salesCents, before.donationsCents]).toEqual([1, 1, 1000, 500]);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ orders: 1, salesCents: 1500 });
  });
});
