/** What a cart costs with the offers that this browser has seen; the server prices every order itself. */
import type { CartItem, OfferedGallery } from '#src/features/cart/cart.rules.ts';
import {
  bestPrice,
  type BestPrice,
  type FrozenSheet,
  type Offer,
  type PriceQuestion,
} from '#src/features/offers/best-price.rules.ts';
import type { PassCandidate } from '#src/features/offers/price-question.rules.ts';
import type { GalleryOffers } from '#src/features/offers/offers.contract.ts';
import { hintsOf } from '#src/features/offers/price-hints.rules.ts';
import { parseDollarNumber } from '#src/shared/money.ts';

/** A gallery as its page showed it; money in dollars. */
export type ShownGallery = OfferedGallery & {
  price_per_photo: number;
  photo_count: number;
  is_private: boolean;
  offers: GalleryOffers;
};

type OfferedPrice = {
  price: BestPrice;
  /** What the photos cost one by one, without passes in the cart. */
  singleSumCents: number;
  /** The best hint, or what only the checkout knows. */
  hint: string | null;
};

const ASKS_CHECKOUT = 'Checkout subtracts the photos in your pass.';

const centsOf = (dollars: number) => parseDollarNumber(dollars) ?? 0;

/** Null if what the browser stored is invalid, or has no price of a pass in the cart: then the cart has single prices. */
export function offeredPrice(
  photos: readonly CartItem[],
  passes: readonly CartItem[],
  offered: readonly OfferedGallery[],
): OfferedPrice | null {
  try {
    const question = questionOf(photos, passes, offered as readonly ShownGallery[]);
    if (question.passes.filter(({ inCart }) => inCart).length < passes.length) return null;
    const price = bestPrice(question);
    const singleSumCents = question.photos.reduce((sum, photo) => sum + photo.singleCents, 0);
    if (!Number.isSafeInteger(price.subtotalCents)) return null;
    const hint = mayIncludeMore(photos, passes) ? ASKS_CHECKOUT : (hintsOf(question, price)[0]?.text ?? null);
    return { price, singleSumCents, hint };
  } catch {
    return null;
  }
}

/**
 * Only the server knows who is on a photo and on which team a number is worn. Until it is asked, photos that were not
 * chosen on the athlete's page cost what they cost without the pass.
 */
const mayIncludeMore = (photos: readonly CartItem[], passes: readonly CartItem[]): boolean =>
  passes.some(({ athlete_key: key }) => key !== undefined && photos.some((photo) => photo.athlete_key !== key));

function questionOf(
  photos: readonly CartItem[],
  passes: readonly CartItem[],
  galleries: readonly ShownGallery[],
): PriceQuestion {
  const byId = new Map(galleries.map((gallery) => [gallery.id, gallery]));
  // The last seen version of a sheet comes last.
  const sheets = new Map(galleries.map(({ offers }) => [offers.sheet_id, sheetOf(offers)]));
  return {
    photos: photos.map((item) => {
      const gallery = byId.get(item.gallery_id);
      return {
        id: item.id,
        galleryId: item.gallery_id,
        singleCents: centsOf(item.sales_price),
        hasOwnPrice: gallery !== undefined && item.sales_price > gallery.price_per_photo,
        sheetId: gallery?.offers.sheet_id ?? null,
      };
    }),
    sheets: [...sheets.values()],
    passes: galleries.flatMap((gallery) =>
      gallery.offers.offers.flatMap((offer): PassCandidate[] => {
        const { id: offerId, kind } = offer;
        if (kind !== 'gallery_pass' && kind !== 'athlete_pass') return [];
        const of = { sheetId: gallery.offers.sheet_id, offerId, kind, priceCents: centsOf(offer.price) };
        if (kind === 'athlete_pass')
          return passes.flatMap(({ athlete_key: athleteKey, gallery_id }) => {
            if (athleteKey === undefined || gallery_id !== gallery.id) return [];
            const photoIds = photos.filter((item) => item.athlete_key === athleteKey).map(({ id }) => id);
            return { ...of, galleryId: null, athleteKey, photoIds, inCart: true, photosInAll: photoIds.length };
          });
        if (gallery.is_private) return [];
        const photoIds = photos.filter((item) => item.gallery_id === gallery.id).map(({ id }) => id);
        const inCart = passes.some(({ id }) => id === gallery.id);
        return [{ ...of, galleryId: gallery.id, photoIds, inCart, photosInAll: gallery.photo_count }];
      }),
    ),
    coupon: null,
    // The server leaves out an early bird that has ended.
    today: '',
  };
}

const sheetOf = (offers: GalleryOffers): FrozenSheet => ({
  id: offers.sheet_id,
  version: offers.version,
  content: {
    offers: offers.offers.map((offer): Offer =>
      offer.kind === 'steps'
        ? { ...offer, steps: offer.steps.map(({ from, price }) => ({ from, priceCents: centsOf(price) })) }
        : { ...offer, priceCents: centsOf(offer.price) },
    ),
    ownPricesTakePart: offers.own_prices_take_part,
    earlyBird: offers.early_bird && { percent: offers.early_bird.percent, lastDay: offers.early_bird.last_day },
  },
});
