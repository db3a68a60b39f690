/**
 * Every sentence about offers that a buyer reads, on pages, in receipts and in emails (offers specification A.3, A.4).
 * An order stores only the names of its offers and its reduction; its lines are built from them again years later.
 */
import type { CouponTerms, EarlyBird, Offer, Reduction } from '#src/features/offers/price-question.rules.ts';
import { counted } from '#src/shared/counted.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { formatDollars } from '#src/shared/money.ts';

const photosText = (count: number) => counted(count, 'photo', 'photos');

/** A bundle of at least five photos says "any"; below that no one wonders which photos count. */
const ANY_FROM = 5;

const ENDINGS = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' });
const ordinal = (place: number) => `${place}${ENDINGS[ordinals.select(place)]}`;

/** "3 for $10.00" within a line of a page: "any 5 for $15.00". */
export function offerText(offer: Offer): string {
  if (offer.kind === 'gallery_pass') return `The whole gallery for ${formatDollars(offer.priceCents)}`;
  if (offer.kind === 'athlete_pass') return `All photos of my athlete for ${formatDollars(offer.priceCents)}`;
  if (offer.kind === 'bundle')
    return `${offer.photos >= ANY_FROM ? 'any ' : ''}${offer.photos} for ${formatDollars(offer.priceCents)}`;
  return offer.steps
    .map(({ from, priceCents }) =>
      from === 1 ? `${formatDollars(priceCents)} each` : `from the ${ordinal(from)} ${formatDollars(priceCents)}`,
    )
    .join(', ');
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The name of an offer that an order stores: "Any 5 for $15.00", "The whole gallery “Cup final”". `whose` names a pass. */
export function offerName(offer: Offer, whose: string): string {
  if (offer.kind === 'gallery_pass') return `The whole gallery “${whose}”`;
  if (offer.kind === 'athlete_pass') return `All photos of ${whose}`;
  return capital(offerText(offer));
}

/** The name that an order stores for included photos: "Included with registration: 3 photos". */
export const INCLUDED_WITH_REGISTRATION = 'Included with registration';

/** A line of a receipt: "Any 5 for $15.00, 5 photos". A pass has no count: it has more photos than the order. */
export function offerLine(kind: Offer['kind'] | 'included', name: string, photos: number): string {
  if (kind === 'included') return `${name}: ${photosText(photos)}`;
  return kind === 'bundle' || kind === 'steps' ? `${name}, ${photosText(photos)}` : name;
}

/** "1 photo at $4.00" */
export const singlesLine = (photos: number, singleCents: number) =>
  `${photosText(photos)} at ${formatDollars(singleCents)}`;

/**
 * The line of a gallery: "$4.00 each · 3 for $10.00 · any 5 for $15.00". A falling price includes the price of one photo.
 * A bundle that saves nothing there is left out; it stays in "All prices".
 */
export function priceLine(singleCents: number, offers: readonly Offer[]): string {
  const listed = offers.filter(
    (offer) => offer.kind === 'steps' || (offer.kind === 'bundle' && offer.priceCents < offer.photos * singleCents),
  );
  const saysEach = listed.some((offer) => offer.kind === 'steps' && offer.steps[0]?.from === 1);
  return [...(saysEach ? [] : [`${formatDollars(singleCents)} each`]), ...listed.map(offerText)].join(' · ');
}

const percentText = (percentBp: number) => `${percentBp / 100}% off`;

/** "15% off until 10.12.2026" */
export const earlyBirdLine = ({ percent, lastDay }: EarlyBird) =>
  `${percentText(percent * 100)} until ${shownDay(lastDay)}`;

/** For the seller, once the last day is over. */
export const earlyBirdIsOver = (lastDay: string) =>
  `The early bird ended on ${shownDay(lastDay)}. Choose a later day, or turn it off.`;
export const earlyBirdEnded = (lastDay: string) => `early bird ended on ${shownDay(lastDay)}`;

/** The name that an order stores for its reduction: "Code HAWKS20, 20% off", "Early bird, 15% off". */
export function reductionName(
  reduction: Reduction,
  coupon: Pick<CouponTerms, 'code' | 'kind' | 'value'> | null,
): string {
  const { kind, percentBp } = reduction;
  if (kind === 'early_bird' || !coupon)
    return percentBp === null ? 'Early bird' : `Early bird, ${percentText(percentBp)}`;
  if (coupon.kind === 'percent') return `Code ${coupon.code}, ${percentText(coupon.value)}`;
  if (coupon.kind === 'amount') return `Code ${coupon.code}, ${formatDollars(coupon.value)} off`;
  return `Code ${coupon.code}, ${photosText(reduction.freePhotoIds.length)} free`;
}

/** "Code HAWKS20, 20% off: −$3.80". Free photos have no amount: they cost nothing in the lines above. */
export const reductionLine = (name: string, amountCents: number) =>
  amountCents === 0 ? name : `${name}: −${formatDollars(amountCents)}`;

/** Why the code was used and not the early bird. */
export const codeWins = (code: string, savedCents: number, earlyBirdCents: number) =>
  `${code} saves you ${formatDollars(savedCents)}, more than the early bird (${formatDollars(earlyBirdCents)}), so we used the code.`;
export const EARLY_BIRD_WINS = 'Early bird saves you more than this code. Keep the code for later.';
/** For an order that would leave less than the minimum card charge. */
export const LESS_TAKEN_OFF = 'A card is charged at least $0.50, so a little less is taken off.';
export const CODE_BELOW_LEAST_CHARGE =
  'A card is charged at least $0.50, so this code would save you nothing. Keep it for later.';
export const CODE_SAVES_NOTHING = 'This code takes nothing off these photos. Keep it for later.';

/** "Add one more photo for $1.00 and get any 5 for $15.00." */
export const oneMoreHint = (costsCents: number, bundle: Offer) =>
  `Add one more photo for ${formatDollars(costsCents)} and get ${offerText(bundle)}.`;

type PassKind = 'gallery_pass' | 'athlete_pass';
const passText = (kind: PassKind, whose = 'your athlete') =>
  kind === 'gallery_pass' ? 'the whole gallery' : `all photos of ${whose}`;

/** "For $3.00 more you get the whole gallery, 184 photos." */
export const passHint = (costsCents: number, kind: PassKind, photosInAll: number, whose?: string) =>
  `For ${formatDollars(costsCents)} more you get ${passText(kind, whose)}, ${photosText(photosInAll)}.`;

/**
 * Why the price has a pass that the buyer did not choose: "The whole gallery costs the same as the 13 in your cart, so
 * you get all 184."
 */
export function passWins(
  kind: PassKind,
  costs: 'the same as' | 'less than',
  inCart: number,
  photosInAll: number,
  whose?: string,
): string {
  const verb = kind === 'gallery_pass' ? 'costs' : 'cost';
  return `${capital(passText(kind, whose))} ${verb} ${costs} the ${inCart} in your cart, so you get all ${photosInAll}.`;
}

export const INCLUDED_IN_PASS = 'Included in your pass';
export const openSlotText = (count: number) =>
  count === 1
    ? 'Choose 1 more photo, it is already paid for'
    : `Choose ${count} more photos, they are already paid for`;

const spoken = (amountCents: number) => {
  const [whole, rest] = [Math.floor(amountCents / 100), amountCents % 100];
  return `${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
};
/** "6 photos", "1 pass", "2 photos, 1 pass" */
export function goodsText(photos: number, passes: number): string {
  const ofPasses = counted(passes, 'pass', 'passes');
  if (passes === 0) return photosText(photos);
  return photos === 0 ? ofPasses : `${photosText(photos)}, ${ofPasses}`;
}

/** What screen readers say for a cart: "6 photos, 19 dollars, instead of 24". */
export function cartSpoken(goods: string, priceCents: number, singleSumCents: number): string {
  const instead = priceCents < singleSumCents ? `, instead of ${spoken(singleSumCents)}` : '';
  return `${goods}, ${spoken(priceCents)} ${priceCents === 100 ? 'dollar' : 'dollars'}${instead}`;
}
