/**
 * What a cart costs with the offers of its price sheets, its passes and a code. One function computes the best price
 * (`bestPrice`); this file collects its input. It does nothing for a cart without any of them.
 */
import { lessBonuses } from '#src/features/credit/credit.rules.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import { refusalInCart } from '#src/features/coupons/coupons.rules.ts';
import type { CouponUseService, ReadCodes } from '#src/features/coupons/coupon-uses.service.ts';
import {
  bestPrice,
  type BestPrice,
  type FrozenSheet,
  type PassCandidate,
  type PriceQuestion,
} from '#src/features/offers/best-price.rules.ts';
import type { PriceNames } from '#src/features/offers/price-list.rules.ts';
import type { FrozenSheets } from '#src/features/offers/frozen-sheets.service.ts';
import { athleteOffers, type AthleteOfferDeps } from '#src/features/order-offers/athlete-offers.service.ts';
import type { AthletePass } from '#src/features/order-offers/sold-passes.rules.ts';
import { PHOTO_NOT_AVAILABLE, type PlaceOrderBody, type QuoteBody } from '#src/features/orders/orders.contract.ts';
import type { OfferedPhoto, OrderLine } from '#src/features/orders/orders.rules.ts';
import type { OfferedGallery } from '#src/features/photos/photos.rules.ts';
import type { PhotoReading } from '#src/features/photos/reading.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { Clock } from '#src/platform/clock.ts';
import { machineDay } from '#src/shared/dates.ts';
import { cents } from '#src/shared/money.ts';
import { fieldProblem } from '#src/shared/problem.ts';

export type OfferPricingDeps = AthleteOfferDeps & {
  clock: Clock;
  sheets: FrozenSheets;
  coupons: Pick<CouponUseService, 'termsOf'>;
  credit: Pick<CreditService, 'read'>;
  photos: Pick<PhotoReading, 'offered'>;
};

/** How a price was made; `best` is after the bonuses of credit codes. */
export type OfferPrice = ReturnType<typeof lessBonuses> & {
  question: PriceQuestion;
  names: PriceNames;
  athletePasses: readonly AthletePass[];
  refusedCodes: ReadCodes['refused'];
};

type Cart = {
  seller: Organization;
  body: PlaceOrderBody | QuoteBody;
  /** With single prices. */
  lines: readonly OrderLine[];
  photos: readonly OfferedPhoto[];
};

/** Null without a price sheet, a pass or a code. @throws invalid for passes that cannot be bought; too_many */
export async function priceWithOffers(ctx: OfferPricingDeps, caller: Caller, cart: Cart): Promise<OfferPrice | null> {
  const { seller, body, lines, photos } = cart;
  const { codes, passes } = body;
  const isPlain = codes.length + passes.length === 0 && photos.every((photo) => photo.offered === null);
  if (isPlain && !caller.family) return null;
  const { user } = body.order;
  const email = user && 'email' in user ? user.email : null;
  const credit = await ctx.credit.read(seller, codes);
  const read = await ctx.coupons.termsOf(caller, { organizationId: seller.id, codes: credit.others, email });
  const galleries = await galleriesOf(ctx, caller, cart);
  const own = await ctx.sheets.read(versionsOf([...galleries.values()]));
  const today = machineDay(ctx.clock.now(), seller.timeZone);
  const wanted = body.passes.filter(({ kind }) => kind === 'athlete_pass');
  const photoIds = lines.map(({ photoId }) => photoId);
  const athletes = await athleteOffers(ctx, caller, { sellerId: seller.id, today, photoIds, sheets: own, wanted });
  if (isPlain && athletes.included.length === 0) return null;
  const sheets = [...own, ...athletes.sheets];
  const inCart = wantedGalleries(cart, galleries, sheets);
  const sold = new Map(photos.map((photo) => [photo.id, photo]));
  const question: PriceQuestion = {
    photos: lines.map(({ photoId, galleryId, priceCents }) => ({
      id: photoId,
      galleryId,
      singleCents: priceCents,
      hasOwnPrice: sold.get(photoId)?.hasOwnPrice ?? false,
      sheetId: sold.get(photoId)?.offered?.sheetId ?? null,
    })),
    sheets,
    passes: [
      ...[...galleries].flatMap(([id, gallery]) => candidateOf(id, gallery, sheets, lines, inCart) ?? []),
      ...athletes.candidates,
    ],
    coupon: read.coupon,
    ...(athletes.included.length > 0 ? { included: athletes.included } : {}),
    today,
  };
  const priced = lessBonuses(bestPrice(question), credit.usable);
  const whose = new Map(athletes.candidates.map((pass) => [pass.athleteKey, pass.whose]));
  const passName: PriceNames['passName'] = ({ galleryId, athleteKey }) =>
    whose.get(athleteKey) ?? galleries.get(galleryId ?? 0)?.galleryName ?? '';
  return {
    ...priced,
    question,
    names: { passName },
    athletePasses: athletes.passes,
    refusedCodes: [...refusedCodes(read, priced.full), ...credit.refused],
  };
}

/** Galleries of the cart that have a price sheet: those of its photos, and those of its passes. */
async function galleriesOf(ctx: OfferPricingDeps, caller: Caller, { seller, body, photos }: Cart) {
  const galleries = new Map<number, OfferedGallery>();
  for (const { galleryId, offered } of photos) if (offered) galleries.set(galleryId, offered);
  const others = body.passes.flatMap(({ kind, gallery_id: id }) =>
    kind === 'gallery_pass' && id && !galleries.has(id) ? [id] : [],
  );
  if (others.length === 0) return galleries;
  for (const { id, organizationId, offered } of await ctx.photos.offered(caller, others))
    if (offered && organizationId === seller.id) galleries.set(id, offered);
  return galleries;
}

function versionsOf(galleries: readonly OfferedGallery[]) {
  const versions = new Map(galleries.map(({ sheetId, version }) => [sheetId, version]));
  return [...versions].map(([id, version]) => ({ id, version }));
}

/**
 * Galleries whose pass is in the cart.
 * @throws invalid for private, locked and unknown galleries, for those of others, and for passes that are not for sale
 */
function wantedGalleries(
  { body }: Cart,
  galleries: ReadonlyMap<number, OfferedGallery>,
  sheets: readonly FrozenSheet[],
) {
  const wanted = new Set<number>();
  for (const { kind, gallery_id: id } of body.passes) {
    if (kind === 'athlete_pass') continue;
    const gallery = id ? galleries.get(id) : undefined;
    if (!id || !gallery || gallery.isPrivate || !passOffer(gallery, sheets))
      throw fieldProblem({ passes: [PHOTO_NOT_AVAILABLE] });
    wanted.add(id);
  }
  return wanted;
}

function passOffer({ sheetId }: OfferedGallery, sheets: readonly FrozenSheet[]) {
  return sheets.find((sheet) => sheet.id === sheetId)?.content.offers.find((offer) => offer.kind === 'gallery_pass');
}

function candidateOf(
  galleryId: number,
  gallery: OfferedGallery,
  sheets: readonly FrozenSheet[],
  lines: readonly OrderLine[],
  inCart: ReadonlySet<number>,
): PassCandidate | null {
  const offer = gallery.isPrivate ? undefined : passOffer(gallery, sheets);
  if (!offer) return null;
  return {
    sheetId: gallery.sheetId,
    offerId: offer.id,
    kind: offer.kind,
    galleryId,
    priceCents: offer.priceCents,
    photoIds: lines.filter((line) => line.galleryId === galleryId).map(({ photoId }) => photoId),
    inCart: inCart.has(galleryId),
    photosInAll: gallery.photoCount,
  };
}

/** Codes that are not valid, and one that gives nothing in this cart. */
function refusedCodes({ coupon, refused }: ReadCodes, { couponOutcome }: BestPrice): ReadCodes['refused'] {
  const error = coupon && couponOutcome !== 'saves nothing' ? refusalInCart(couponOutcome, coupon) : null;
  return coupon && error !== null ? [...refused, { code: coupon.code, error }] : refused;
}

/** Lines with what is paid for them. */
export function withPaid(lines: readonly OrderLine[], { best }: OfferPrice): OrderLine[] {
  const paid = new Map(best.lines.map((line) => [line.photoId, line.priceCents]));
  return lines.map((line) => ({ ...line, paidCents: cents(paid.get(line.photoId) ?? line.priceCents) }));
}
