/** The stored sums of sales match the orders, whatever changes an order and in whatever order changes are committed. */
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { listSales } from '#src/features/reports/reports.sql.ts';
import { countSales, listBySeller, listDays, sumNet } from '#src/features/reports/sales-days.sql.ts';
import { TIME_ZONES } from '#src/features/tenancy/settings-words.contract.ts';
import { machineDay } from '#src/shared/dates.ts';
import { lastDays } from '#src/shared/day-range.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let sale: ForSale;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  sale = await openSale(server, people.tokens.owner, people.hawks.id, { photos: 2, priceDollars: 7.5 });
});

const own = <Row extends object>(text: string, values?: unknown[]) => server.data.ownerQuery<Row>(text, values);
const bringUpToDate = () => server.app.keptSales.bringSumsUpToDate();
const broken = async () =>
  (await checkInvariants({ database: server.platform.database, sandboxCards: true })).filter((line) =>
    // The counters of galleries do not follow orders that are changed by hand here.
    /^kept (sales: |parts: organization)/.test(line),
  );
const notes = async () => (await own<{ count: number }>('select count(*)::int from sales_changes'))[0]?.count;
/** All sums of the Hawks as text. */
const sums = async () =>
  (
    await own<{ day: string }>('select d::text as day from sales_days d where organization_id = $1 order by d', [
      people.hawks.id,
    ])
  )
    .map(({ day }) => day)
    .join(' ');
/** What members see: stored days if there are any that are not marked, else orders. */
const figures = () =>
  server.platform.database.read(
    { kind: 'tenants', organizationIds: [people.hawks.id, people.tides.id] },
    async (db) => {
      const told = [];
      for (const timeZone of ['America/New_York', 'Pacific/Honolulu'])
        for (const range of [null, lastDays(machineDay(new Date(), timeZone), 30)]) {
          const filter = { organizationIds: [people.hawks.id, people.tides.id], range, timeZone };
          told.push(await listDays(db, filter), await sumNet(db, filter), await listBySeller(db, filter));
          told.push(await listSales(db, filter));
          if (range) told.push((await countSales(db, filter, range)).toSorted((a, b) => a.orders - b.orders));
        }
      return told;
    },
  );
const buy = () => buyPhotos(server, [sale], { donation: '$5.00' });
const orderIs = (vanityId: string, change: string) =>
  own(`update orders set ${change} where vanity_id = $1`, [vanityId]);
const dispute = (status: 'open' | 'won') => [{ id: 'dp_kept', amountCents: 500, status }] as never;

test.each<[string, (vanityId: string) => Promise<unknown>]>([
  ['a refund of a part', (id) => reportCharge(server, id, { refundedCents: 333 })],
  ['a refund of everything', (id) => reportCharge(server, id, { refundedCents: 2000 })],
  ['a mark as reconciled', (id) => orderIs(id, 'reconciled_at = now()')],
  ['another day', (id) => orderIs(id, "paid_at = paid_at - interval '40 days'")],
  ['a status that says it was never sold', (id) => orderIs(id, "status = 'failed', paid_at = null")],
  [
    'a late fee over the seller’s own account',
    async (id) => {
      await orderIs(id, "processor = 'custom'");
      await bringUpToDate();
      await own(
        'update payment_attempts set fee_cents = fee_cents + 11 where order_id = (select id from orders where vanity_id = $1)',
        [id],
      );
    },
  ],
  [
    'another time zone',
    async (id) => {
      const { hawks } = people;
      // In Hawaii it is still the day before.
      await orderIs(id, "paid_at = date_trunc('day', paid_at, 'America/New_York') + interval '2 hours'");
      await own(
        `update organizations set time_zone = case time_zone when 'Pacific/Honolulu' then 'America/New_York' else 'Pacific/Honolulu' end where id = $1`,
        [hawks.id],
      );
      // A day of the old time zone on which nothing was sold in the new one.
      await own(
        `insert into sales_days select organization_id, '2001-01-01', reconciled, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 from sales_days where organization_id = $1 limit 1`,
        [hawks.id],
      );
    },
  ],
])('the sums follow %s', async (_what, change) => {
  const vanityId = await buy();
  await bringUpToDate();
  expect(await notes()).toBe(0);
  expect(await broken()).toEqual([]);
  const before = await sums();
  await change(vanityId);
  expect(await notes()).toBeGreaterThan(0);
  // A mark says that this day must be summed again.
  expect(await broken()).toEqual([]);
  const told = await figures();
  await own(`insert into sales_changes (organization_id, paid_at) values (${people.hawks.id}, 'infinity')`);
  expect(await figures()).toEqual(told);
  await bringUpToDate();
  expect(await figures()).toEqual(told);
  expect(await broken()).toEqual([]);
  expect(await notes()).toBe(0);
  expect(await sums()).not.toBe(before);
});

test('the sums follow a dispute that is opened and won', async () => {
  const vanityId = await buy();
  for (const status of ['open', 'won'] as const) {
    await bringUpToDate();
    const before = await sums();
    await reportCharge(server, vanityId, { disputes: dispute(status) });
    await bringUpToDate();
    expect(await broken()).toEqual([]);
    expect(await sums()).not.toBe(before);
  }
});

test('the invariant finds sums that differ from the orders, and missing days', async () => {
  await buy();
  await bringUpToDate();
  const ofHawks = `where organization_id = ${people.hawks.id}`;
  await own(`update sales_days set share_cents = share_cents + 1 ${ofHawks}`);
  expect((await broken())[0]).toContain(`organization ${people.hawks.id} on `);
  await own(`delete from sales_days ${ofHawks}`);
  expect((await broken()).join()).toContain('keeps nothing');
  await own(`insert into sales_changes (organization_id, paid_at) values (${people.hawks.id}, 'infinity')`);
  expect(await broken()).toEqual([]);
  await bringUpToDate();
  expect(await broken()).toEqual([]);
});

test('the invariant finds parts that differ from their day', async () => {
  await buy();
  await bringUpToDate();
  const { hawks } = people;
  await own('update galleries set photos_sold = 0, sales_cents = 0, donations_cents = 0');
  await own(`update galleries g set photos_sold = p.photos, sales_cents = p.sales, donations_cents = p.donations
               from (select gallery_id, sum(photo_count) as photos, sum(sales_cents) as sales, sum(donations_cents) as donations from sales_parts group by 1) p
              where p.gallery_id = g.id`);
  const lines = async () =>
    (await checkInvariants({ database: server.platform.database, sandboxCards: true })).filter((line) =>
      line.startsWith('kept parts:'),
    );
  expect(await lines()).toEqual([]);
  for (const [whose, says] of [
    ['gallery_id = 0', `organization ${hawks.id} on `],
    ['gallery_id > 0', 'gallery '],
  ]) {
    const wrong = `sales_parts set sales_cents = sales_cents`;
    const ofOne = `where ctid = (select ctid from sales_parts where organization_id = ${hawks.id} and ${whose} limit 1)`;
    const [{ cents } = { cents: 0 }] = await own<{ cents: number }>(
      `select sales_cents as cents from sales_parts ${ofOne}`,
    );
    await own(`update ${wrong} + 1 ${ofOne}`);
    expect((await lines()).join()).toContain(`kept parts: ${says}`);
    await own(`update ${wrong} - 1 where organization_id = ${hawks.id} and ${whose} and sales_cents = ${cents + 1}`);
  }
});

test('an order that commits while sums are updated is in the next update', async () => {
  const vanityId = await buy();
  const slow = new pg.Client({ connectionString: server.data.ownerUrl });
  await slow.connect();
  try {
    await slow.query('begin');
    await slow.query('update orders set reconciled_at = now() where vanity_id = $1', [vanityId]);
    await bringUpToDate();
    const before = await sums();
    await slow.query('commit');
    expect(await broken()).toEqual([]);
    await bringUpToDate();
    expect(await broken()).toEqual([]);
    expect(await sums()).not.toBe(before);
  } finally {
    await slow.end();
  }
});

test('many readers that update sums while orders arrive wait for each other', async () => {
  const bought = Array.from({ length: 8 }, buy);
  const made = Array.from({ length: 8 }, bringUpToDate);
  await Promise.all([...bought, ...made]);
  await bringUpToDate();
  expect(await broken()).toEqual([]);
  expect(await notes()).toBe(0);
});

test('more days than one batch are all summed', async () => {
  const { tides } = people;
  await own(
    `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                         subtotal_cents, tax_cents, donation_cents, share_bps, created_at, paid_at)
     select md5('day' || n), $1, md5('day' || n), '\\x00', 'paid', 'Ann', 'Buyer', 'ann@buyers.test', 0, 0, n, 2000, now(), date_trunc('day', now()) + interval '17 hours' - n * interval '1 day'
       from generate_series(1, 2500) n`,
    [tides.id],
  );
  await bringUpToDate();
  expect(
    await own(
      'select count(*)::int as days, sum(charged_donation_cents)::int as cents from sales_days where organization_id = $1',
      [tides.id],
    ),
  ).toEqual([{ days: 2500, cents: (2500 * 2501) / 2 }]);
  expect(await broken()).toEqual([]);
});

test('each moment is within the bounds of its day in every available time zone', async () => {
  const [found] = await own<{ outside: number; moments: number }>(
    `select count(*)::int as moments,
            (count(*) filter (where at < (at at time zone zone)::date::timestamp at time zone zone
                              or at >= ((at at time zone zone)::date + 1)::timestamp at time zone zone))::int as outside
       from unnest($1::text[]) zone, generate_series(timestamptz '2025-01-01', '2027-01-01', '30 minutes') at`,
    [[...TIME_ZONES]],
  );
  expect(found?.outside).toBe(0);
  expect(found?.moments).toBeGreaterThan(100_000);
});

test('an organization’s sums and notes are hidden from others', async () => {
  await buy();
  await bringUpToDate();
  await buy();
  const { hawks, tides } = people;
  const seenBy = (organizationId: number) =>
    server.platform.database.read({ kind: 'tenants', organizationIds: [organizationId] }, async (db) => ({
      sums: new Set(
        (await db.selectFrom('sales_days').select('organization_id').execute()).map((row) => row.organization_id),
      ),
      notes: new Set(
        (await db.selectFrom('sales_changes').select('organization_id').execute()).map((row) => row.organization_id),
      ),
    }));
  expect(await seenBy(hawks.id)).toEqual({ sums: new Set([hawks.id]), notes: new Set([hawks.id]) });
  const others = await seenBy(tides.id);
  expect(others.sums.has(hawks.id) || others.notes.has(hawks.id)).toBe(false);
});
