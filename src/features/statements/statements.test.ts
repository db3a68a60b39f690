/** Statements over HTTP: months connect, add up to the cent, end in what the ledger owes now, and never change after their end. */
import { postings } from '#src/features/ledger/ledger.rules.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import {
  NO_STATEMENT,
  type LinesAnswer,
  type StatementAnswer,
  type StatementsAnswer,
} from '#src/features/statements/statements.contract.ts';
import { cents } from '#src/shared/money.ts';
import { owedTo } from '#tests/support/balances.ts';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { reportCharge } from '#tests/support/refunds.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const EVENTS = 45;
/** From the end of July into October, five events in eight days. */
const timeOf = (event: number) => new Date(Date.UTC(2026, 6, 30, 16) + event * 1.6 * 86_400_000);
let now = timeOf(0);
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' }, clock: { now: () => now } });
const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10'] as const;
let people: Neighborhood;
let halfway: { statement: string; pdf: Buffer; csv: string };

/** Even numbers in [0, 1), the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const get = (path: string, as: string | null = people.tokens.owner, id = people.hawks.id) =>
  server.call({ method: 'GET', url: `/api/v1/affiliates/${id}/statements${path}`, as });
async function read<T>(path: string, as?: string, id?: number): Promise<T> {
  const answer = await get(path, as, id);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<T>();
}
const statement = (month: string, id = people.hawks.id) =>
  read<StatementAnswer>(`/${month}`, people.tokens.parentMember, id);
const inCents = (dollars: number) => Math.round(dollars * 100);
const system = { kind: 'system', why: 'test' } as const;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const { hawks, tides, tokens } = people;
  await server.data.ownerQuery(
    `insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '', 68750, 'Minnesota')`,
    [people.parent.id],
  );
  const galleries: ForSale[] = [
    await openSale(server, tokens.owner, hawks.id, { photos: 3, priceDollars: 3.33, name: 'Final' }),
    await openSale(server, tokens.owner, hawks.id, { photos: 2, priceDollars: 0.99, name: '=Training' }),
    await openSale(server, tokens.neighbor, tides.id, { photos: 4, priceDollars: 7.01, name: 'Meet' }),
  ];
  const ledger = createLedgerService(server.platform);
  const random = randomFrom(2_026);
  const sold: { vanityId: string; total: number; back: number }[] = [];
  let [payout, disputes] = [0, 0];
  for (let event = 0; event < EVENTS; event++) {
    now = timeOf(event);
    // Some nights are missed.
    if (event % 4 === 0) await ledger.sumDays(now);
    if (event === 26)
      halfway = {
        statement: (await get('/2026-08')).body,
        pdf: (await get('/2026-08.pdf')).rawPayload,
        csv: (await get('/2026-08.csv')).body,
      };
    const fate = random();
    const earlier = sold[Math.floor(random() * sold.length)];
    if (fate < 0.42 || !earlier) {
      const seller = random() < 0.7 ? hawks.id : tides.id;
      const chosen = galleries
        .filter(({ organizationId }) => organizationId === seller)
        .map((gallery) => ({
          ...gallery,
          photoIds: gallery.photoIds.slice(0, 1 + Math.floor(random() * gallery.photoIds.length)),
        }));
      const subtotal = chosen.reduce((sum, gallery) => sum + gallery.photoIds.length * gallery.priceDollars * 100, 0);
      const zip = random() < 0.5 ? '55401' : '10001';
      const tax = zip === '55401' ? Math.round(subtotal * 0.06875) : 0;
      const donation = random() < 0.4 ? `$${(1 + Math.floor(random() * 900) / 100).toFixed(2)}` : '';
      const vanityId = await buyPhotos(server, chosen, { donation, zip, taxDollars: tax / 100 });
      const [order] = await server.data.ownerQuery<{ total: number }>(
        'select total_cents as total from orders where vanity_id = $1',
        [vanityId],
      );
      sold.push({ vanityId, total: order?.total ?? 0, back: 0 });
    } else if (fate < 0.6) {
      earlier.back = Math.min(earlier.total, earlier.back + 1 + Math.floor(random() * earlier.total));
      await reportCharge(server, earlier.vanityId, { refundedCents: earlier.back });
    } else if (fate < 0.78) {
      const status = (['lost', 'won', 'open'] as const)[disputes++ % 3] ?? 'open';
      await reportCharge(server, earlier.vanityId, {
        refundedCents: earlier.back,
        disputes: [
          { id: `dp_${event}`, amountCents: cents(Math.max(1, Math.floor(earlier.total / 2))), status, reason: null },
        ],
      });
    } else {
      const owed = await owedTo(server.data, hawks.id);
      if (owed < 200) continue;
      const anyOrder = 'select id from orders where organization_id = $1 limit 1';
      const orderId = (await server.data.ownerQuery<{ id: number }>(anyOrder, [hawks.id]))[0]?.id ?? 0;
      const id = ++payout;
      const paid = {
        id,
        organizationId: hawks.id,
        amountCents: cents(owed - 100),
        lines: [{ orderId, amountCents: cents(owed - 100) }],
      };
      await server.platform.database.write(system, (tx) => ledger.post(tx, postings.payoutCreated(paid), now));
      // The third one is on its way.
      if (id % 3 === 1)
        await server.platform.database.write(system, (tx) => ledger.post(tx, postings.payoutFailed(paid), now));
      else if (id % 3 === 2)
        await server.platform.database.write(system, (tx) => ledger.post(tx, postings.payoutConfirmed(paid), now));
    }
  }
  // One order on the seller's own Stripe account.
  const own = await sellPhotos(
    server,
    hawks.id,
    [{ id: galleries[0]?.photoIds[0] ?? 0, gallery_id: galleries[0]?.galleryId ?? 0 }],
    { paidAt: now.toISOString() },
  );
  await server.data.ownerQuery(`update orders set processor = 'custom' where id = $1`, [own.id]);
  await server.platform.database.write(system, (tx) =>
    ledger.post(
      tx,
      postings.ownAccountSale({
        orderId: own.id,
        organizationId: hawks.id,
        subtotalCents: cents(400),
        taxCents: cents(0),
        donationCents: cents(0),
        shareBps: 2_000,
        feeCents: null,
      }),
      now,
    ),
  );
}, 240_000);

// Some tests use another day.
beforeEach(() => void (now = timeOf(EVENTS - 1)));

describe('the months of an account', () => {
  test('have every kind of event', async () => {
    const kinds = await server.data.ownerQuery<{ kind: string }>('select distinct kind from ledger_txs');
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'sale',
        'refund',
        'dispute_opened',
        'dispute_won',
        'dispute_lost',
        'payout_created',
        'payout_confirmed',
        'payout_failed',
        'own_account_sale',
      ]),
    );
  });

  test('each add up, start where the previous one ended, and end in what the ledger owes now', async () => {
    for (const id of [people.hawks.id, people.tides.id, people.parent.id]) {
      let before = 0;
      const { statements } = await read<StatementsAnswer>('', people.tokens.parentMember, id);
      for (const { month } of statements.toReversed()) {
        const { opening_balance, movements, closing_balance } = await statement(month, id);
        const moved = Object.values(movements).reduce((sum, amount) => sum + inCents(amount), 0);
        expect(inCents(opening_balance), `${id} ${month}`).toBe(before);
        expect(inCents(closing_balance), `${id} ${month}`).toBe(before + moved);
        before = inCents(closing_balance);
      }
      const [books] = await server.data.ownerQuery<{ owed: number }>(
        `select coalesce(-sum(e.amount_cents), 0)::int as owed from ledger_entries e join ledger_accounts a on a.id = e.account_id
          where a.kind = 'org_payable' and (a.organization_id = $1 or a.organization_id in (select id from organizations where parent_organization_id = $1))`,
        [id],
      );
      expect(before).toBe(books?.owed);
    }
  });

  test('have what was posted from the first to the last moment in the organization’s time zone', async () => {
    const booked = await server.data.ownerQuery<{
      month: string;
      net: number;
      share: number;
      tax: number;
      sales: number;
    }>(
      `select to_char(t.posted_at at time zone 'America/New_York', 'YYYY-MM') as month,
              -sum(e.amount_cents) filter (where a.kind = 'org_payable')::int as net
         from ledger_txs t join ledger_entries e on e.tx_id = t.id join ledger_accounts a on a.id = e.account_id
        where a.organization_id = $1 group by 1 order by 1`,
      [people.hawks.id],
    );
    expect(booked.map(({ month }) => month)).toEqual([...MONTHS]);
    for (const { month, net } of booked) {
      const { opening_balance, closing_balance } = await statement(month);
      expect(inCents(closing_balance) - inCents(opening_balance), month).toBe(Number(net));
    }
    const [sums] = await server.data.ownerQuery<{ sales: number; donations: number; tax: number; share: number }>(
      `select sum(o.subtotal_cents)::int as sales, sum(o.donation_cents)::int as donations,
              (select -sum(e.amount_cents) from ledger_entries e join ledger_accounts a on a.id = e.account_id join orders x on x.id = e.order_id
                where a.kind = 'tax_payable' and x.organization_id = $1)::int as tax,
              (select sum(e.amount_cents) from ledger_entries e join ledger_accounts a on a.id = e.account_id join orders x on x.id = e.order_id
                where a.kind = 'platform_fee' and x.organization_id = $1 and x.processor <> 'custom')::int as share
         from orders o where o.organization_id = $1 and o.processor <> 'custom' and o.paid_at is not null`,
      [people.hawks.id],
    );
    const all = await Promise.all(MONTHS.map((month) => statement(month)));
    const sum = (pick: (one: StatementAnswer) => number) => all.reduce((total, one) => total + inCents(pick(one)), 0);
    expect({
      sales: sum((one) => one.movements.sales),
      donations: sum((one) => one.movements.donations),
      tax: sum((one) => one.tax_collected),
      share: sum((one) => one.movements.share),
    }).toEqual(sums);
    expect(all.every((one) => one.movements.other === 0)).toBe(true);
  });

  test('have galleries, lines and a file that agree', async () => {
    for (const month of MONTHS) {
      const whole = await statement(month);
      const { payouts, payouts_returned, ...ofOrders } = whole.movements;
      const net = Object.values(ofOrders).reduce((sum, amount) => sum + inCents(amount), 0);
      expect(whole.galleries.reduce((sum, part) => sum + inCents(part.net), 0)).toBe(net);
      for (const part of whole.galleries)
        expect(inCents(part.net)).toBe(
          [part.sales, part.donations, part.refunds, part.card_fees, part.share, part.disputes].reduce(
            (sum, amount) => sum + inCents(amount),
            0,
          ),
        );
      const lines: LinesAnswer['lines'] = [];
      for (let next: string | null = ''; next !== null;) {
        const page: LinesAnswer = await read<LinesAnswer>(
          `/${month}/lines?limit=7${next === '' ? '' : `&after=${next}`}`,
        );
        lines.push(...page.lines);
        next = page.next;
      }
      expect(lines.reduce((sum, line) => sum + inCents(line.change), 0)).toBe(
        net + inCents(payouts) + inCents(payouts_returned),
      );
      expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted());
      const rows = (await get(`/${month}.csv`)).body.trim().split('\r\n');
      expect(rows).toHaveLength(lines.length + 3);
      expect(rows.at(-1)).toContain(`"Closing balance"`);
      expect(rows.at(-1)?.split(',').at(-2)).toBe(`"${whole.closing_balance.toFixed(2)}"`);
    }
  });

  test('sum up for a parent, with a section for each organization’s own statement', async () => {
    for (const month of MONTHS) {
      const whole = await statement(month, people.parent.id);
      expect(whole.organizations.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
        [people.hawks.id, people.tides.id]
          .filter((id) => whole.organizations.some((one) => one.id === id))
          .toSorted((a, b) => a - b),
      );
      for (const section of whole.organizations) {
        const { opening_balance, closing_balance, movements } = await statement(month, section.id);
        expect({ opening_balance, closing_balance, movements }).toEqual({
          opening_balance: section.opening_balance,
          closing_balance: section.closing_balance,
          movements: section.movements,
        });
      }
      expect(inCents(whole.closing_balance)).toBe(
        whole.organizations.reduce((sum, one) => sum + inCents(one.closing_balance), 0),
      );
    }
  });

  test('show orders on their own Stripe account separately, never as owed', async () => {
    const month = await statement('2026-10');
    expect(month.own_account).toEqual({ orders: 1, sales: 4, share: 0.8, settled: 0 });
  });

  test('never change when they are over', async () => {
    expect(halfway.statement).toContain('"closed":true');
    expect((await get('/2026-08')).body).toBe(halfway.statement);
    expect((await get('/2026-08.csv')).body).toBe(halfway.csv);
    expect((await get('/2026-08.pdf')).rawPayload.equals(halfway.pdf)).toBe(true);
  });

  test('keep their beginnings when the organization moves to another time zone', async () => {
    const { id } = people.stranger;
    await server.data.ownerQuery(`update organizations set time_zone = 'Pacific/Honolulu' where id = $1`, [id]);
    const [start] = await server.data.ownerQuery<{ august: Date; next: Date }>(
      `select statement_month_start($1, '2026-08-01') as august, statement_month_start($1, '2099-08-01') as next`,
      [id],
    );
    expect([start?.august.toISOString(), start?.next.toISOString()]).toEqual([
      '2026-08-01T04:00:00.000Z',
      '2099-08-01T10:00:00.000Z',
    ]);
  });
});

describe('the list of statements', () => {
  test('has the latest month first, page by page, each ending where the next begins', async () => {
    const first = await read<StatementsAnswer>('?limit=3');
    expect(first.statements.map(({ month, closed }) => [month, closed])).toEqual([
      ['2026-10', false],
      ['2026-09', true],
      ['2026-08', true],
    ]);
    expect(first.next).toBe('2026-08');
    const second = await read<StatementsAnswer>(`?limit=3&after=${first.next}`);
    expect([second.statements.map(({ month }) => month), second.next]).toEqual([['2026-07'], null]);
    const all = [...second.statements.toReversed(), ...first.statements.toReversed()];
    for (const [index, one] of all.entries()) {
      expect(inCents(one.closing_balance)).toBe(
        inCents(one.opening_balance) + inCents(one.earned) + inCents(one.paid_out),
      );
      if (index > 0) expect(one.opening_balance).toBe(all[index - 1]?.closing_balance);
    }
  });

  test('is empty without sales, and has no months before the first one or in the future', async () => {
    expect((await read<StatementsAnswer>('', people.tokens.foreigner, people.stranger.id)).statements).toEqual([]);
    for (const month of ['2026-06', '2026-11', '2030-01']) {
      const answer = await get(`/${month}`);
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: NO_STATEMENT }]);
    }
    expect((await get('/2026-10', people.tokens.foreigner, people.stranger.id)).statusCode).toBe(404);
  });
});

describe('who may read statements', () => {
  const PATHS = ['', '/2026-09', '/2026-09/lines', '/2026-09.csv', '/2026-09.pdf'];
  test.each(PATHS)('%s: members, the parent’s members, platform admins; no one else', async (path) => {
    const { owner, parentMember, admin, neighbor, foreigner } = people.tokens;
    for (const token of [owner, parentMember, admin]) expect((await get(path, token)).statusCode).toBe(200);
    expect((await get(path, null)).statusCode).toBe(401);
    for (const token of [neighbor, foreigner]) expect((await get(path, token)).statusCode).toBe(404);
  });

  test('invalid months are refused', async () => {
    for (const month of ['2026-13', 'october', '2026-9', "2026-10'--", '0000-01'])
      expect((await get(`/${month}`)).statusCode).toBe(404);
    for (const query of ['?limit=0', '?limit=many', '?after=soon']) expect((await get(query)).statusCode).toBe(422);
    for (const query of ['?after=x', '?after=1-', '?limit=0'])
      expect((await get(`/2026-10/lines${query}`)).statusCode).toBe(422);
  });
});

describe('the email about a statement', () => {
  beforeEach(() => server.data.ownerQuery(`delete from mail_outbox where dedupe_key like 'statement-%'`));
  const emails = () =>
    server.data.ownerQuery<Record<string, string>>(
      `select * from mail_outbox where dedupe_key like 'statement-%' order by id`,
    );

  test('is sent once to each organization whose account changed', async () => {
    await server.data.ownerQuery(
      `update organization_private set billing_email = 'bills@tides.test' where organization_id = $1`,
      [people.tides.id],
    );
    now = new Date('2026-10-01T11:41:00Z');
    expect(await server.app.statementEmails.notifyReady()).toBe(3);
    await server.app.statementEmails.notifyReady();
    now = new Date('2026-10-04T11:41:00Z');
    await Promise.all([server.app.statementEmails.notifyReady(), server.app.statementEmails.notifyReady()]);
    const sent = await emails();
    expect(sent.map((sentEmail) => sentEmail['recipient'])).toEqual(
      expect.arrayContaining(['lakeside@clubs.test', 'hawks@clubs.test', 'bills@tides.test']),
    );
    expect(sent).toHaveLength(3);
    const { closing_balance } = await statement('2026-09');
    const hawks = sent.find((sentEmail) => JSON.stringify(sentEmail).includes('hawks@clubs.test'));
    expect(hawks?.['subject']).toBe('Your statement for September is ready');
    expect(JSON.stringify(hawks)).toContain(closing_balance.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ','));
    expect(JSON.stringify(hawks)).toMatch(/lakeside\.[^/]+\/hawks\/statements\/2026-09/);
  });

  test('is not sent for a month without postings, nor for a current one', async () => {
    now = new Date('2026-12-02T11:41:00Z');
    expect(await server.app.statementEmails.notifyReady()).toBe(0);
    // In New York it is still the last evening of August.
    now = new Date('2026-09-01T03:00:00Z');
    expect(await server.app.statementEmails.notifyReady()).toBe(0);
    now = new Date('2026-09-01T11:41:00Z');
    expect(await server.app.statementEmails.notifyReady()).toBe(3);
  });
});
