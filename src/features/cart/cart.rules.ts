/**
 * The cart of a browser: photos of one selling affiliate (rule 21). It is stored as text that anyone can change, so it is
 * validated, and its prices are only what the buyer saw: the server prices everything again.
 */
import { cents, parseDollarNumber, sumCents, ZERO, type Cents } from '#src/shared/money.ts';

/** The keys of the specification (P§3). */
export const CART_KEY = 'cartItems';
export const LIKES_KEY = 'likedItems';
/** Our own key: the last seen offers of galleries with price sheets. */
export const OFFERED_KEY = 'cartOffers';
/** Our own key: the idempotency key of an order (rule 20), shared by all tabs of the cart. */
export const CHECKOUT_KEY = 'checkoutKey';
/** `MAX_ITEMS` of an order, without its contract, which would load the schema library into every public page. */
export const MAX_CART_ITEMS = 200;
const MAX_LIKES = 5_000;
const MAX_OFFERED = 20;

export type CartItem = {
  id: number;
  gallery_id: number;
  /** The selling affiliate. */
  organization_id: number;
  organization_name: string;
  /** Path of its pages below the host. */
  organization_path: string;
  name: string;
  image_url: string;
  /** In dollars, as the buyer saw it when the photo was added. */
  sales_price: number;
  /**
   * A pass for a whole gallery: `id` is the gallery's. With `athlete_key` a pass for all photos of an athlete
   * (`order-offers/athlete-pass.rules.ts`).
   */
  pass?: true;
  /** Whose pass it is; for a photo, on whose page it was chosen. */
  athlete_key?: string;
};

/** A gallery with a price sheet as a page showed it; its other fields are validated when they are used. */
export type OfferedGallery = { id: number };

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const isText = (value: unknown): value is string => typeof value === 'string';
const isPrice = (value: unknown): value is number => typeof value === 'number' && parseDollarNumber(value) !== null;

/** Parsed by hand: a schema would add its library, 7 kB, to every public page. Null for anything that is not a photo. */
function readItem(value: unknown): CartItem | null {
  if (typeof value !== 'object' || value === null) return null;
  const {
    id,
    gallery_id,
    organization_id,
    organization_name,
    organization_path,
    name,
    image_url,
    sales_price,
    pass,
    athlete_key,
  } = value as Partial<Record<keyof CartItem, unknown>>;
  if (!isId(id) || !isId(gallery_id) || !isId(organization_id) || !isPrice(sales_price)) return null;
  if (!isText(organization_name) || !isText(organization_path) || !isText(name)) return null;
  if (!isText(image_url) || !image_url.startsWith('/')) return null;
  const item = { id, gallery_id, organization_id, organization_name, organization_path, name, image_url, sales_price };
  return { ...item, ...(pass === true && { pass }), ...(isText(athlete_key) && { athlete_key }) };
}

/** The result of adding a photo; on "other_affiliate" the page asks whether to start a new cart. */
export type Added = 'added' | 'already_there' | 'other_affiliate' | 'full';

function parseList(text: string | null): unknown[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Parses a stored cart, without invalid items, duplicates, and what another affiliate sells. */
export function parseCart(text: string | null): readonly CartItem[] {
  let items: readonly CartItem[] = [];
  for (const value of parseList(text)) {
    const item = readItem(value);
    if (item) items = addItem(items, item).items;
  }
  return items;
}

/** Parses the stored galleries with price sheets, the last seen one last. */
export function parseOffered(text: string | null): OfferedGallery[] {
  return parseList(text).filter((value): value is OfferedGallery =>
    isId((value as Partial<OfferedGallery> | null)?.id),
  );
}

/** Adds or updates a gallery. */
export function withOffered(galleries: readonly OfferedGallery[], seen: OfferedGallery): readonly OfferedGallery[] {
  return [...galleries.filter(({ id }) => id !== seen.id), seen].slice(-MAX_OFFERED);
}

/** Parses the stored ids of liked photos. */
export function parseLikes(text: string | null): number[] {
  return [...new Set(parseList(text).filter(isId))].slice(0, MAX_LIKES);
}

export function addItem(items: readonly CartItem[], item: CartItem): { added: Added; items: readonly CartItem[] } {
  const [first] = items;
  if (first && first.organization_id !== item.organization_id) return { added: 'other_affiliate', items };
  if (items.some((each) => each.id === item.id)) return { added: 'already_there', items };
  if (items.length >= MAX_CART_ITEMS) return { added: 'full', items };
  return { added: 'added', items: [...items, item] };
}

export function removeItems(items: readonly CartItem[], ids: readonly number[]): readonly CartItem[] {
  const kept = items.filter((item) => !ids.includes(item.id));
  return kept.length === items.length ? items : kept;
}

/** What the photos cost as the buyer saw them, without tax and donation. */
export function cartTotal(items: readonly CartItem[]): Cents {
  return sumCents(items.map((item) => parseDollarNumber(item.sales_price) ?? ZERO));
}

/** Likes with one photo added (newest last) or removed. */
export function withLike(likes: readonly number[], photoId: number, liked: boolean): readonly number[] {
  if (likes.includes(photoId) === liked) return likes;
  return liked ? [...likes, photoId].slice(-MAX_LIKES) : likes.filter((each) => each !== photoId);
}

/** The cart as one affiliate's pages show it, without another affiliate's photos. */
export function itemsOf(items: readonly CartItem[], organizationId: number): readonly CartItem[] {
  return items[0]?.organization_id === organizationId ? items : NO_ITEMS;
}

const NO_ITEMS: readonly CartItem[] = [];

/** `items` and `count` are the photos; the total includes passes. */
export type CartSummary = {
  items: readonly CartItem[];
  passes: readonly CartItem[];
  count: number;
  totalCents: Cents;
};

export function summaryOf(all: readonly CartItem[]): CartSummary {
  const passes = all.filter((item) => item.pass);
  const items = passes.length === 0 ? all : all.filter((item) => !item.pass);
  return { items, passes, count: items.length, totalCents: all.length === 0 ? cents(0) : cartTotal(all) };
}
