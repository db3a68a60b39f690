/**
 * Random carts through the calls (offers specification A.13, A2): the quote, its sentences and the order agree with a
 * full search.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { CartPhoto, FrozenSheet, Offer, PassCandidate } from '#src/features/offers/best-price.rules.ts';
import { checkoutClient } from '#tests/support/checkout-client.ts';
import { useCheckout } from '#tests/support/checkout-rig.ts';
import { bestByTrying } from '#tests/support/price-search.ts';
import { addPhoto, cartOf, openShop, type Shop } from '#tests/support/shop-goods.ts';
import { changeSheet, makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const CARTS = Number(process.env['RANDOM_CARTS'] ?? 200);
/** Every nth cart is also bought. */
const BOUGHT = Number(process.env['RANDOM_BOUGHT'] ?? 4);
const SLOW_MS = 600_000;
const TAX_PPM = 82_500;
const LEAST_CHARGE = 50;

const db = useTestDatabase();
const rig = useCheckout(db);
const { post, order, read, card } = checkoutClient(rig, db);

let shop: Shop;
/** Two galleries of one price sheet, each with a photo that is in no cart. */
let galleries: { id: number; name: string; photoIds: number[] }[];
let sheetId: number;

beforeAll(async () => {
  shop = await openShop(db, { photos: 4 });
  const [other] = await db.ownerQuery<{ id: number }>(
    "insert into galleries (organization_id, name, price_cents) values ($1, 'Semifinal', 400) returning id",
    [shop.sellerId],
  );
  const second = { sellerId: shop.sellerId, galleryId: other?.id ?? 0 };
  const photoIds = [];
  for (const name of ['A', 'B', 'C', 'D']) photoIds.push(await addPhoto(db, second, name));
  galleries = [
    { id: shop.galleryId, name: 'Final', photoIds: shop.photoIds },
    { id: second.galleryId, name: 'Semifinal', photoIds },
  ];
  sheetId = await useSheet(db, shop, { offers: [], ownPricesTakePart: false, earlyBird: null });
  await db.ownerQuery('update galleries set price_sheet_id = $2 where id = $1', [second.galleryId, sheetId]);
  await db.ownerQuery(
    "insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, '', '554', $2, 'Minneapolis')",
    [shop.parentId, TAX_PPM],
  );
});

const half = (min: number, max: number) => fc.integer({ min, max }).map((halves) => halves * 50);
const anyCart = fc.record({
  bundles: fc.array(fc.record({ photos: fc.integer({ min: 2, max: 4 }), priceCents: half(1, 30) }), { maxLength: 2 }),
  steps: fc.option(fc.uniqueArray(half(1, 12), { minLength: 1, maxLength: 3 })),
  passCents: fc.option(half(1, 30)),
  inCart: fc.tuple(fc.boolean(), fc.boolean()),
  ownPricesTakePart: fc.boolean(),
  earlyBird: fc.option(fc.integer({ min: 1, max: 95 })),
  usual: half(1, 10),
  /** The photos of both galleries: in the cart or not, and a price of its own. */
  photos: fc.array(fc.record({ isIn: fc.boolean(), own: fc.option(half(0, 12), { freq: 2 }) }), {
    minLength: 6,
    maxLength: 6,
  }),
  code: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }).map((n) => n * 100) }),
      fc.record({ kind: fc.constant('amount' as const), value: fc.integer({ min: 50, max: 900 }) }),
      fc.record({ kind: fc.constant('photos' as const), value: fc.integer({ min: 1, max: 3 }) }),
    ),
  ),
  isTaxed: fc.boolean(),
});
type AnyCart = typeof anyCart extends fc.Arbitrary<infer Cart> ? Cart : never;
type Code = NonNullable<AnyCart['code']>;

/** The cart as rows of the shop, and as the search takes it. */
async function stock(cart: AnyCart) {
  const offers: Offer[] = cart.bundles.map((bundle, at) => ({ id: at + 1, kind: 'bundle', ...bundle }));
  const falling = (cart.steps ?? []).toSorted((a, b) => b - a);
  if (falling.length > 0)
    offers.push({ id: 3, kind: 'steps', steps: falling.map((priceCents, at) => ({ from: 1 + at * 2, priceCents })) });
  if (cart.passCents !== null) offers.push({ id: 4, kind: 'gallery_pass', priceCents: cart.passCents });
  const { ownPricesTakePart, earlyBird: percent } = cart;
  const earlyBird = percent === null ? null : { percent, lastDay: '2099-10-12' };
  const content: FrozenSheet['content'] = { offers, ownPricesTakePart, earlyBird };
  await changeSheet(db, sheetId, content);
  const ids = galleries.flatMap(({ photoIds }) => photoIds.slice(0, 3));
  await db.ownerQuery('update galleries set price_cents = $2 where organization_id = $1', [shop.sellerId, cart.usual]);
  await db.ownerQuery(
    'update photos p set price_override_cents = o.cents from unnest($1::bigint[], $2::int[]) as o (id, cents) where p.id = o.id',
    [ids, cart.photos.map(({ own }) => own)],
  );
  const all = cart.photos.map(({ own }, at) => ({
    id: ids[at] ?? 0,
    galleryId: galleries[at < 3 ? 0 : 1]?.id ?? 0,
    sheetId,
    singleCents: own ?? cart.usual,
    hasOwnPrice: own !== null && own > cart.usual,
  }));
  // The search tries every order of a falling price.
  const photos = all.filter((_, at) => cart.photos[at]?.isIn).slice(0, falling.length > 0 ? 5 : 6);
  const passes = galleries.flatMap(({ id: galleryId, photoIds }, at): PassCandidate[] => {
    const { passCents: priceCents } = cart;
    const covered = photos.filter((photo) => photo.galleryId === galleryId).map(({ id }) => id);
    // A cart knows a gallery by its photos, or by its pass.
    if (priceCents === null || (covered.length === 0 && !cart.inCart[at])) return [];
    const pass = { sheetId, offerId: 4, kind: 'gallery_pass' as const, galleryId, priceCents };
    return [{ ...pass, inCart: cart.inCart[at] ?? false, photoIds: covered, photosInAll: photoIds.length }];
  });
  return { photos, passes, sheet: { id: sheetId, version: 1, content } };
}

const portion = (cents: number, ppm: number) => Math.floor((cents * ppm * 2 + 1_000_000) / 2_000_000);

/** The price of a cart by the search, the better of early bird and code, and the minimum charge of a card. */
function expected(cart: AnyCart, goods: { photos: CartPhoto[]; passes: PassCandidate[]; sheet: FrozenSheet }) {
  const plain = bestByTrying({ ...goods, freePhotos: 0 });
  const taxOf = (cents: number) => (cart.isTaxed ? portion(cents, TAX_PPM) : 0);
  const chargeable = (cents: number): number =>
    cents > 0 && cents + taxOf(cents) < LEAST_CHARGE ? chargeable(cents + 1) : cents;
  const [wholeCents] = plain;
  const early = wholeCents - portion(wholeCents, (cart.earlyBird ?? 0) * 10_000);
  const without = { by: plain, subtotal: chargeable(early), isCode: false };
  const withCode = (code: Code) => {
    const by = code.kind === 'photos' ? bestByTrying({ ...goods, freePhotos: code.value }) : plain;
    if (code.kind === 'photos') return { by, subtotal: chargeable(by[0]), isCode: true };
    const off = code.kind === 'percent' ? portion(wholeCents, code.value * 100) : Math.min(code.value, wholeCents);
    return { by, subtotal: chargeable(wholeCents - off), isCode: true };
  };
  const coded = cart.code && withCode(cart.code);
  const best = coded && coded.subtotal < without.subtotal ? coded : without;
  const tax = taxOf(best.subtotal);
  return { ...best, tax, total: best.subtotal + tax };
}

type Quote = {
  subtotal: number;
  tax: number;
  total: number;
  charge: number;
  offers: { kind: string; name: string; photo_ids: number[]; open_slots: number; price: number }[];
  reduction: { kind: string; amount: number } | null;
  pricing: { text: string; amount: number }[];
};
const inCents = (dollars: number) => Math.round(dollars * 100);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Photos not delivered (negative), photos in bundles, bundles: as in the search. */
function chosenIn({ offers }: Quote, { photos, sheet }: { photos: CartPhoto[]; sheet: FrozenSheet }) {
  const passes = offers.flatMap(({ kind, name }) =>
    kind === 'gallery_pass' ? galleries.filter((gallery) => name === `The whole gallery “${gallery.name}”`) : [],
  );
  const inPass = new Set(passes.map(({ id }) => id));
  const bundles = offers.filter(({ kind }) => kind === 'bundle');
  const sizeOf = (name: string) => Number(/^(?:Any )?(\d+) for /.exec(name)?.[1]);
  expect(
    bundles.every(({ name }) => sheet.content.offers.some((o) => o.kind === 'bundle' && o.photos === sizeOf(name))),
  ).toBe(true);
  return [
    -(sum(passes.map(({ photoIds }) => photoIds.length)) + photos.filter((p) => !inPass.has(p.galleryId)).length),
    sum(bundles.map(({ photo_ids }) => photo_ids.length)),
    sum(bundles.map(({ name, photo_ids, open_slots }) => (photo_ids.length + open_slots) / sizeOf(name))),
  ];
}

/** Each sentence names its own amount, as a parent adds them up, and every photo is in one of them. */
function readAloud(quote: Quote, photos: readonly CartPhoto[]) {
  let told = 0;
  for (const { text, amount } of quote.pricing) {
    const single = /^(\d+) photos? at \$([\d.]+)$/.exec(text);
    const bundle = /^(?:Any )?(\d+) for \$([\d.]+), (\d+) photos?$/.exec(text);
    const off = /: −\$([\d.]+)$/.exec(text);
    if (single) expect(amount).toBeCloseTo(Number(single[1]) * Number(single[2]));
    if (bundle) expect(amount).toBeCloseTo(Math.ceil(Number(bundle[3]) / Number(bundle[1])) * Number(bundle[2]));
    if (off) expect(amount).toBe(-Number(off[1]));
    told += Number(
      single?.[1] ?? bundle?.[3] ?? /, (\d+) photos?$/.exec(text)?.[1] ?? /, (\d+) photos? free$/.exec(text)?.[1] ?? 0,
    );
  }
  const inPasses = quote.offers.flatMap(({ kind, photo_ids }) => (kind === 'gallery_pass' ? photo_ids : []));
  expect(told).toBe(photos.length - inPasses.length);
  expect(sum(quote.pricing.map(({ amount }) => inCents(amount)))).toBe(inCents(quote.subtotal));
}

let carts = 0;

test(
  `${CARTS} random carts: quote, sentences and frozen orders match a full search`,
  async () => {
    await fc.assert(
      fc.asyncProperty(anyCart, async (cart) => {
        const goods = await stock(cart);
        const codes = cart.code ? [`RANDOM${(carts += 1)}`] : [];
        if (cart.code) await makeCoupon(db, shop, { code: codes[0] ?? '', maxUses: 1, ...cart.code });
        const passes = goods.passes
          .filter(({ inCart }) => inCart)
          .map(({ kind, galleryId }) => ({ kind, gallery_id: galleryId }));
        const items = goods.photos.map(({ id, galleryId }) => ({ id, gallery_id: galleryId }));
        fc.pre(items.length + passes.length > 0);
        const zip = cart.isTaxed ? '55401' : '10001';
        const asked = await post('/api/v1/orders/quote', {
          order: { org_id: shop.sellerId, user: { zip } },
          items,
          codes,
          passes,
        });
        expect(asked.status, asked.body.error).toBe(200);
        const quote = asked.body as unknown as Quote;
        const want = expected(cart, goods);
        expect([quote.subtotal, quote.tax, quote.total].map(inCents)).toEqual([want.subtotal, want.tax, want.total]);
        expect(chosenIn(quote, goods)).toEqual(want.by.slice(1));
        expect(quote.reduction?.kind === 'coupon').toBe(want.isCode);
        readAloud(quote, goods.photos);
        if ((carts += 1) % BOUGHT === 0) await buyAsQuoted({ goods, codes, passes, zip, quote });
      }),
      { numRuns: CARTS },
    );
  },
  SLOW_MS,
);

/** The stored order says the same, in the same sentences. */
async function buyAsQuoted({
  goods,
  codes,
  passes,
  zip,
  quote,
}: {
  goods: Awaited<ReturnType<typeof stock>>;
  codes: string[];
  passes: object[];
  zip: string;
  quote: Quote;
}) {
  const email = `family${carts}@families.test`;
  const token = quote.total === 0 ? null : await card();
  const { subtotal, tax: taxes, charge } = quote;
  const body = cartOf(shop, {
    photos: [],
    token,
    order: { subtotal, taxes, charge },
    user: { email, confirm_email: email, zip },
  });
  const items = goods.photos.map(({ id, galleryId, singleCents }) => ({
    id,
    gallery_id: galleryId,
    sales_price: singleCents / 100,
  }));
  const placed = await order({ ...body, items, codes, passes } as typeof body);
  expect(placed.status, placed.body.error).toBe(201);
  const { body: kept } = await read(placed.body.vanity_id);
  const { subtotal: paid, tax, total, pricing } = kept as unknown as Quote;
  expect({ paid, tax, total, pricing }).toEqual({
    paid: subtotal,
    tax: taxes,
    total: quote.total,
    pricing: quote.pricing,
  });
  const [lines] = await db.ownerQuery<{ cents: number }>(
    `select ((select coalesce(sum(price_cents), 0) from order_photos where order_id = o.id)
             + (select coalesce(sum(price_cents), 0) from passes where order_id = o.id))::int as cents from orders o where vanity_id = $1`,
    [placed.body.vanity_id],
  );
  expect(lines?.cents).toBe(inCents(subtotal));
}
