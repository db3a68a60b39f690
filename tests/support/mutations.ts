/** Small mistakes in money, rights and limits, which `npm run mutations` writes into the code one after the other. */
import { CHOSEN } from '#tests/support/mutations-of-many-modules.ts';
import { CHILDREN, OFFERS } from '#tests/support/mutations-of-offers.ts';

/** `from` is in exactly one file of `src`; `tests` are parts of the names of test files. */
export type Mutation = { what: string; from: string; to: string; tests: string[] };

const MONEY: readonly Mutation[] = [
  {
    what: 'the card fee is 2.8 %',
    from: 'portionHalfUp(totalCents, 290, 10_000)',
    to: 'portionHalfUp(totalCents, 280, 10_000)',
    tests: ['ledger/'],
  },
  {
    what: 'the fixed fee is 29 cents',
    from: 'FEE_FIXED_CENTS = cents(30)',
    to: 'FEE_FIXED_CENTS = cents(29)',
    tests: ['ledger/'],
  },
  {
    what: 'the platform takes its share of the tax',
    from: 'const shareCents = portionHalfUp(base, sale.shareBps, 10_000);',
    to: 'const shareCents = portionHalfUp(totalCents, sale.shareBps, 10_000);',
    tests: ['ledger/'],
  },
  {
    what: 'half a cent is rounded down',
    from: '(exact * 2n + BigInt(scale))',
    to: '(exact * 2n + BigInt(scale) - 1n)',
    tests: ['money.test'],
  },
  {
    what: 'a third decimal is cut off',
    from: String.raw`(?:\.(\d{1,2}))?$/`,
    to: String.raw`(?:\.(\d{1,2})\d*)?$/`,
    tests: ['money.test'],
  },
  {
    what: 'the smallest charge is 49 cents',
    from: 'MINIMUM_CHARGE_CENTS = cents(50)',
    to: 'MINIMUM_CHARGE_CENTS = cents(49)',
    tests: ['orders/orders-refusals', 'orders/orders.rules'],
  },
  {
    what: 'changed taxes are charged unseen',
    from: 'body.order.taxes !== totals.taxCents',
    to: 'false',
    tests: ['orders/orders.rules', 'orders/orders-refusals'],
  },
  {
    what: 'changed prices are charged unseen',
    from: 'body.items.some((item) => priceById.get(item.id) !== item.sales_price) ||',
    to: '',
    tests: ['orders/orders.rules', 'orders/orders-refusals'],
  },
  {
    what: 'the same photo twice is two lines',
    from: 'return items.filter((item) => !seen.has(item.id) && seen.add(item.id));',
    to: 'return [...items];',
    tests: ['orders/orders.rules', 'orders/orders.test'],
  },
  {
    what: 'the content of an order leaves out the donation',
    from: 'order.donation,\n      order.donation_gallery_id ?? null,',
    to: '',
    tests: ['orders/orders.rules', 'orders/orders-once'],
  },
  {
    what: 'the donation is taxed',
    from: 'portionHalfUp(order.subtotalCents, rate.ratePpm, 1_000_000)',
    to: 'portionHalfUp(cents(order.subtotalCents + 100), rate.ratePpm, 1_000_000)',
    tests: ['orders/orders.rules', 'taxes/'],
  },
  {
    what: 'the shortest zip prefix wins',
    from: 'b.zipPrefix.length - a.zipPrefix.length',
    to: 'a.zipPrefix.length - b.zipPrefix.length',
    tests: ['orders/orders.rules', 'taxes/'],
  },
  {
    what: 'a refund takes the tax from the organization',
    from: "{ kind: 'tax_payable', organizationId: null, amountCents: cents(tax) },",
    to: "{ kind: 'tax_payable', organizationId: null, amountCents: cents(0) },",
    tests: ['ledger/'],
  },
  {
    what: 'two refunds together give more than was paid',
    from: 'Math.min(totalCents - refundedCents - inFlightCents, ',
    to: 'Math.min(totalCents - refundedCents, ',
    tests: ['refunds/'],
  },
  {
    what: 'more than is left is refunded',
    from: 'if (amountCents <= left) return amountCents;',
    to: 'return amountCents;',
    tests: ['refunds/'],
  },
  {
    what: 'a disputed order is refunded',
    from: "if (order.status === 'disputed') return words.ORDER_IS_DISPUTED;",
    to: '',
    tests: ['refunds/'],
  },
  {
    what: 'a refund at the provider is ignored while its order is disputed',
    from: 'if (refunded > order.refundedCents) {',
    to: "if (refunded > order.refundedCents && order.status !== 'disputed') {",
    tests: ['refunds/'],
  },
  {
    what: 'a sale of the same day is paid out',
    from: "if (order.paidAt > paidUntil) return 'too_new';",
    to: '',
    tests: ['payouts/'],
  },
  {
    what: 'a sale over the seller’s own account is paid out',
    from: "if (order.processor === 'custom') return 'own_account';",
    to: '',
    tests: ['payouts/'],
  },
  {
    what: 'a disputed sale is paid out',
    from: "if (order.isInDispute) return 'disputed';",
    to: '',
    tests: ['payouts/'],
  },
  { what: 'an order is paid out twice', from: 'if (paidOut.has(id)) continue;', to: '', tests: ['payouts/'] },
  {
    what: 'an organization is sent nothing or less',
    from: 'if (amountCents <= 0) {',
    to: 'if (amountCents < -1_000_000) {',
    tests: ['payouts/'],
  },
  {
    what: 'the threshold itself needs no second person',
    from: 'amountCents >= thresholdCents',
    to: 'amountCents > thresholdCents',
    tests: ['payouts/'],
  },
  {
    what: 'a charge of another amount settles its order',
    from: 'if (found.amountCents !== charge.amountCents)',
    to: 'if (found.amountCents === 0)',
    tests: ['orders/orders-once'],
  },
];

const RIGHTS: readonly Mutation[] = [
  { what: 'every membership administers', from: 'membership.role === 2 &&', to: '', tests: ['tenancy/'] },
  {
    what: 'a club edits its parent',
    from: 'return actor.roleId === 2 || belongsTo(actor, owned);',
    to: 'return actor.memberships.length > 0 || belongsTo(actor, owned);',
    tests: ['tenancy/'],
  },
  {
    what: 'a stranger passes for an editor',
    from: "if (actor.kind !== 'user') return false;\n  return actor.roleId",
    to: "if (actor.kind === 'contributor') return false;\n  if (actor.kind !== 'user') return true;\n  return actor.roleId",
    tests: ['tenancy/'],
  },
  {
    what: 'a platform route is open to every session',
    from: "if (access.who === 'platform-admin') {",
    to: "if (access.who === 'platform-admin' && actor.kind !== 'user') {",
    tests: ['access-matrix'],
  },
  {
    what: 'a route of sessions is open to strangers',
    from: "if (access.who === 'session' && actor.kind !== 'user') throw problem('unauthenticated', LOG_IN_FIRST);",
    to: '',
    tests: ['access-matrix'],
  },
  {
    what: 'a chosen password opens everything',
    from: "if (actor.kind !== 'user' || actor.mustChangePassword !== true) return;",
    to: 'return;',
    tests: ['sign-in/choosing-first'],
  },
  {
    what: 'another site writes with the cookie',
    from: "if (isForeign) throw problem('forbidden', FOREIGN_ORIGIN);",
    to: '',
    tests: ['http/', 'galleries/unlocking'],
  },
  {
    what: '`adminview` shows visitors clean pictures',
    from: 'if (!facts.editor || facts.removed) return NONE;',
    to: 'if (facts.removed) return NONE;',
    tests: ['photos/'],
  },
  { what: 'an order key opens every photo', from: 'if (!facts.paid) return NONE;', to: '', tests: ['photos/'] },
  {
    what: 'a hidden photo is public',
    from: 'facts.galleryActive && facts.shownInGallery && !facts.locked',
    to: 'facts.galleryActive && !facts.locked',
    tests: ['photos/'],
  },
  {
    what: 'a locked gallery shows its photos',
    from: 'facts.galleryActive && facts.shownInGallery && !facts.locked',
    to: 'facts.galleryActive && facts.shownInGallery',
    tests: ['photos/'],
  },
  {
    what: 'a shared cache keeps pictures of a locked gallery',
    from: "if (pixels.cachedFor === 'visitor') return 'private, no-cache';",
    to: '',
    tests: ['photos/'],
  },
  {
    what: 'the CDN fetches a photo by the address of another',
    from: 'if (!verifyValue(key, signature, PURPOSE, galleryId, photoId, version, until)) return null;',
    to: '',
    tests: ['platform/cdn/'],
  },
  {
    what: 'the CDN fetches pictures of unlisted galleries',
    from: "pixels.kind === 'rendition' && pixels.cachedFor === 'everyone' ? pixels : null",
    to: "pixels.kind === 'rendition' ? pixels : null",
    tests: ['pictures/cdn-pictures'],
  },
  {
    what: 'the CDN keeps photos that were removed together',
    from: 'await ctx.cdn.requestPurgeOf(tx, galleryId, found);',
    to: '',
    tests: ['pictures/cdn-pictures'],
  },
  {
    what: 'a changed password leaves the old cookie good',
    from: "verifyValue(ctx.keys.unlockProofs, proof, 'unlocked', gallery.id, gallery.passwordVersion)",
    to: "verifyValue(ctx.keys.unlockProofs, proof, 'unlocked', gallery.id, gallery.passwordVersion) || proof.length > 0",
    tests: ['galleries/unlocking'],
  },
  {
    what: 'a photo of another organization is sold',
    from: 'photo?.galleryId !== item.gallery_id || photo.organizationId !== organizationId',
    to: 'photo?.galleryId !== item.gallery_id',
    tests: ['orders/orders.rules', 'orders/orders-refusals'],
  },
];

const LIMITS: readonly Mutation[] = [
  {
    what: 'six cards are declined',
    from: 'const DECLINES = 5;',
    to: 'const DECLINES = 6;',
    tests: ['orders/', 'billing/'],
  },
  {
    what: 'a sixth password is tried',
    from: 'const TRIES = { minute: 5,',
    to: 'const TRIES = { minute: 6,',
    tests: ['galleries/unlocking', 'galleries/galleries.test'],
  },
  {
    what: 'a free account has two galleries',
    from: 'activeGalleries < FREE_ACTIVE_GALLERIES',
    to: 'activeGalleries <= FREE_ACTIVE_GALLERIES',
    tests: ['tenancy/', 'galleries/free-tier'],
  },
  {
    what: 'a free gallery takes 501 photos',
    from: 'FREE_PHOTOS_PER_GALLERY = 500',
    to: 'FREE_PHOTOS_PER_GALLERY = 501',
    tests: ['galleries/'],
  },
  {
    what: 'claims pass the limit of a free gallery',
    from: 'photosLeft(counts) < claims.length',
    to: 'photosLeft(counts) < 0',
    tests: ['uploads/', 'galleries/free-tier'],
  },
  {
    what: 'what was not uploaded does not count',
    from: 'if ((await count()) >= left) throw problem(',
    to: 'if ((await count()) >= left + 1_000) throw problem(',
    tests: ['uploads/'],
  },
  {
    what: 'more runs at once than may',
    from: 'if (running < options.atOnce) running += 1;',
    to: 'if (running <= options.atOnce) running += 1;',
    tests: ['platform/limits/'],
  },
];

export const MUTATIONS: readonly Mutation[] = [...MONEY, ...RIGHTS, ...LIMITS, ...OFFERS, ...CHILDREN, ...CHOSEN];
