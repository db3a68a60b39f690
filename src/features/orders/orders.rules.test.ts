import { describe, expect, test } from 'vitest';
import { MAX_CART_ITEMS } from '#src/features/cart/cart.rules.ts';
import {
  buyerForm,
  cardToken,
  EMAILS_DIFFER,
  MAX_ITEMS,
  parseDonation,
  placeOrderBody,
  ZIP_REQUIRED,
  type PlaceOrderBody,
} from '#src/features/orders/orders.contract.ts';
import {
  differsFromSeen,
  distinctItems,
  galleriesOf,
  linesOf,
  orderContent,
  subtotalOf,
  totalsOf,
  unavailableItems,
  usualDonationGallery,
} from '#src/features/orders/orders.rules.ts';
import {
  boughtImageAddress,
  broughtToGalleries,
  helpedGoals,
  orderHeading,
  presentOrder,
  type Receipt,
} from '#src/features/orders/receipt.rules.ts';
import { NO_TAX, taxByTable, type TaxRate } from '#src/features/taxes/tax.rules.ts';
import { stateOfZip } from '#src/features/taxes/zip-states.rules.ts';
import { cents } from '#src/shared/money.ts';

describe('a donation as text', () => {
  test.each([
    ['$5.00', 500],
    ['5', 500],
    ['$1,000.00', 100_000],
    [' 2.5 ', 250],
    ['', 0],
    ['   ', 0],
    ['$0', 0],
    ['10000', 1_000_000],
    ['10,000.01', null],
    ['5.001', null],
    ['-5', null],
    ['1e9', null],
    ['NaN', null],
    ['５', null],
    ['$', null],
    ['1,00', null],
  ])('%j → %j', (text, amount) => {
    expect(parseDonation(text)).toBe(amount);
  });
});

describe('a card token', () => {
  test.each([
    [null, null],
    ['', null],
    ['  ', null],
    ['tok_1', 'tok_1'],
    [{ id: 'tok_1', card: { last4: '4242' } }, 'tok_1'],
    [{ token: { id: 'tok_1', livemode: false } }, 'tok_1'],
  ])('%j → %j', (value, id) => {
    expect(cardToken.parse(value)).toBe(id);
  });
  test.each([7, true, [], { error: { message: 'no' } }, { id: 7 }, { token: 'tok' }, 'x'.repeat(256)])(
    '%j is invalid',
    (value) => {
      expect(cardToken.safeParse(value).success).toBe(false);
    },
  );
});

describe('the order form', () => {
  const good = { first_name: 'Maria', last_name: 'Jensen', email: 'a@b.co', confirm_email: 'A@B.co', zip: '' };
  const messages = (chargeNeeded: boolean, value: object) =>
    buyerForm(chargeNeeded)
      .safeParse(value)
      .error?.issues.map((issue) => [issue.path[0], issue.message]);
  test('requires the zip only when a charge is needed', () => {
    expect(messages(false, good)).toBeUndefined();
    expect(messages(true, good)).toEqual([['zip', ZIP_REQUIRED]]);
    expect(messages(true, { ...good, zip: '55401' })).toBeUndefined();
  });
  test('reports that emails differ together with all other errors', () => {
    expect(messages(true, { ...good, first_name: '', confirm_email: 'other@b.co' })).toEqual([
      ['first_name', 'First name is required.'],
      ['confirm_email', EMAILS_DIFFER],
      ['zip', ZIP_REQUIRED],
    ]);
  });
});

const photo = (id: number, changes: object = {}) => ({
  id,
  galleryId: 10,
  organizationId: 5,
  name: `p${id}`,
  priceCents: 400,
  ...changes,
});
const body = (
  changes: { order?: object; items?: object[]; user?: object; codes?: string[]; passes?: object[] } = {},
): PlaceOrderBody =>
  placeOrderBody.parse({
    codes: changes.codes,
    passes: changes.passes,
    order: {
      user: {
        first_name: 'M',
        last_name: 'J',
        email: 'm@j.co',
        confirm_email: 'm@j.co',
        zip: '55401',
        ...changes.user,
      },
      donation: '',
      taxes: 0,
      subtotal: 8,
      org_id: 5,
      checkout_key: 'checkout-of-test-1',
      ...changes.order,
    },
    items: changes.items ?? [
      { id: 1, gallery_id: 10, sales_price: 4 },
      { id: 2, gallery_id: 10, sales_price: 4 },
    ],
  });

describe('a cart on the server', () => {
  test('holds as many photos as in the browser', () => {
    expect(MAX_ITEMS).toBe(MAX_CART_ITEMS);
  });

  const items = body().items;
  const photos = [photo(1), photo(2)];

  test('names what cannot be bought', () => {
    expect(unavailableItems(items, photos, 5)).toEqual([]);
    expect(unavailableItems(items, [photo(1)], 5)).toEqual([2]);
    expect(unavailableItems(items, [photo(1), photo(2, { organizationId: 6 })], 5)).toEqual([2]);
    expect(unavailableItems(items, [photo(1), photo(2, { galleryId: 11 })], 5)).toEqual([2]);
    expect(unavailableItems(items, photos, 6)).toEqual([1, 2]);
  });

  test('adds up in cents where floating-point dollars would not', () => {
    const lines = linesOf(
      [1, 2, 3].map((id) => ({ id, gallery_id: 10 })),
      [1, 2, 3].map((id) => photo(id, { priceCents: 110 })),
    );
    expect(subtotalOf(lines)).toBe(330);
    expect(totalsOf(cents(330), cents(27), cents(500)).totalCents).toBe(857);
  });

  test('compares every amount with what the buyer saw', () => {
    const lines = linesOf(items, photos);
    const totals = totalsOf(cents(800), cents(0), cents(0));
    expect(differsFromSeen(body(), lines, totals)).toBe(false);
    expect(differsFromSeen(body({ order: { subtotal: 7.99 } }), lines, totals)).toBe(true);
    expect(differsFromSeen(body({ order: { taxes: 0.01 } }), lines, totals)).toBe(true);
    expect(
      differsFromSeen(
        body({
          items: [
            { id: 1, gallery_id: 10, sales_price: 4 },
            { id: 2, gallery_id: 10, sales_price: 3 },
          ],
        }),
        lines,
        totals,
      ),
    ).toBe(true);
  });

  test('counts a photo once, and a gallery once', () => {
    expect(distinctItems([...items, ...items])).toEqual(items);
    expect(
      galleriesOf({
        items: [7, 3, 7].map((id) => ({ id: 1, gallery_id: id })),
        passes: [{ kind: 'gallery_pass', gallery_id: 5 }],
      }),
    ).toEqual([7, 3, 5]);
  });

  test.each<[string, ('goal' | 'none')[], number | null]>([
    ['the first gallery where none has a goal', ['none', 'none'], 0],
    ['the first one that has a goal', ['none', 'goal', 'goal'], 1],
    ['nowhere without a gallery', [], null],
  ])('sends a donation that no one chose a gallery for to %s', (_where, galleries, expected) => {
    const all = galleries.map((kind, id) => ({ id, goal: kind === 'goal' ? {} : null }));
    expect(usualDonationGallery(all)).toBe(expected);
  });
});

describe('the content of an order', () => {
  const same: [string, PlaceOrderBody][] = [
    [
      'items in another order',
      body({
        items: body()
          .items.toReversed()
          .map((item) => ({ ...item, sales_price: 4 })),
      }),
    ],
    ['another spelling of the donation', body({ order: { donation: '$0.00' } })],
    ['capitals in the e-mail', body({ user: { email: 'M@J.co' } })],
    ['another key', body({ order: { checkout_key: 'checkout-of-test-2' } })],
  ];
  test.each(same)('is the same with %s', (_what, other) => {
    expect(orderContent(other)).toBe(orderContent(body()));
  });
  const others: [string, PlaceOrderBody][] = [
    ['a name', body({ user: { last_name: 'K' } })],
    ['the zip', body({ user: { zip: '55402' } })],
    ['the donation', body({ order: { donation: '5' } })],
    ['a code', body({ codes: ['HAWKS20'] })],
    ['a pass', body({ passes: [{ kind: 'gallery_pass', gallery_id: 10 }] })],
    ['where it goes', body({ order: { donation_gallery_id: 11 } })],
    [
      'the photos',
      body({
        items: body()
          .items.slice(1)
          .map((item) => ({ ...item, sales_price: 4 })),
      }),
    ],
  ];
  test.each(others)('differs by %s', (_what, other) => {
    expect(orderContent(other)).not.toBe(orderContent(body()));
  });
});

describe('sales tax', () => {
  const rates: TaxRate[] = [
    { state: 'MN', zipPrefix: '', ratePpm: 68_750, jurisdiction: 'Minnesota' },
    { state: '', zipPrefix: '554', ratePpm: 80_250, jurisdiction: 'Minneapolis' },
    { state: '', zipPrefix: '55401', ratePpm: 90_250, jurisdiction: 'Downtown' },
    { state: 'TX', zipPrefix: '', ratePpm: 82_500, jurisdiction: 'Texas' },
  ];
  test.each<[string | null, number, number, string]>([
    ['55401-1234', 1000, 90, 'Downtown'],
    ['55402', 1000, 80, 'Minneapolis'],
    ['56001', 1000, 69, 'Minnesota'],
    ['75001', 1000, 83, 'Texas'],
    ['75001', 6, 0, 'Texas'],
    ['75001', 7, 1, 'Texas'],
    ['97201', 1000, 0, 'no tax'],
    ['00000', 1000, 0, 'no tax'],
    ['', 1000, 0, 'no tax'],
    [null, 1000, 0, 'no tax'],
    ['75001', 0, 0, 'no tax'],
    ['75001', 200_000_000, 16_500_000, 'Texas'],
  ])('in %s on %i cents is %i (%s)', (zip, subtotal, tax, reason) => {
    expect(taxByTable({ zip, subtotalCents: cents(subtotal) }, rates)).toMatchObject({ taxCents: tax, reason });
  });
  test('is 0 without a table, and applies everywhere with one line', () => {
    expect(taxByTable({ zip: '55401', subtotalCents: cents(1000) }, [])).toEqual(NO_TAX);
    expect(
      taxByTable({ zip: null, subtotalCents: cents(1000) }, [
        { state: '', zipPrefix: '', ratePpm: 10_000, jurisdiction: 'All' },
      ]),
    ).toMatchObject({ taxCents: 10 });
  });
  test.each([
    ['02139', 'MA'],
    ['10001', 'NY'],
    ['20001', 'DC'],
    ['33101', 'FL'],
    ['55401', 'MN'],
    ['73301', 'TX'],
    ['79901', 'TX'],
    ['90210', 'CA'],
    ['96801', 'HI'],
    ['99501', 'AK'],
    ['00901', 'PR'],
    ['00000', null],
    ['abc', null],
  ])('%s is in %s', (zip, state) => {
    expect(stateOfZip(zip)).toBe(state);
  });
});

const HAWKS = { id: 5, name: 'Hawks', path: 'hawks', parentId: 2, hostLabel: 'lakeside', accent: '#0B6E6E' };

describe('a receipt', () => {
  const receipt: Receipt = {
    id: 7,
    vanityId: 'v',
    status: 'paid',
    firstName: 'Maria',
    lastName: 'J',
    email: 'm@j.co',
    subtotalCents: 400,
    taxCents: 33,
    taxRatePpm: 0,
    taxReason: 'no tax',
    donationCents: 123_450,
    totalCents: 123_883,
    refundedCents: 0,
    donationGalleryId: 10,
    shareBps: 2000,
    processor: 'platform',
    kind: 'photos',
    creditCents: 0,
    creditReturnedCents: 0,
    soldCredit: null,
    card: { brand: 'visa', last4: '4242' },
    declineMessage: null,
    createdAt: new Date(0),
    seller: { ...HAWKS, taxId: null, timeZone: 'America/New_York' },
    lines: [
      {
        id: 1,
        orderKey: 'KEY',
        photoId: 3,
        galleryId: 10,
        priceCents: 400,
        singleCents: 400,
        offerId: null,
        name: 'Goal',
        isRevoked: false,
      },
    ],
    offered: null,
    passes: [],
  };
  test('is in dollars, with only brand and last four digits of the card', () => {
    expect(presentOrder(receipt, [])).toMatchObject({
      subtotal: 4,
      tax: 0.33,
      total: 1238.83,
      additional_donation: '$1,234.50',
      stripe_token: null,
      stripe_token_full: '{"card":{"brand":"visa","last4":"4242"}}',
    });
  });
  test('counts photos and donation for the gallery that they support, while the order is paid', () => {
    const [line] = receipt.lines;
    const lines = line ? [line, { ...line, galleryId: 11, priceCents: 0 }, { ...line, galleryId: 12 }] : [];
    expect([...broughtToGalleries({ ...receipt, lines })]).toEqual([
      [10, 123_850],
      [12, 400],
    ]);
    for (const status of ['pending', 'failed', 'partially_refunded', 'refunded', 'disputed'] as const)
      expect(broughtToGalleries({ ...receipt, status }).size).toBe(0);
  });
  test('names the goals that it supported, the largest part first, and no gallery without a goal', () => {
    const goal = { recipient: 'New goals', raisedCents: 66_800, targetCents: 120_000 };
    const galleries = [
      { id: 12, name: 'Cup', goal },
      { id: 11, name: 'Fans', goal: null },
      { id: 10, name: 'Finals', goal: { ...goal, recipient: 'Nets' } },
    ];
    expect(
      helpedGoals(
        new Map([
          [10, 500],
          [11, 100],
          [12, 400],
        ]),
        galleries,
      ),
    ).toEqual([
      { gallery_id: 10, name: 'Finals', recipient: 'Nets', raised: 668, target: 1200, brought: 5 },
      { gallery_id: 12, name: 'Cup', recipient: 'New goals', raised: 668, target: 1200, brought: 4 },
    ]);
  });
  test.each(['pending', 'failed', 'refunded', 'disputed'] as const)('of a %s order opens nothing', (status) => {
    expect(JSON.stringify(presentOrder({ ...receipt, status }, []))).not.toContain('KEY');
  });
  test.each([
    ['paid', [false], 'Your photo is ready, Maria'],
    ['paid', [false, false], 'Your photos are ready, Maria'],
    ['paid', [false, true], 'Your photo is ready, Maria'],
    ['paid', [true, true], 'Your photos are no longer available'],
    ['partially_refunded', [true, false], 'Your photo is ready, Maria'],
    ['partially_refunded', [true], 'Your photos are no longer available'],
    ['pending', [false], 'Thank you, Maria'],
    ['failed', [false], 'Your payment did not go through'],
    ['refunded', [false], 'This order was refunded'],
    ['disputed', [false], 'This order is on hold'],
  ] as const)('that is %s, with photos revoked as in %j, is headed %j', (status, revoked, heading) => {
    const [line] = receipt.lines;
    const lines = line ? revoked.map((isRevoked) => ({ ...line, isRevoked })) : [];
    expect(orderHeading(presentOrder({ ...receipt, status, lines }, []))).toBe(heading);
  });
  test('shows the bought picture by its key', () => {
    expect(boughtImageAddress({ galleryId: 10, photoId: 3, orderKey: 'KEY' })).toBe(
      '/api/v1/galleries/10/gallery_photos/3?size=640&orderkey=KEY',
    );
  });
});
