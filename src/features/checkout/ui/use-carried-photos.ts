/** Adds the photos of an address to the cart (an embedded gallery cannot share its own cart). */
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { readCarried, withoutCarried, type CarriedPhoto } from '#src/features/cart/carried-photos.rules.ts';
import { askForNewCart, type Seller } from '#src/features/cart/ui/use-choice.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { imageUrlOf, movedIn } from '#src/features/checkout/ui/use-quote.ts';
import { api } from '#src/web/api-client.ts';

/** True while the photos of the address are being added to the cart. */
export function useCarriedPhotos(seller: Seller, cart: CartOf): boolean {
  const [search, setSearch] = useSearchParams();
  const [answer, setAnswer] = useState<{ of: string; items: readonly CartItem[] } | null>(null);
  const taken = search.get('take');
  const items = taken !== null && answer?.of === taken ? answer.items : null;

  const load = useEffectEvent(() => itemsOf(seller, readCarried(search)));
  useEffect(() => {
    if (taken === null) return;
    let isGone = false;
    void load().then((found) => !isGone && setAnswer({ of: taken, items: found }));
    return () => {
      isGone = true;
    };
  }, [taken]);

  const putIn = useEffectEvent((found: readonly CartItem[]) => {
    for (const item of found) {
      // Another affiliate's cart is not emptied without asking (rule 21); after a yes the rest follows.
      if (cart.add(item) === 'other_affiliate') return askForNewCart(item);
    }
    setSearch(withoutCarried(search), { replace: true, defaultShouldRevalidate: false });
  });
  useEffect(() => {
    if (items !== null && cart.isLoaded) putIn(items);
  }, [items, cart.isLoaded, cart.count]);
  return taken !== null && items === null;
}

/** Only photos that can be bought are added; names and prices come from the server. */
async function itemsOf(seller: Seller, photos: readonly CarriedPhoto[]): Promise<CartItem[]> {
  if (photos.length === 0) return [];
  const answer = await quote(seller, photos);
  if (answer.ok) return answer.data.items.map((item) => cartItem(item, seller));
  const missing = answer.body['ids'];
  if (!Array.isArray(missing)) return [];
  const moved = movedIn(answer);
  const rest = photos.flatMap((photo) => moved.get(photo.id) ?? (missing.includes(photo.id) ? [] : [photo]));
  return rest.length < photos.length || moved.size > 0 ? itemsOf(seller, rest.map(place)) : [];
}

const place = ({ id, gallery_id }: CarriedPhoto) => ({ id, gallery_id });

function quote(seller: Seller, items: readonly CarriedPhoto[]) {
  return api('POST /api/v1/orders/quote', { body: { order: { org_id: seller.id }, items } });
}

function cartItem(item: QuoteAnswer['items'][number], seller: Seller): CartItem {
  return {
    ...item,
    organization_id: seller.id,
    organization_name: seller.name,
    organization_path: seller.path,
    image_url: imageUrlOf(item),
  };
}
