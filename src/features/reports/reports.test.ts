/** A parent sees what its clubs sold; nobody sees a neighbour's sales. Sums agree with the orders and the books. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, Caller } from '#src/features/accounts/actor.rules.ts';
import { readPeriod, sumOf, totalsOf } from '#src/features/reports/reports.rules.ts';
import { cents } from '#src/shared/money.ts';
import { addReadyPhoto, openGallery, settleNeighbourhood, type Neighbourhood } from '#tests/support/neighbourhood.ts';
import { useTestHouse } from '#tests/support/test-house.ts';

const house = useTestHouse();
let people: Neighbourhood;

async function buy(organizationId: number, token: string, price: number, donation: string): Promise<void> {
  const galleryId = await openGallery(house, token, organizationId, { price_per_photo: price });
  const photoId = await addReadyPhoto(house, { id: galleryId, organizationId });
  const card = await house.call({
    method: 'POST',
    url: '/sandbox/tokens',
    payload: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123', zip: '55401' },
  });
  const user = {
    first_name: 'Ann',
    last_name: 'Buyer',
    email: 'ann@buyers.test',
    confirm_email: 'ann@buyers.test',
    zip: '55401',
  };
  const answer = await house.call({
    method: 'POST',
    url: '/api/v1/orders',
    payload: {
      order: {
        user,
        donation,
        taxes: 0,
        subtotal: price,
        org_id: organizationId,
        donation_gallery_id: galleryId,
        checkout_key: `report-test-${galleryId}`,
      },
      stripe_token: card.json<object>(),
      items: [{ id: photoId, gallery_id: galleryId, sales_price: price }],
    },
  });
  expect(answer.statusCode, answer.body).toBe(201);
}

const callerOf = (roleId: 1 | 2, organizationId: number | null): Caller => {
  const memberships = organizationId === null ? [] : [{ organizationId, role: 2 as const }];
  const actor: Actor = {
    kind: 'user',
    userId: 1,
    roleId,
    memberships,
    sessionHash: Buffer.alloc(32),
    confirmedAt: new Date(),
  };
  return { actor, visitorId: null, unlocks: new Map(), ip: '127.0.0.1' };
};

async function salesOf(caller: Caller, organizationId: number) {
  const organization = await house.app.organizations.byId(organizationId);
  if (!organization) throw new Error('no such organisation');
  return house.app.reports.salesOf(caller, organization, 'all');
}

beforeAll(async () => {
  people = await settleNeighbourhood(house);
  await buy(people.hawks.id, people.tokens.owner, 10, '$5.00');
  await buy(people.tides.id, people.tokens.neighbour, 4, '');
});

describe('a sales report', () => {
  test('of a parent has a row for each club that sold something, and their sum', async () => {
    const { rows, total } = await salesOf(callerOf(1, people.parent.id), people.parent.id);
    expect(rows.map(({ path, totals }) => [path, totals])).toEqual([
      // $15.00: 20 % are $3.00, the card costs 30 cents and 2.9 %.
      [
        'hawks',
        {
          orders: 1,
          photos: 1,
          salesCents: 1000,
          donationsCents: 500,
          taxCents: 0,
          refundsCents: 0,
          feesCents: 74,
          shareCents: 300,
          netCents: 1126,
        },
      ],
      [
        'tides',
        {
          orders: 1,
          photos: 1,
          salesCents: 400,
          donationsCents: 0,
          taxCents: 0,
          refundsCents: 0,
          feesCents: 42,
          shareCents: 80,
          netCents: 278,
        },
      ],
    ]);
    expect(total).toMatchObject({ orders: 2, salesCents: 1400, donationsCents: 500, netCents: 1404 });
    const books = await house.data.ownerQuery<{ owed: number }>(
      `select -sum(e.amount_cents)::int as owed from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.kind = 'org_payable'`,
    );
    expect(books).toEqual([{ owed: total.netCents }]);
  });

  test('of a club holds its own sales only', async () => {
    const { rows } = await salesOf(callerOf(1, people.hawks.id), people.hawks.id);
    expect(rows.map(({ path }) => path)).toEqual(['hawks']);
  });

  test.each([
    ['a neighbour', () => callerOf(1, people.tides.id)],
    ['somebody from elsewhere', () => callerOf(1, people.stranger.id)],
    ['nobody’s user', () => callerOf(1, null)],
  ])('is refused to %s', async (_who, caller) => {
    await expect(salesOf(caller(), people.hawks.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is open to a platform admin', async () => {
    expect((await salesOf(callerOf(2, null), people.hawks.id)).total.orders).toBe(1);
  });
});

describe('the sums of a report', () => {
  test('card fees are what nobody else got of the buyers’ money', () => {
    const booked = {
      orders: 1,
      photos: 2,
      salesCents: cents(1000),
      donationsCents: cents(500),
      taxCents: cents(83),
      refundsCents: cents(0),
      shareCents: cents(300),
      netCents: cents(1124),
    };
    expect(totalsOf(booked).feesCents).toBe(76);
    expect(sumOf([totalsOf(booked), totalsOf(booked)])).toMatchObject({ orders: 2, photos: 4, feesCents: 152 });
    expect(sumOf([])).toMatchObject({ orders: 0, netCents: 0 });
  });

  test.each([
    [null, '30-days'],
    ['', '30-days'],
    ['12-months', '12-months'],
    ['all', 'all'],
    ["all' or 1=1", '30-days'],
  ])('the period %j is read as %s', (text, period) => {
    expect(readPeriod(text)).toBe(period);
  });
});
