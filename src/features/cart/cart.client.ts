/** The cart of this browser, for React. On the server it is empty and not loaded. */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import {
  addItem,
  CART_KEY,
  CHECKOUT_KEY,
  itemsOf,
  LIKES_KEY,
  OFFERED_KEY,
  parseCart,
  parseLikes,
  parseOffered,
  removeItems,
  summaryOf,
  withLike,
  withOffered,
  type Added,
  type CartItem,
  type CartSummary,
  type OfferedGallery,
} from '#src/features/cart/cart.rules.ts';
import { createListeners } from '#src/shared/listeners.ts';

const browser: CartBrowser = {
  localStorage: () => window.localStorage,
  onOtherTab: (onKey) => window.addEventListener('storage', (event) => onKey(event.key)),
};

/** Reads nothing of the browser until it is used. */
const store: CartStore = createCartStore(browser);

function useCartState(): CartState {
  return useSyncExternalStore(store.subscribe, store.getState, () => EMPTY_CART);
}

/** The cart as the pages of one affiliate use it. */
export type CartOf = CartSummary &
  Pick<CartStore, 'add' | 'startOver' | 'remove' | 'clear' | 'acceptPrices'> & {
    isLoaded: boolean;
    /** A photo, or a pass by its gallery's id. */
    has: (id: number) => boolean;
  };

/** The cart of the affiliate with this id; empty while the browser's cart has another affiliate's photos. */
export function useCart(organizationId: number): CartOf {
  const { items: all, isLoaded } = useCartState();
  return useMemo(() => {
    const own = itemsOf(all, organizationId);
    const ids = new Set(own.map((item) => item.id));
    const { add, startOver, remove, clear, acceptPrices } = store;
    const has = (photoId: number) => ids.has(photoId);
    return { ...summaryOf(own), isLoaded, has, add, startOver, remove, clear, acceptPrices };
  }, [all, isLoaded, organizationId]);
}

/** The whole cart, with photos of any seller: for the widget in the bar and the question before a new cart. */
export function useWholeCart(): CartSummary & Pick<CartState, 'offered' | 'isLoaded'> & { hasOffers: boolean } {
  const { items, offered, isLoaded } = useCartState();
  return useMemo(() => {
    const hasOffers = items.some((item) => offered.some(({ id }) => id === item.gallery_id));
    return { ...summaryOf(items), offered, isLoaded, hasOffers };
  }, [items, offered, isLoaded]);
}

/** Stores the offers of a gallery, for the cart bar. */
export function useOffered(gallery: OfferedGallery): void {
  useEffect(() => store.noteOffered(gallery), [gallery]);
}

/** Photos that this browser likes; the server counts separately. */
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

export type KeyValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The parts of a browser that the cart needs. Each may be missing or throw. */
export type CartBrowser = {
  localStorage: () => KeyValues;
  /** Called with the key that another tab changed; null when it cleared everything. */
  onOtherTab: (onKey: (key: string | null) => void) => void;
};

type CartState = {
  items: readonly CartItem[];
  likes: readonly number[];
  offered: readonly OfferedGallery[];
  /** False on the server and until the stored cart was read. */
  isLoaded: boolean;
};

/** What a page shows before the browser's cart is read. */
const EMPTY_CART: CartState = { items: [], likes: [], offered: [], isLoaded: false };

const NOWHERE: KeyValues = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

type CartStore = ReturnType<typeof createCartStore>;

/**
 * Stores the cart in the browser, or in memory if that fails (private windows, full or forbidden storage, fault F38). Other
 * tabs are notified by the browser.
 */
export function createCartStore(browser: CartBrowser) {
  const listeners = createListeners();
  let state: CartState | null = null;

  function local<T>(work: (values: KeyValues) => T): T {
    try {
      return work(browser.localStorage());
    } catch {
      // Storage is forbidden or full: the cart in memory continues.
      return work(NOWHERE);
    }
  }

  function readStored(): CartState {
    return local((values) => ({
      items: parseCart(values.getItem(CART_KEY)),
      likes: parseLikes(values.getItem(LIKES_KEY)),
      offered: parseOffered(values.getItem(OFFERED_KEY)),
      isLoaded: true,
    }));
  }

  function current(): CartState {
    if (state) return state;
    browser.onOtherTab((key) => {
      if (key === null || key === CART_KEY || key === LIKES_KEY) become(readStored());
    });
    return (state = readStored());
  }

  function become(next: CartState): void {
    state = next;
    listeners.emit();
  }

  function storeItems(items: readonly CartItem[]): void {
    if (items === current().items) return;
    local((values) => values.setItem(CART_KEY, JSON.stringify(items)));
    become({ ...current(), items });
  }

  return {
    subscribe: listeners.watch,
    getState: current,

    /** Adds a photo, unless it is there, or the cart is full or another affiliate's. */
    add(item: CartItem): Added {
      const { added, items } = addItem(current().items, item);
      storeItems(items);
      return added;
    },
    /** A new cart with only this photo, after the buyer agreed. */
    startOver(item: CartItem): void {
      storeItems([item]);
      local((values) => values.removeItem(CHECKOUT_KEY));
    },
    remove(...photoIds: readonly number[]): void {
      storeItems(removeItems(current().items, photoIds));
    },
    /** After an order: the next one gets its own checkout key. */
    clear(): void {
      storeItems([]);
      local((values) => values.removeItem(CHECKOUT_KEY));
    },
    /** The buyer has seen these prices (dollars, by photo id) and continues with them. */
    acceptPrices(prices: ReadonlyMap<number, number>): void {
      const items = current().items.map((item) => ({ ...item, sales_price: prices.get(item.id) ?? item.sales_price }));
      storeItems(items);
    },
    noteOffered(gallery: OfferedGallery): void {
      const offered = withOffered(current().offered, gallery);
      local((values) => values.setItem(OFFERED_KEY, JSON.stringify(offered)));
      become({ ...current(), offered });
    },
    setLiked(photoId: number, liked: boolean): void {
      const likes = withLike(current().likes, photoId, liked);
      if (likes === current().likes) return;
      local((values) => values.setItem(LIKES_KEY, JSON.stringify(likes)));
      become({ ...current(), likes });
    },
  };
}
