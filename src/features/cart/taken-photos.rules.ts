/** Photos that come along in an address: from a gallery in someone else's page, whose cart is kept apart by the browser. */
import { MAX_CART_ITEMS } from '#src/features/cart/cart.rules.ts';

const TAKE = 'take';

export type TakenPhoto = { id: number; gallery_id: number };

/** Ids only: names and prices are the server's to tell. */
export function withTaken(url: URL, photos: readonly TakenPhoto[]): URL {
  const next = new URL(url);
  if (photos.length > 0)
    next.searchParams.set(TAKE, photos.map((photo) => `${photo.gallery_id}.${photo.id}`).join('-'));
  return next;
}

/** Empty for an address without; what is no pair of ids is left out. */
export function readTaken(search: URLSearchParams): TakenPhoto[] {
  const pairs = (search.get(TAKE) ?? '').split('-', MAX_CART_ITEMS);
  return pairs.flatMap((pair) => {
    const [, gallery, photo] = /^(\d{1,16})\.(\d{1,16})$/.exec(pair) ?? [];
    const taken = { id: Number(photo), gallery_id: Number(gallery) };
    return Number.isSafeInteger(taken.id) && Number.isSafeInteger(taken.gallery_id) && taken.id > 0 ? [taken] : [];
  });
}

export function withoutTaken(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(TAKE);
  return next;
}
