/** Brings a buyer to the order that was placed without this page hearing of it: by a lost answer, a reload, or another tab. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import { checkoutSession } from '#src/features/cart/checkout-session.client.ts';
import { finishCheckout, fetchOrderByCheckoutKey } from '#src/features/orders/ui/finish-checkout.ts';

const ASK_AGAIN_MS = 4_000;

export type SentState =
  | 'idle'
  /** It went out, and no one can be asked until the network is back. */
  | 'lost'
  /** It was lost, and nothing of it has arrived. */
  | 'not_arrived';

type SentOrder = {
  state: SentState;
  /** Asks the outcome of what was sent; goes on on its own as long as no one answers. */
  ask: () => void;
};

/** `onFound` learns of the order once. */
export function useSentOrder(seller: { id: number }, cart: CartOf, onFound: (vanityId: string) => void): SentOrder {
  const [state, setState] = useState<SentState>('idle');
  const now = useRef({ cart, onFound });
  useEffect(() => {
    now.current = { cart, onFound };
  });

  const ask = useCallback(async () => {
    const sent = checkoutSession.sent();
    const order = sent === null ? null : await fetchOrderByCheckoutKey(sent.key);
    if (order === 'unreachable') return setState('lost');
    if (sent === null || order === null) {
      checkoutSession.forgetSent();
      return setState((before) => (before === 'lost' ? 'not_arrived' : before));
    }
    finishCheckout(now.current.cart, seller.id, sent, order);
    now.current.onFound(order.vanityId);
  }, [seller.id]);

  useEffect(() => {
    const first = setTimeout(() => void ask());
    const stop = checkoutSession.onOrdered((news) => {
      if (news.organizationId === seller.id) now.current.onFound(news.vanityId);
    });
    return () => {
      clearTimeout(first);
      stop();
    };
  }, [ask, seller.id]);

  useEffect(() => {
    if (state !== 'lost') return;
    const again = () => void ask();
    const timer = setInterval(again, ASK_AGAIN_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [state, ask]);

  return { state, ask: () => void ask() };
}
