/** What people pay with a price sheet, and warnings for its owner. Nothing here refuses a sheet. */
import { bestPrice, type Offer, type SheetContent } from '#src/features/offers/best-price.rules.ts';
import { counted } from '#src/shared/counted.ts';
import { formatDollars } from '#src/shared/money.ts';
import { numberWord } from '#src/shared/number-words.ts';

/** Galleries of the sheet with the same price of a photo, and how many of their photos have a higher price of their own. */
export type PriceGroup = { priceCents: number; galleries: number; ownPriced: number };

/** The columns of "What people will pay". */
export const SHOWN_COUNTS = [1, 2, 3, 5, 8, 10, 20] as const;
/** A pass that costs as much as this few photos leaves little else to sell. */
const FEW_PHOTOS = 10;
const MOST_PHOTOS = 100;

type Pass = Extract<Offer, { kind: 'gallery_pass' | 'athlete_pass' }>;
const isPass = (offer: Offer): offer is Pass => offer.kind === 'gallery_pass' || offer.kind === 'athlete_pass';

type Paid = { photos: number; cents: number; offers: Offer[] };

/**
 * What this many photos of one gallery and one athlete cost, and the offers that cover most of them; no offers means
 * single prices.
 */
export function paidFor(content: SheetContent, singleCents: number, photos: number): Paid {
  const sheet = { id: 1, version: 1, content: { ...content, earlyBird: null } };
  const cart = Array.from({ length: photos }, (_none, at) => ({
    id: at + 1,
    galleryId: 1,
    singleCents,
    hasOwnPrice: false,
    sheetId: 1,
  }));
  const photoIds = cart.map((photo) => photo.id);
  const passes = content.offers.flatMap((offer) =>
    isPass(offer)
      ? [
          {
            sheetId: 1,
            offerId: offer.id,
            kind: offer.kind,
            galleryId: 1,
            priceCents: offer.priceCents,
            photoIds,
            inCart: false,
            // More photos than the cart has, because otherwise no one would want the pass.
            photosInAll: photos + 1,
          },
        ]
      : [],
  );
  const best = bestPrice({ photos: cart, sheets: [sheet], passes, coupon: null, today: '2000-01-01' });
  return {
    photos,
    cents: best.subtotalCents,
    offers: best.offers
      .toSorted((a, b) => b.photoIds.length - a.photoIds.length)
      .flatMap(({ offerId }) => content.offers.find((offer) => offer.id === offerId) ?? []),
  };
}

type Bundle = Extract<Offer, { kind: 'bundle' }>;

const bundleWords = ({ photos, priceCents }: Bundle) => `“${photos} for ${formatDollars(priceCents)}”`;

const PASSES = { gallery_pass: 'gallery pass', athlete_pass: 'athlete pass' } as const;

/**
 * All warnings of a sheet. `prices` are those of its galleries, most common first; without galleries, the usual price
 * of a photo.
 */
export function sheetWarnings(content: SheetContent, prices: readonly PriceGroup[]): string[] {
  const common = prices[0]?.priceCents ?? 0;
  const { offers } = content;
  const bundles = offers.filter((offer) => offer.kind === 'bundle');
  return [
    ...offers.flatMap((offer) => passWarning(content, offer, common)),
    ...bundles.flatMap((bundle) => bundleWarning(content, bundle, prices)),
    ...ownPriceWarning(content, prices),
  ];
}

function passWarning(content: SheetContent, offer: Offer, common: number): string[] {
  if (common === 0 || !isPass(offer)) return [];
  const withoutPasses = { ...content, offers: content.offers.filter((each) => !isPass(each)) };
  for (let photos = 1; photos <= FEW_PHOTOS; photos += 1)
    if (paidFor(withoutPasses, common, photos).cents >= offer.priceCents)
      return [
        `${counted(photos, 'photo costs', 'photos cost')} as much as the ${PASSES[offer.kind]}. Most people will take the pass.`,
      ];
  return [];
}

function bundleWarning(content: SheetContent, bundle: Bundle, prices: readonly PriceGroup[]): string[] {
  const tooExpensiveIn = prices
    .filter(({ priceCents }) => priceCents > 0 && bundle.priceCents > bundle.photos * priceCents)
    .reduce((sum, { galleries }) => sum + galleries, 0);
  if (tooExpensiveIn > 0)
    return [
      `${bundleWords(bundle)} costs more than ${numberWord(bundle.photos)} photos one by one in ${counted(tooExpensiveIn, 'gallery', 'galleries')}.`,
    ];
  const common = prices[0]?.priceCents ?? 0;
  const winner = common === 0 ? null : winnerOver(content, bundle, common);
  return winner ? [`${bundleWords(bundle)} never wins while ${bundleWords(winner)} is here.`] : [];
}

/** If no number of photos is ever bought with this bundle: the bundle that is used instead. */
function winnerOver(content: SheetContent, bundle: Bundle, common: number): Bundle | null {
  const withoutPasses = content.offers.filter((offer) => !isPass(offer));
  const only = { ...content, offers: withoutPasses };
  const without = { ...content, offers: withoutPasses.filter(({ id }) => id !== bundle.id) };
  for (let photos = 1; photos <= Math.min(MOST_PHOTOS, 3 * bundle.photos); photos += 1)
    if (paidFor(only, common, photos).cents < paidFor(without, common, photos).cents) return null;
  const [offer = null] = paidFor(without, common, bundle.photos).offers;
  return offer?.kind === 'bundle' ? offer : null;
}

function ownPriceWarning({ offers }: SheetContent, prices: readonly PriceGroup[]): string[] {
  const own = prices.reduce((sum, { ownPriced }) => sum + ownPriced, 0);
  if (own === 0 || !offers.some(({ kind }) => kind === 'gallery_pass')) return [];
  return [
    `The gallery pass includes ${counted(own, 'photo', 'photos')} with a higher price of ${own === 1 ? 'its' : 'their'} own.`,
  ];
}
