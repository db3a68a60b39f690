/** Opens an order that was placed without this page knowing: after a lost response, a reload, or in another tab. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import { checkoutSession } from '#src/features/cart/checkout-session.client.ts';
import { finishCheckout, fetchOrderByCheckoutKey } from '#src/features/checkout/ui/finish-checkout.ts';

const POLL_EVERY_MS = 4_000;

export type SentState =
  | 'idle'
  /** It was sent, and the server cannot be asked until the network is back. */
  | 'lost'
  /** It was lost, and the server has not received it. */
  | 'not_arrived';

type SentOrder = {
  state: SentState;
  /** Asks for the outcome of what was sent, and retries while there is no response. */
  ask: () => void;
};

/** Calls `onFound` once with the order. */
export function useSentOrder(seller: { id: number }, cart: CartOf, onFound: (vanityId: string) => void): SentOrder {
  const [state, setState] = useState<SentState>('idle');
  const latest = useRef({ cart, onFound });
  useEffect(() => {
    latest.current = { cart, onFound };
  });

  const ask = useCallback(async () => {
    const sent = checkoutSession.sent();
    const order = sent === null ? null : await fetchOrderByCheckoutKey(sent.key);
    if (order === 'unreachable') return setState('lost');
    if (sent === null || order === null) {
      checkoutSession.forgetSent();
      return setState((before) => (before === 'lost' ? 'not_arrived' : before));
    }
    finishCheckout(latest.current.cart, seller.id, sent, order);
    latest.current.onFound(order.vanityId);
  }, [seller.id]);

  useEffect(() => {
    const first = setTimeout(() => void ask());
    const stop = checkoutSession.onOrdered((news) => {
      if (news.organizationId === seller.id) latest.current.onFound(news.vanityId);
    });
    return () => {
      clearTimeout(first);
      stop();
    };
  }, [ask, seller.id]);

  useEffect(() => {
    if (state !== 'lost') return;
    const again = () => void ask();
    const timer = setInterval(again, POLL_EVERY_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [state, ask]);

  return { state, ask: () => void ask() };
}
