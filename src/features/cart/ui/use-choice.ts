/** Adds a photo to the cart from a screen, and asks if the cart is another affiliate's (rule 21). */
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useCart, type CartOf } from '#src/features/cart/cart.client.ts';
import { MAX_CART_ITEMS, type CartItem } from '#src/features/cart/cart.rules.ts';
import { showToast } from '#src/ui/toast.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { lastingAddress } from '#src/shared/cdn-addresses.ts';
import { toDollars } from '#src/shared/money.ts';
import { createListeners } from '#src/shared/listeners.ts';

const CART_IS_FULL = `A cart can hold at most ${MAX_CART_ITEMS} photos. Check out first, then add more.`;

/** The photo that waits for the answer to "start a new cart?". */
let waiting: CartItem | null = null;
const listeners = createListeners();

/** Null closes the question. */
export function askForNewCart(item: CartItem | null): void {
  waiting = item;
  listeners.emit();
}

/** The question is about a photo of the page on which it was asked: when that page is left, the cart is kept. */
export function useWaitingItem(): CartItem | null {
  const { pathname } = useLocation();
  useEffect(() => () => askForNewCart(null), [pathname]);
  return useSyncExternalStore(
    listeners.watch,
    () => waiting,
    () => null,
  );
}

/** The affiliate's cart, and a function that adds or removes a photo. */
export function useChoice(organizationId: number): { cart: CartOf; toggle: (item: CartItem) => void } {
  const cart = useCart(organizationId);
  function toggle(item: CartItem): void {
    if (cart.has(item.id)) return cart.remove(item.id);
    const added = cart.add(item);
    if (added === 'other_affiliate') askForNewCart(item);
    else if (added === 'full') showToast(CART_IS_FULL, 'error');
  }
  return { cart, toggle };
}

export type Seller = { id: number; name: string; path: string };

/** A cart item for a photo, with the price that the buyer sees now. */
export function cartItemOf(photo: ShownPhoto, seller: Seller): CartItem {
  return {
    id: photo.id,
    gallery_id: photo.galleryId,
    organization_id: seller.id,
    organization_name: seller.name,
    organization_path: seller.path,
    name: photo.name,
    image_url: lastingAddress(photo.imageUrl),
    sales_price: toDollars(photo.priceCents),
  };
}

/** A cart item for the pass of a whole gallery. */
export function passItemOf(gallery: { id: number; name: string; passDollars: number }, seller: Seller): CartItem {
  return {
    id: gallery.id,
    gallery_id: gallery.id,
    organization_id: seller.id,
    organization_name: seller.name,
    organization_path: seller.path,
    name: gallery.name,
    image_url: '/',
    sales_price: gallery.passDollars,
    pass: true,
  };
}
