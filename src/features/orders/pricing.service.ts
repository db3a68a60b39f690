/**
 * What a cart costs, by the server's own prices: the photos that this caller may buy, their seller, and the tax where
 * the buyer lives. It is compared with what the buyer saw; nothing that a browser sends becomes a price.
 */
import { paidWithCredit, type SpentCredit } from '#src/features/credit/credit.rules.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import * as contract from '#src/features/orders/orders.contract.ts';
import {
  chargeNeeded,
  isBelowMinimum,
  MINIMUM_CHARGE_CENTS,
  differsFromSeen,
  distinctItems,
  galleriesOf,
  linesOf,
  subtotalOf,
  totalsOf,
  unavailableItems,
  usualDonationGallery,
  type GalleryWithGoal,
  type OrderLine,
  type Totals,
} from '#src/features/orders/orders.rules.ts';
import {
  withPaid,
  priceWithOffers,
  type OfferPrice,
  type OfferPricingDeps,
} from '#src/features/orders/offer-pricing.service.ts';
import * as ordersSql from '#src/features/orders/orders.sql.ts';
import type { PhotoReading } from '#src/features/photos/reading.service.ts';
import { isCodeInVain, withoutCode, missingCents, takeLessOff } from '#src/features/order-offers/least-charge.rules.ts';
import { taxWords, type Tax, type TaxFor } from '#src/features/taxes/tax.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { PUBLIC, type Database } from '#src/platform/db/db.ts';
import { cents, toDollars, type Cents } from '#src/shared/money.ts';
import { fieldProblem, problem, refuseFields } from '#src/shared/problem.ts';

type Item = { id: number; gallery_id: number };

export type PricingDeps = OfferPricingDeps & {
  database: Database;
  photos: Pick<PhotoReading, 'sellable' | 'moved'>;
  organizations: Pick<OrganizationService, 'byId'>;
  taxFor: TaxFor;
  galleries: Pick<GalleryService, 'lockedFor' | 'goals'>;
};

export type PricedOrder = {
  seller: Organization;
  lines: OrderLine[];
  totals: Totals;
  tax: Tax;
  donationGalleryId: number | null;
  /** Null without a price sheet, a pass or a code. */
  offered: OfferPrice | null;
  /** What credit codes pay; the card is charged the rest. */
  credit: readonly SpentCredit[];
  chargeCents: Cents;
};

/**
 * @throws invalid "A photo in your cart is no longer available." with their `ids`; invalid for a donation to a gallery
 * of another seller.
 */
export async function price(ctx: PricingDeps, caller: Caller, body: contract.PlaceOrderBody | contract.QuoteBody) {
  const items = distinctItems(body.items);
  const seller = await ctx.organizations.byId(body.order.org_id);
  const sellable = seller
    ? await ctx.photos.sellable(
        caller,
        items.map((item) => item.id),
      )
    : [];
  const missing = seller ? unavailableItems(items, sellable, seller.id) : items.map((item) => item.id);
  if (!seller || missing.length > 0)
    throw problem('invalid', contract.PHOTO_NOT_AVAILABLE, {
      errors: { items: [contract.PHOTO_NOT_AVAILABLE] },
      extra: { ids: missing, unavailable: await reasonsOf(ctx, caller, { sellerId: seller?.id, items, missing }) },
    });
  const donationGalleryId = await donationGalleryOf(ctx, body);
  await requireOwnGallery(ctx, seller.id, donationGalleryId, items);
  const singles = linesOf(items, sellable);
  const offers = await priceWithOffers(ctx, caller, { seller, body, lines: singles, photos: sellable });
  const amounts = await amountsOf(ctx, { seller, body, offered: offers, singlesCents: subtotalOf(singles) });
  const { offered } = amounts;
  return { seller, donationGalleryId, ...amounts, lines: offered ? withPaid(singles, offered) : singles };
}

/** `singlesCents`: what the photos cost one by one. */
type Priced = Pick<PricedOrder, 'seller' | 'offered'> & {
  body: contract.PlaceOrderBody | contract.QuoteBody;
  singlesCents: Cents;
};

/** Tax, donation and credit of a price; the reduction is lowered if the card could not be charged what is left. */
async function amountsOf(
  ctx: PricingDeps,
  priced: Priced,
): Promise<Omit<PricedOrder, 'seller' | 'lines' | 'donationGalleryId'>> {
  const { seller, body, offered: best, singlesCents } = priced;
  const { donation: donationCents } = body.order;
  const amounts = async (offered: OfferPrice | null) => {
    const subtotalCents = offered ? cents(offered.best.subtotalCents) : singlesCents;
    const tax = await taxOf(subtotalCents);
    const totals = totalsOf(subtotalCents, tax.taxCents, donationCents);
    return { offered, tax, totals, ...paidWithCredit(offered, totals.totalCents, MINIMUM_CHARGE_CENTS) };
  };
  const taxOf = (subtotalCents: Cents) =>
    ctx.taxFor({
      parentOrganizationId: seller.parentOrganizationId ?? seller.id,
      zip: body.order.user?.zip || null,
      subtotalCents,
    });
  const asPriced = await amounts(best);
  if (!best || !chargeNeeded(asPriced.chargeCents) || !isBelowMinimum(asPriced.chargeCents)) return asPriced;
  const { ratePpm: taxRatePpm } = await taxOf(MINIMUM_CHARGE_CENTS);
  const terms = { taxRatePpm, donationCents, minimumCents: MINIMUM_CHARGE_CENTS };
  const chargeable = takeLessOff(best, missingCents(best.best.subtotalCents, terms));
  if (chargeable && isCodeInVain(chargeable.best)) return amountsOf(ctx, { ...priced, offered: withoutCode(best) });
  return chargeable ? amounts(chargeable) : asPriced;
}

type Missing = { sellerId: number | undefined; items: readonly Item[]; missing: readonly number[] };

/**
 * Says that a gallery is locked whether the photo is in it or not, so that hidden photos are not revealed; nor does it say
 * which ones moved out of it.
 */
async function reasonsOf(
  ctx: PricingDeps,
  caller: Caller,
  { sellerId, items, missing }: Missing,
): Promise<contract.Unavailable[]> {
  const wanted = items.filter((item) => missing.includes(item.id));
  const locked = await ctx.galleries.lockedFor(caller, [...new Set(wanted.map((item) => item.gallery_id))]);
  const gone = wanted.filter(({ gallery_id: id }) => !locked.has(id));
  const moved = sellerId === undefined ? null : await ctx.photos.moved(caller, sellerId, gone);
  return wanted.map(({ id, gallery_id }) => {
    const movedTo = moved?.get(id);
    const reason = locked.has(gallery_id) ? 'locked' : 'gone';
    return { id, gallery_id, reason, ...(movedTo && { moved_to: movedTo }) };
  });
}

/** The chosen one, or the default; null without a donation. */
async function donationGalleryOf(ctx: PricingDeps, body: contract.PlaceOrderBody | contract.QuoteBody) {
  const { order } = body;
  if (order.donation === 0) return null;
  if (order.donation_gallery_id) return order.donation_gallery_id;
  const galleryIds = galleriesOf(body);
  const first = galleryIds[0] ?? null;
  return galleryIds.length === 1 ? first : (usualDonationGallery(await goalsOf(ctx, galleryIds)) ?? first);
}

/** In the order of the ids. */
export async function goalsOf(ctx: PricingDeps, galleryIds: readonly number[]): Promise<GalleryWithGoal[]> {
  const found = new Map((await ctx.galleries.goals(galleryIds)).map((gallery) => [gallery.id, gallery]));
  return galleryIds.flatMap((id) => found.get(id) ?? []);
}

async function requireOwnGallery(
  ctx: PricingDeps,
  sellerId: number,
  galleryId: number | null,
  items: readonly { gallery_id: number }[],
): Promise<void> {
  if (galleryId === null || items.some((item) => item.gallery_id === galleryId)) return;
  if (await ctx.database.read(PUBLIC, (db) => ordersSql.ownsGallery(db, sellerId, galleryId))) return;
  throw fieldProblem({ donation_gallery_id: [contract.DONATION_GALLERY_UNKNOWN] });
}

/**
 * As `price`, and
 * @throws invalid for a code that is refused; conflict "Prices have changed…" with `totals` and `items` when the buyer
 * saw anything else.
 */
export async function priceAsSeen(ctx: PricingDeps, caller: Caller, body: contract.PlaceOrderBody) {
  const priced = await price(ctx, caller, body);
  const refused = priced.offered?.refusedCodes.map(({ error }) => error) ?? [];
  refuseFields({ codes: refused });
  const { charge } = body.order;
  const isCharged = charge === undefined || charge === priced.chargeCents;
  if (isCharged && !differsFromSeen(body, priced.lines, priced.totals)) return priced;
  throw pricesChanged(priced);
}

/** Nothing is charged that the buyer did not see. */
export function pricesChanged(priced: PricedOrder) {
  const { subtotal, tax, donation, total, items } = presentPrices(priced);
  return problem('conflict', contract.PRICES_CHANGED, { extra: { totals: { subtotal, tax, donation, total }, items } });
}

/** Prices for the API, in dollars. */
export function presentPrices({ lines, totals, tax, chargeCents }: PricedOrder) {
  return {
    subtotal: toDollars(totals.subtotalCents),
    tax: toDollars(totals.taxCents),
    ...(totals.taxCents > 0 && { tax_text: taxWords(tax) }),
    donation: toDollars(totals.donationCents),
    total: toDollars(totals.totalCents),
    charge_needed: chargeNeeded(chargeCents),
    items: lines.map((line) => ({
      id: line.photoId,
      gallery_id: line.galleryId,
      name: line.name,
      sales_price: toDollars(line.priceCents),
    })),
  };
}

/** A gallery of a cart with its goal in dollars. */
export function presentGoal({ id, name, goal }: GalleryWithGoal): contract.DonationGallery {
  if (goal === null) return { id, name, goal };
  const { recipient, raisedCents, targetCents } = goal;
  return {
    id,
    name,
    goal: { recipient, raised: toDollars(raisedCents), target: toDollars(targetCents) },
  };
}
