/** The three sellers of a history, and what they offer. */
import type { SheetContent } from '#src/features/offers/best-price.rules.ts';
import { sealText } from '#src/platform/secrets.ts';
import type { Offers } from '#tests/support/money-model.ts';
import { openShop, type Shop } from '#tests/support/shop-goods.ts';
import { makeCoupon, useSheet } from '#tests/support/shop-sheets.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export const TAX_PPM = 68_750;
export const SHARE_BPS = 1_875;
export const PRICES = [333, 0, 1_250] as const;
/** Of the seller with taxes, and of the one with an account of its own. */
export const OFFERS: readonly (Offers | null)[] = [
  { bundle: { photos: 2, cents: 501 }, pass: 1_299, earlyBird: 10 },
  null,
  { bundle: { photos: 2, cents: 2_000 }, pass: 2_999, earlyBird: 0 },
];
/** A code of each seller with offers. */
export const CODE = { code: 'FIFTH', kind: 'percent', value: 2_000 } as const;
const sheetOf = ({ bundle, pass, earlyBird }: Offers): SheetContent => ({
  offers: [
    { id: 1, kind: 'bundle', photos: bundle.photos, priceCents: bundle.cents },
    { id: 2, kind: 'gallery_pass', priceCents: pass },
  ],
  ownPricesTakePart: false,
  earlyBird: earlyBird === 0 ? null : { percent: earlyBird, lastDay: '2099-12-31' },
});

/** On the platform's account with taxes, with free photos, and on its own account. */
export async function openShops(server: TestServer) {
  const own = (text: string, values: unknown[] = []) => server.data.ownerQuery<Record<string, number>>(text, values);
  const shops: Shop[] = [];
  for (const priceCents of PRICES) shops.push(await openShop(server.data, { priceCents, shareBps: SHARE_BPS }));
  const [taxed, , custom] = shops as [Shop, Shop, Shop];
  for (const [at, shop] of shops.entries()) {
    const offers = OFFERS[at] ?? null;
    if (offers === null) continue;
    await useSheet(server.data, shop, sheetOf(offers));
    await makeCoupon(server.data, shop, CODE);
  }
  await own(
    `insert into tax_rates (organization_id, state, zip_prefix, rate_ppm, jurisdiction) values ($1, 'MN', '', $2, 'Minnesota')`,
    [taxed.parentId, TAX_PPM],
  );
  await own(`update organizations set can_add_custom_payment = true, stripe_pk = 'pk_test_own' where id = $1`, [
    custom.sellerId,
  ]);
  await own('update organization_private set stripe_sk_encrypted = $2 where organization_id = $1', [
    custom.sellerId,
    sealText(server.platform.keys.processorKeys, 'sk_test_own'),
  ]);
  return { shops, taxed, custom };
}
