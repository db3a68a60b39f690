/** The one cart of this browser, for React. On the server it is empty and not loaded. */
import { useMemo, useSyncExternalStore } from 'react';
import { itemsOf, summaryOf, type Added, type CartItem, type CartSummary } from '#src/features/cart/cart.rules.ts';
import {
  createCartStore,
  EMPTY_CART,
  type CartBrowser,
  type CartState,
  type CartStore,
} from '#src/features/cart/cart-store.client.ts';

const browser: CartBrowser = {
  localStorage: () => window.localStorage,
  onOtherTab: (heard) => window.addEventListener('storage', (event) => heard(event.key)),
};

/** Touches nothing of the browser until it is used. */
const store: CartStore = createCartStore(browser);

function useCartState(): CartState {
  return useSyncExternalStore(store.subscribe, store.getState, () => EMPTY_CART);
}

/** The cart as the pages of one affiliate use it. */
export type CartOf = CartSummary & {
  items: readonly CartItem[];
  isLoaded: boolean;
  has: (photoId: number) => boolean;
  add: (item: CartItem) => Added;
  startOver: (item: CartItem) => void;
  remove: (...photoIds: readonly number[]) => void;
  clear: () => void;
  acceptPrices: (prices: ReadonlyMap<number, number>) => void;
};

/** The cart of the affiliate with this id; empty while the browser's cart holds another affiliate's photos. */
export function useCart(organizationId: number): CartOf {
  const { items: all, isLoaded } = useCartState();
  return useMemo(() => {
    const items = itemsOf(all, organizationId);
    const ids = new Set(items.map((item) => item.id));
    const { add, startOver, remove, clear, acceptPrices } = store;
    return {
      ...summaryOf(items),
      items,
      isLoaded,
      has: (photoId) => ids.has(photoId),
      add,
      startOver,
      remove,
      clear,
      acceptPrices,
    };
  }, [all, isLoaded, organizationId]);
}

/** Whatever the cart holds, no matter who sells it: for the widget in the bar and the question before a new cart. */
export function useWholeCart(): CartSummary & { items: readonly CartItem[]; isLoaded: boolean } {
  const { items, isLoaded } = useCartState();
  return useMemo(() => ({ ...summaryOf(items), items, isLoaded }), [items, isLoaded]);
}

/** Photos that this browser likes; the count on the server is another matter. */
export function useLikes(): {
  /** In the order in which they were liked. */
  likes: readonly number[];
  isLiked: (photoId: number) => boolean;
  setLiked: (photoId: number, liked: boolean) => void;
} {
  const { likes } = useCartState();
  return useMemo(() => {
    const liked = new Set(likes);
    return { likes, isLiked: (photoId) => liked.has(photoId), setLiked: store.setLiked };
  }, [likes]);
}
