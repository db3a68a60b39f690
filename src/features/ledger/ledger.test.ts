import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { divideSale, estimateFee, postings, saleEntries, type Sale } from '#src/features/ledger/ledger.rules.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { createLedgerService, type LedgerService } from '#src/features/ledger/ledger.service.ts';
import { withClient } from '#src/platform/db/client.ts';
import { cents, type Cents } from '#src/shared/money.ts';
import { balanceOf, owedTo } from '#tests/support/balances.ts';
import { cartOf, openShop } from '#tests/support/shop-goods.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const sale = (
  changes: Partial<Record<'subtotal' | 'tax' | 'donation' | 'share', number>> & { fee?: number | null } = {},
): Sale => ({
  orderId: 1,
  organizationId: 2,
  subtotalCents: cents(changes.subtotal ?? 1000),
  taxCents: cents(changes.tax ?? 83),
  donationCents: cents(changes.donation ?? 500),
  shareBps: changes.share ?? 2000,
  feeCents: changes.fee === undefined ? null : (changes.fee as Cents | null),
});

describe('the estimated card fee', () => {
  test.each([
    [0, 0],
    [1, 30],
    [17, 30],
    [18, 31],
    [50, 31],
    [400, 42],
    [1583, 76],
    [10_000, 320],
    [200_000_000, 5_800_030],
  ])('of %i cents is %i', (total, fee) => {
    expect(estimateFee(cents(total))).toBe(fee);
  });
});

describe('a sale', () => {
  test('is divided as in the example of the requirements', () => {
    expect(saleEntries(sale({ fee: 76 }))).toEqual([
      { kind: 'provider_clearing', organizationId: null, amountCents: 1507 },
      { kind: 'tax_payable', organizationId: null, amountCents: -83 },
      { kind: 'platform_fee', organizationId: null, amountCents: -300 },
      { kind: 'org_payable', organizationId: 2, amountCents: -1124 },
    ]);
  });

  test.each<[string, Parameters<typeof sale>[0], { share: number; fee: number; organization: number }]>([
    ['one photo of 50 cents', { subtotal: 50, tax: 0, donation: 0 }, { share: 10, fee: 31, organization: 9 }],
    [
      'a share of half a cent goes to the platform',
      { subtotal: 1003, tax: 0, donation: 0, share: 500 },
      { share: 50, fee: 59, organization: 894 },
    ],
    [
      'a share of 0.5 rounds up',
      { subtotal: 250, tax: 0, donation: 0, share: 1820 },
      { share: 46, fee: 37, organization: 167 },
    ],
    [
      'tax is shared with no one',
      { subtotal: 1000, tax: 500, donation: 0 },
      { share: 200, fee: 74, organization: 726 },
    ],
    ['a donation alone', { subtotal: 0, tax: 0, donation: 1000 }, { share: 200, fee: 59, organization: 741 }],
    ['no share at all', { subtotal: 1000, tax: 0, donation: 0, share: 0 }, { share: 0, fee: 59, organization: 941 }],
    [
      'the whole for the platform leaves the organization the fee',
      { subtotal: 1000, tax: 0, donation: 0, share: 10_000 },
      { share: 1000, fee: 59, organization: -59 },
    ],
  ])('%s', (_what, changes, { share, fee, organization }) => {
    expect(divideSale(sale(changes))).toMatchObject({
      shareCents: share,
      feeCents: fee,
      organizationCents: organization,
    });
  });

  test('without money posts nothing', () => {
    expect(saleEntries(sale({ subtotal: 0, tax: 0, donation: 0 }))).toEqual([]);
  });

  test('always balances, whatever the amounts', () => {
    const amount = fc.integer({ min: 0, max: 200_000_000 });
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 0, max: 60_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.option(fc.integer({ min: 0, max: 6_000_000 })),
        (subtotal, tax, donation, share, fee) => {
          const sold = sale({ subtotal, tax, donation, share, fee });
          const parts = divideSale(sold);
          expect(parts.shareCents + parts.feeCents + parts.taxCents + parts.organizationCents).toBe(
            subtotal + tax + donation,
          );
          expect(Math.abs(parts.shareCents * 10_000 - (subtotal + donation) * share)).toBeLessThanOrEqual(5_000);
          const entries = saleEntries(sold);
          expect(entries.reduce((sum, entry) => sum + entry.amountCents, 0)).toBe(0);
          expect(entries.every((entry) => entry.amountCents !== 0)).toBe(true);
          if (subtotal + tax + donation >= 50 && fee === null) expect(entries.length).toBeGreaterThanOrEqual(2);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the ledger', () => {
  const db = useTestDatabase();
  const why = { kind: 'system', why: 'test' } as const;
  let ledger: LedgerService;
  beforeAll(() => {
    ledger = createLedgerService({ database: db.database });
  });

  async function order(): Promise<Sale> {
    const shop = await openShop(db);
    const cart = cartOf(shop);
    const [row] = await db.ownerQuery<{ id: number }>(
      `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address, subtotal_cents, tax_cents, donation_cents, share_bps, paid_at)
       values ($1, $2, $1, '\\x00', 'paid', 'a', 'b', 'a@b.co', 1000, 83, 500, 2000, now()) returning id`,
      [cart.order['checkout_key'], shop.sellerId],
    );
    return { ...sale({ fee: 76 }), orderId: row?.id ?? 0, organizationId: shop.sellerId };
  }
  const heldByProvider = () => balanceOf(db, 'provider_clearing', null);
  const post = (sold: Sale) => db.database.write(why, (tx) => ledger.post(tx, postings.sale(sold), new Date()));

  test('accepts each sale once, and knows what is owed', async () => {
    const sold = await order();
    const before = await heldByProvider();
    await post(sold);
    await expect(post(sold)).rejects.toMatchObject({ code: '23505' });
    expect(await owedTo(db, sold.organizationId)).toBe(1124);
    expect(await heldByProvider()).toBe(before + 1507);
    expect(await owedTo(db, 999)).toBe(0);
  });

  test('creates the accounts of a new seller once, however many first sales come together', async () => {
    const sold = await order();
    const others = await Promise.all(
      [order(), order(), order()].map(async (each) => ({ ...(await each), organizationId: sold.organizationId })),
    );
    await Promise.all([sold, ...others].map(post));
    expect(await owedTo(db, sold.organizationId)).toBe(4 * 1124);
    expect(
      await db.ownerQuery('select 1 from ledger_accounts where organization_id = $1', [sold.organizationId]),
    ).toHaveLength(1);
  });

  test.each([true, false])(
    'forgets accounts of a sale that was rolled back (opened before it: %s)',
    async (areOpened) => {
      const sold = await order();
      const rolledBack = db.database.write(why, async (tx) => {
        if (areOpened) await ledger.haveAccounts(tx, postings.sale(sold));
        await ledger.post(tx, postings.sale(sold), new Date());
        throw new Error('thought better of it');
      });
      await expect(rolledBack).rejects.toThrow('thought better');
      await post(sold);
      expect(await owedTo(db, sold.organizationId)).toBe(1124);
    },
  );

  /** Open amounts of an organization by order, in the order of orders. */
  const openWith = (organizationId: number) =>
    db.ownerQuery<{ order_id: number; cents: number }>(
      `select b.order_id, b.amount_cents as cents from open_balances b join ledger_accounts a on a.id = b.account_id
        where a.organization_id = $1 order by b.order_id`,
      [organizationId],
    );

  test('stores the open amount of an order, also with several postings at the same time, until it is paid out, and when that is returned', async () => {
    const sold = await order();
    const { orderId, organizationId } = sold;
    await post(sold);
    await Promise.all(
      [0, 100, 200, 300].map((before) =>
        db.database.write(why, (tx) => {
          const refunded = { beforeCents: cents(before), afterCents: cents(before + 100), ownAccount: false };
          return ledger.post(tx, postings.refund(sold, refunded), new Date());
        }),
      ),
    );
    const left = await owedTo(db, organizationId);
    expect(await openWith(organizationId)).toEqual([{ order_id: orderId, cents: -left }]);
    const payout = { id: orderId, organizationId, lines: [{ orderId, amountCents: left }] };
    await db.database.write(why, (tx) => ledger.post(tx, postings.payoutCreated(payout), new Date()));
    expect(await openWith(organizationId)).toEqual([]);
    await db.database.write(why, (tx) => ledger.post(tx, postings.payoutFailed(payout), new Date()));
    expect(await openWith(organizationId)).toEqual([{ order_id: orderId, cents: -left }]);
  });

  test('stores our share of sales on an own account until it is settled', async () => {
    const sold = await order();
    const { orderId, organizationId } = sold;
    await db.database.write(why, (tx) => ledger.post(tx, postings.ownAccountSale(sold), new Date()));
    const [open] = await openWith(organizationId);
    const shareCents = cents(open?.cents ?? 0);
    expect(shareCents).toBeGreaterThan(100);
    const settle = (id: number, share: number) =>
      db.database.write(why, (tx) =>
        ledger.post(tx, postings.settlement({ id, organizationId, shareCents: cents(share), orders: [] }), new Date()),
      );
    await settle(orderId, shareCents - 100);
    expect(await openWith(organizationId)).toEqual([{ order_id: 0, cents: 100 }]);
    await settle(-orderId, 100);
    expect(await openWith(organizationId)).toEqual([]);
  });

  describe('the balance of an account at the end of a day', () => {
    const noonOf = (day: number) => new Date(Date.UTC(2026, 5, day, 12));
    const postOn = (sold: Sale, day: number) =>
      db.database.write(why, (tx) => ledger.post(tx, postings.sale(sold), noonOf(day)));
    const another = async ({ organizationId }: Sale) => ({ ...(await order()), organizationId });
    /** The stored balances of the only account of an organization, by day. */
    const daysOf = ({ organizationId }: Sale) =>
      db.ownerQuery<{ day: number; cents: number }>(
        `select extract(day from until at time zone 'UTC')::integer as day, balance_cents as cents
           from account_days where organization_id = $1 order by until`,
        [organizationId],
      );
    const broken = async () =>
      (await checkInvariants({ database: db.database, sandboxCards: true })).filter((line) =>
        line.startsWith('account days'),
      );
    const isRight = async (sold: Sale) => {
      expect(await broken()).toEqual([]);
      const { owedCents } = await db.database.write(why, (tx) => ledger.unsettledWith(tx, sold.organizationId));
      expect(owedCents).toBe(await owedTo(db, sold.organizationId));
    };

    test('is stored once the day is over, and corrected by later postings into it', async () => {
      const sold = await order();
      await postOn(sold, 1);
      await postOn(await another(sold), 3);
      await postOn(await another(sold), 4);
      await ledger.sumDays(noonOf(4));
      expect(await daysOf(sold)).toEqual([
        { day: 2, cents: -1124 },
        { day: 4, cents: -2248 },
      ]);
      await postOn(await another(sold), 2);
      await ledger.sumDays(noonOf(6));
      expect(await daysOf(sold)).toEqual([
        { day: 2, cents: -1124 },
        { day: 4, cents: -3372 },
        { day: 5, cents: -4496 },
      ]);
      await isRight(sold);
    });

    test('waits for transactions that are just posting', async () => {
      const sold = await order();
      const late = await another(sold);
      await postOn(sold, 1);
      await db.database.write(why, async (tx) => {
        await ledger.post(tx, postings.sale(late), noonOf(1));
        await ledger.sumDays(noonOf(4));
        expect(await daysOf(sold)).toEqual([]);
      });
      await ledger.sumDays(noonOf(4));
      expect(await daysOf(sold)).toEqual([{ day: 2, cents: -2248 }]);
      await isRight(sold);
    });

    test('is correct for a transaction that began to post before it was summed', async () => {
      const sold = await order();
      await postOn(sold, 1);
      await withClient(db.ownerUrl, async (client) => {
        await client.query('begin');
        const { rows } = await client.query<{ id: string }>(
          `insert into ledger_txs (kind, source_type, source_id, posted_at) values ('sale', 'order', 'begun-${sold.orderId}', $1) returning id`,
          [noonOf(7)],
        );
        await postOn(await another(sold), 2);
        await ledger.sumDays(noonOf(5));
        await client.query(
          `insert into ledger_entries (tx_id, account_id, amount_cents)
           select $1, id, case when organization_id is null then 5 else -5 end from ledger_accounts
            where (organization_id = $2 and kind = 'org_payable') or (organization_id is null and kind = 'provider_clearing')`,
          [rows[0]?.id, sold.organizationId],
        );
        await client.query('commit');
      });
      await isRight(sold);
      await ledger.sumDays(noonOf(9));
      expect((await daysOf(sold)).at(-1)).toEqual({ day: 8, cents: -2253 });
      await isRight(sold);
    });
  });

  test('cannot be changed afterwards, and accepts no posting that does not balance', async () => {
    await expect(
      db.database.write(why, (tx) => tx.updateTable('ledger_entries').set({ amount_cents: 1 }).execute()),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(db.database.write(why, (tx) => tx.deleteFrom('ledger_txs').execute())).rejects.toMatchObject({
      code: '42501',
    });
    const lonely = db.database.write(why, (tx) =>
      tx.insertInto('ledger_txs').values({ kind: 'sale', source_type: 'order', source_id: 'none' }).execute(),
    );
    await expect(lonely).rejects.toMatchObject({ code: '23514' });
  });
});
