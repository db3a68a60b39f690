import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { PHOTO_NOT_AVAILABLE, PRICES_CHANGED, type Unavailable } from '#src/features/orders/orders.contract.ts';

export type CartTrouble = {
  gone: readonly CartItem[];
  locked: readonly CartItem[];
  /** `price` is the server's, in dollars; the item's own is what the buyer saw. */
  repriced: readonly { item: CartItem; price: number }[];
};

/** What stands between the cart and an order. */
export function troubleOf(
  items: readonly CartItem[],
  unavailable: ReadonlyMap<number, Unavailable['reason']>,
  prices: ReadonlyMap<number, number>,
): CartTrouble {
  return {
    gone: items.filter((item) => unavailable.get(item.id) === 'gone'),
    locked: items.filter((item) => unavailable.get(item.id) === 'locked'),
    repriced: items.flatMap((item) => {
      const price = prices.get(item.id);
      const isKnown = price !== undefined && !unavailable.has(item.id);
      return isKnown && price !== item.sales_price ? [{ item, price }] : [];
    }),
  };
}

/** The sentences of the specification for what is still to be fixed. */
export function troubleMessages({ gone, locked, repriced }: CartTrouble): string[] {
  return [
    ...(gone.length + locked.length > 0 ? [PHOTO_NOT_AVAILABLE] : []),
    ...(repriced.length > 0 ? [PRICES_CHANGED] : []),
  ];
}
