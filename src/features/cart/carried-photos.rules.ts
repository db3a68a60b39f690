/** Photos in an address: they come from an embedded gallery, whose cart the browser keeps separate. */
import { MAX_CART_ITEMS } from '#src/features/cart/cart.rules.ts';

const TAKE = 'take';

export type CarriedPhoto = { id: number; gallery_id: number };

/** Ids only: names and prices come from the server. */
export function withCarried(url: URL, photos: readonly CarriedPhoto[]): URL {
  const next = new URL(url);
  if (photos.length > 0)
    next.searchParams.set(TAKE, photos.map((photo) => `${photo.gallery_id}.${photo.id}`).join('-'));
  return next;
}

/** Empty for an address without photos; invalid pairs are left out. */
export function readCarried(search: URLSearchParams): CarriedPhoto[] {
  const pairs = (search.get(TAKE) ?? '').split('-', MAX_CART_ITEMS);
  return pairs.flatMap((pair) => {
    const [, gallery, photo] = /^(\d{1,16})\.(\d{1,16})$/.exec(pair) ?? [];
    const taken = { id: Number(photo), gallery_id: Number(gallery) };
    return Number.isSafeInteger(taken.id) && Number.isSafeInteger(taken.gallery_id) && taken.id > 0 ? [taken] : [];
  });
}

export function withoutCarried(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(TAKE);
  return next;
}
