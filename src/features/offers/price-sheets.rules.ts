/** Converts price sheets between the API (dollars) and the best-price rule (cents), and compares their versions. */
import type { FrozenSheet, Offer, SheetContent } from '#src/features/offers/best-price.rules.ts';
import {
  OFFER_UNKNOWN,
  type GalleryOffers,
  type NamedGallery,
  type NewSheet,
  type OfferAnswer,
  type OfferInput,
  type SeenSheet,
  type SheetAnswer,
  type SheetChanges,
} from '#src/features/offers/offers.contract.ts';
import { earlyBirdLine, offerText, priceLine } from '#src/features/offers/offer-words.rules.ts';
import { toDollars, fromDollars } from '#src/shared/money.ts';
import { readPlace, writePlace } from '#src/shared/paging.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** As the API returns it, with money in dollars. */
function presentOffer(offer: Offer): OfferAnswer {
  if (offer.kind === 'bundle')
    return { id: offer.id, kind: 'bundle', photos: offer.photos, price: toDollars(offer.priceCents) };
  if (offer.kind === 'steps')
    return {
      id: offer.id,
      kind: 'steps',
      steps: offer.steps.map(({ from, priceCents }) => ({ from, price: toDollars(priceCents) })),
    };
  return { id: offer.id, kind: offer.kind, price: toDollars(offer.priceCents) };
}

const presentEarlyBird = (early: SheetContent['earlyBird']) =>
  early && { percent: early.percent, last_day: early.lastDay };

function offerOf(given: OfferInput, id: number): Offer {
  if (given.kind === 'bundle') return { id, kind: 'bundle', photos: given.photos, priceCents: given.price };
  if (given.kind === 'steps')
    return { id, kind: 'steps', steps: given.steps.map(({ from, price }) => ({ from, priceCents: price })) };
  return { id, kind: given.kind, priceCents: given.price };
}

/** Problems, by field: ids that belong to no offer of the sheet, or that are used twice. */
export function unknownOffers(given: readonly OfferInput[] = [], known: readonly Offer[] = []): FieldErrors {
  const left = new Set(known.map((offer) => offer.id));
  const errors: FieldErrors = {};
  for (const [at, { id }] of given.entries())
    if (id !== undefined && !left.delete(id)) errors[`offers.${at}.id`] = [OFFER_UNKNOWN];
  return errors;
}

/**
 * The content of a sheet after a change; absent fields stay. New offers get ids above `lastOfferId`, because an id
 * belongs to one offer in all versions.
 */
export function changedContent(
  before: SheetContent,
  given: NewSheet | SheetChanges,
  lastOfferId: number,
): { content: SheetContent; lastOfferId: number } {
  let last = lastOfferId;
  const known = new Set(before.offers.map((offer) => offer.id));
  const offers = given.offers?.map((offer) =>
    offerOf(offer, offer.id !== undefined && known.has(offer.id) ? offer.id : (last += 1)),
  );
  const early = given.early_bird;
  const content: SheetContent = {
    offers: offers ?? before.offers,
    ownPricesTakePart: given.own_prices_take_part ?? before.ownPricesTakePart,
    earlyBird: early === undefined ? before.earlyBird : early && { percent: early.percent, lastDay: early.last_day },
  };
  return { content, lastOfferId: last };
}

export const EMPTY_CONTENT: SheetContent = { offers: [], ownPricesTakePart: false, earlyBird: null };

const textOf = (value: unknown) => JSON.stringify(inOrder(value));

/** Sorts the fields of objects, because the database returns them in another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, inOrder(part)]),
  );
}

export const isSameContent = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

/** Of the fields that someone saw, those that have changed since. */
export function fieldsChangedSince(seen: SeenSheet, now: SheetAnswer): (keyof SeenSheet)[] {
  const fields = Object.keys(seen) as (keyof SeenSheet)[];
  return fields.filter((field) => seen[field] !== undefined && !isSameContent(seen[field], now[field]));
}

/** A position in a list of sheets: those in use first, then the newest first. The time is text, with microseconds. */
export type SheetPlace = { isArchived: boolean; createdText: string; id: number };

export const writeSheetPlace = ({ isArchived, createdText, id }: SheetPlace): string =>
  writePlace([isArchived, createdText, id]);

/** Null for a text that we did not write. */
export function readSheetPlace(text: string): SheetPlace | null {
  const [isArchived, createdText, id] = readPlace(text);
  if (typeof isArchived !== 'boolean' || typeof createdText !== 'string') return null;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(createdText)) return null;
  return Number.isSafeInteger(id) ? { isArchived, createdText, id: id as number } : null;
}

type SheetFacts = {
  id: number;
  organizationId: number;
  name: string;
  version: number;
  isShared: boolean;
  isArchived: boolean;
  content: SheetContent;
};
type SheetUse = { galleries: NamedGallery[]; galleryCount: number; commonPriceCents: number | null };
type SheetSale = { orders: number; photos: number; salesCents: number };

/** A sheet as its members see it. */
export function presentSheet(sheet: SheetFacts, use: SheetUse | null, sale: SheetSale | null): SheetAnswer {
  const { content } = sheet;
  const common = use?.commonPriceCents ?? null;
  return {
    id: sheet.id,
    organization_id: sheet.organizationId,
    name: sheet.name,
    version: sheet.version,
    own_prices_take_part: content.ownPricesTakePart,
    offers: content.offers.map(presentOffer),
    early_bird: presentEarlyBird(content.earlyBird),
    shared_with_children: sheet.isShared,
    archived: sheet.isArchived,
    galleries: use?.galleries ?? [],
    gallery_count: use?.galleryCount ?? 0,
    common_price: common === null ? null : toDollars(common),
    sold: { orders: sale?.orders ?? 0, photos: sale?.photos ?? 0, sales: toDollars(sale?.salesCents ?? 0) },
  };
}

/** What everyone sees of a gallery's sheet, with the early bird until its last day. */
export function presentGalleryOffers(sheet: FrozenSheet, singleCents: number, today: string): GalleryOffers {
  const { content } = sheet;
  const early = content.earlyBird && today <= content.earlyBird.lastDay ? content.earlyBird : null;
  return {
    sheet_id: sheet.id,
    version: sheet.version,
    own_prices_take_part: content.ownPricesTakePart,
    offers: content.offers.map((offer) => ({ ...presentOffer(offer), text: offerText(offer) })),
    early_bird: early && { percent: early.percent, last_day: early.lastDay, text: earlyBirdLine(early) },
    line: priceLine(singleCents, content.offers),
  };
}

/** Converts an offer of the API for the best-price rule in a browser. */
export function offerOfAnswer(offer: OfferAnswer): Offer {
  if (offer.kind === 'bundle')
    return { id: offer.id, kind: 'bundle', photos: offer.photos, priceCents: fromDollars(offer.price) };
  if (offer.kind === 'steps')
    return {
      id: offer.id,
      kind: 'steps',
      steps: offer.steps.map(({ from, price }) => ({ from, priceCents: fromDollars(price) })),
    };
  return { id: offer.id, kind: offer.kind, priceCents: fromDollars(offer.price) };
}

/** For the activity log: the sheet's offers before and after. */
export function wordsOfChange(before: SheetContent, after: SheetContent): Record<string, string> {
  const comparable = ({ offers, earlyBird }: SheetContent) =>
    [...offers.map(offerText), ...(earlyBird ? [earlyBirdLine(earlyBird)] : [])].join(' · ') || 'single photos only';
  return { offers_before: comparable(before), offers: comparable(after) };
}
