/** The sums of reports equal those of the ledger, to the cent, whatever happens to the orders later. */
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { ReportAnswer, TotalsAnswer } from '#src/features/reports/reports.contract.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let galleries: ForSale[];

/** Evenly distributed numbers in [0, 1), the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ORDERS = 40;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { hawks, tides, tokens } = people;
  await server.data.ownerQuery(
    `insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '', 68750, 'Minnesota')`,
    [people.parent.id],
  );
  galleries = [
    await openSale(server, tokens.owner, hawks.id, { photos: 3, priceDollars: 3.33, name: 'Final' }),
    await openSale(server, tokens.owner, hawks.id, { photos: 2, priceDollars: 0.99, name: 'Training' }),
    await openSale(server, tokens.owner, hawks.id, { photos: 1, priceDollars: 0, name: 'Free' }),
    await openSale(server, tokens.neighbor, tides.id, { photos: 4, priceDollars: 7.01, name: 'Meet' }),
  ];
  const random = randomFrom(4_711);
  const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.6);
  for (let count = 0; count < ORDERS; count++) {
    const seller = random() < 0.6 ? hawks.id : tides.id;
    const chosen = some(galleries.filter(({ organizationId }) => organizationId === seller)).map((gallery) => ({
      ...gallery,
      photoIds: gallery.photoIds.slice(0, 1 + Math.floor(random() * gallery.photoIds.length)),
    }));
    if (chosen.length === 0) continue;
    const subtotal = chosen.reduce((sum, gallery) => sum + gallery.photoIds.length * gallery.priceDollars * 100, 0);
    const zip = random() < 0.5 ? '55401' : '10001';
    const tax = zip === '55401' ? Math.round(subtotal * 0.06875) : 0;
    const donation = random() < 0.4 || subtotal < 50 ? `$${(1 + Math.floor(random() * 900) / 100).toFixed(2)}` : '';
    const vanityId = await buyPhotos(server, chosen, { donation, zip, taxDollars: tax / 100 });
    const [order] = await server.data.ownerQuery<{ total: number }>(
      'select total_cents as total from orders where vanity_id = $1',
      [vanityId],
    );
    const total = order?.total ?? 0;
    const fate = random();
    if (fate < 0.25) await reportCharge(server, vanityId, { refundedCents: total });
    else if (fate < 0.6) {
      const part = Math.max(1, Math.floor(total * random()));
      await reportCharge(server, vanityId, { refundedCents: part });
      if (random() < 0.5)
        await reportCharge(server, vanityId, { refundedCents: Math.min(total, part + 1 + Math.floor(random() * 300)) });
    } else if (fate < 0.75) {
      const status = (['open', 'won', 'lost'] as const)[Math.floor(random() * 3)] ?? 'open';
      const dispute = { id: `dp_${count}`, amountCents: Math.max(1, Math.floor(total / 2)), status, reason: null };
      await reportCharge(server, vanityId, { disputes: [{ ...dispute, amountCents: dispute.amountCents as never }] });
    }
  }
}, 120_000);

const inCents = (dollars: number) => Math.round(dollars * 100);
const MONEY = ['sales', 'donations', 'tax', 'refunds', 'fees', 'share', 'disputed', 'net'] as const;

async function report(): Promise<ReportAnswer> {
  const answer = await server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${people.parent.id}/reports`,
    as: people.tokens.parentMember,
    payload: { responseType: 'json', for_org: true },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<ReportAnswer>();
}

test('the history has every kind of event', async () => {
  const [made] = await server.data.ownerQuery<Record<string, number>>(
    `select count(*)::int as orders, count(*) filter (where tax_cents > 0)::int as taxed, count(*) filter (where donation_cents > 0)::int as donated,
            count(*) filter (where status = 'refunded')::int as refunded, count(*) filter (where status = 'partially_refunded')::int as partly,
            count(*) filter (where status = 'disputed')::int as disputed from orders`,
  );
  for (const [what, times] of Object.entries(made ?? {})) expect(times, what).toBeGreaterThan(1);
});

test('each organization gets what the ledger owes it, and share, tax and fees match the ledger', async () => {
  const books = await server.data.ownerQuery<{ id: number; net: number; share: number; tax: number }>(
    `select o.organization_id as id, coalesce(-sum(e.amount_cents) filter (where a.kind = 'org_payable'), 0)::int as net,
            coalesce(-sum(e.amount_cents) filter (where a.kind = 'platform_fee'), 0)::int as share,
            coalesce(-sum(e.amount_cents) filter (where a.kind = 'tax_payable'), 0)::int as tax
       from ledger_entries e join ledger_accounts a on a.id = e.account_id join orders o on o.id = e.order_id group by o.organization_id`,
  );
  const fees = await server.data.ownerQuery<{ id: number; fees: number }>(
    `select organization_id as id, sum(fee_cents)::int as fees from payment_attempts where kind = 'charge' and state = 'succeeded' group by 1`,
  );
  const answer = await report();
  for (const { id, net, share, tax } of books) {
    const totals = answer[id]?.totals;
    expect([totals?.net, totals?.share, totals?.tax].map((dollars) => inCents(dollars ?? 0))).toEqual([
      net,
      share,
      tax,
    ]);
    expect(inCents(totals?.fees ?? 0)).toBe(fees.find((row) => row.id === id)?.fees);
  }
  expect(books).toHaveLength(2);
});

test('every line adds up, and the galleries add up to their organization', async () => {
  for (const { totals, galleries: parts } of Object.values(await report())) {
    const lines = Object.values(parts).map((part) => part.totals);
    for (const line of [totals, ...lines]) {
      const given = inCents(line.sales) + inCents(line.donations);
      expect(given).toBe(MONEY.slice(4).reduce((sum, name) => sum + inCents(line[name]), 0));
      expect(inCents(line.net)).toBe(given - inCents(line.fees) - inCents(line.share) - inCents(line.disputed));
    }
    const sum = (name: keyof TotalsAnswer) => lines.reduce((all, line) => all + inCents(Number(line[name])), 0);
    for (const name of MONEY) expect(sum(name), name).toBe(inCents(totals[name]));
  }
});

test('the sums equal what buyers paid, less their refunds', async () => {
  const paid = await server.data.ownerQuery<{
    id: number;
    total: number;
    refunded: number;
    orders: number;
    photos: number;
  }>(
    `select o.organization_id as id, sum(o.total_cents)::int as total, sum(o.refunded_cents)::int as refunded,
            count(*) filter (where o.total_cents = 0 or o.refunded_cents < o.total_cents)::int as orders,
            sum((select count(*) from order_photos l where l.order_id = o.id)) filter (where o.total_cents = 0 or o.refunded_cents < o.total_cents)::int as photos
       from orders o where o.paid_at is not null group by 1`,
  );
  const answer = await report();
  for (const { id, total, refunded, orders, photos } of paid) {
    const totals = answer[id]?.totals;
    if (!totals) throw new Error('no such organization in the report');
    expect(inCents(totals.refunds)).toBe(refunded);
    expect(inCents(totals.sales) + inCents(totals.donations) + inCents(totals.tax)).toBe(total - refunded);
    expect([totals.orders, totals.photos]).toEqual([orders, photos]);
  }
});

test('the counters of galleries equal the report', async () => {
  const answer = await report();
  const counters = await server.data.ownerQuery<{
    id: number;
    organization: number;
    sold: number;
    sales: number;
    donations: number;
  }>(
    'select id, organization_id as organization, photos_sold as sold, sales_cents::int as sales, donations_cents::int as donations from galleries',
  );
  for (const { id, organization, sold, sales, donations } of counters) {
    const totals = answer[organization]?.galleries[id]?.totals;
    expect([totals?.photos ?? 0, inCents(totals?.sales ?? 0), inCents(totals?.donations ?? 0)]).toEqual([
      sold,
      sales,
      donations,
    ]);
  }
  const broken = await checkInvariants({ database: server.platform.database, sandboxCards: false });
  // These photos have no image files.
  expect(broken.filter((line) => !line.startsWith('I7:'))).toEqual([]);
});

test('the dashboard shows the same sum as the report', async () => {
  const actor = await server.app.accounts.actorOf(people.tokens.parentMember);
  const caller = { actor, visitorId: null, unlocks: new Map(), ip: '127.0.0.1' };
  const whole = Object.values(await report()).reduce((sum, { totals }) => sum + inCents(totals.net), 0);
  const parent = await server.app.organizations.byId(people.parent.id);
  if (!parent) throw new Error('the parent is gone');
  const { netCents, now } = await server.app.reports.dashboard(caller, parent);
  expect(netCents).toBe(whole);
  expect(netCents).toBeLessThan(now.salesCents + now.donationsCents);
});
