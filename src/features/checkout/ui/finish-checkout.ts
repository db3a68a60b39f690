/** Finds the outcome of a checkout whose response was lost, and empties the cart if it was ordered. */
import { checkoutSession, type SentCheckout } from '#src/features/cart/checkout-session.client.ts';
import { storeCodes } from '#src/features/cart/typed-codes.client.ts';
import { BUYER_NAME, donationName } from '#src/features/checkout/ui/use-stored-for-tab.ts';
import type { OrderAnswer, OrderStatus } from '#src/features/orders/orders.contract.ts';
import { api } from '#src/web/api-client.ts';
import { storeInTab } from '#src/web/tab-storage.ts';
import { useEffect } from 'react';
import { useCart } from '#src/features/cart/cart.client.ts';

export type LiveOrder = { vanityId: string; status: OrderStatus };
type Cart = { remove: (...photoIds: readonly number[]) => void };

/** The order with this key: null if there is none or its payment failed; "unreachable" if the server did not answer. */
export async function fetchOrderByCheckoutKey(checkoutKey: string): Promise<LiveOrder | null | 'unreachable'> {
  const answer = await api('POST /api/v1/orders/standing', { body: { checkout_key: checkoutKey } });
  if (!answer.ok) return 'unreachable';
  const { vanity_id: vanityId, status } = answer.data;
  return vanityId === null || status === null || status === 'failed' ? null : { vanityId, status };
}

/**
 * Removes what was ordered from the cart, in all tabs, and forgets the code and what was typed, because the next buyer may
 * use the same phone. While the payment is being confirmed all is kept: the order page ends it, or the buyer returns to it.
 */
export function finishCheckout(cart: Cart, sellerId: number, sent: SentCheckout, order: LiveOrder): void {
  if (order.status === 'pending') return checkoutSession.markSent({ ...sent, vanityId: order.vanityId });
  cart.remove(...sent.photoIds);
  storeCodes(sellerId, []);
  storeInTab(donationName(sellerId), null);
  storeInTab(BUYER_NAME, null);
  checkoutSession.finish({ organizationId: sellerId, vanityId: order.vanityId });
}

/**
 * Empties the cart of an order whose payment was only now confirmed. A cart whose payment failed stays, and the next
 * try may send it again with the same key.
 */
export function useFinishedCart({ vanity_id: vanityId, status, organization }: OrderAnswer): void {
  const cart = useCart(organization.id);
  useEffect(() => {
    const sent = checkoutSession.sent();
    if (status === 'pending' || vanityId === null || sent?.vanityId !== vanityId) return;
    if (status === 'failed') checkoutSession.forgetSent();
    else finishCheckout(cart, organization.id, sent, { vanityId, status });
  }, [status, vanityId, organization.id, cart]);
}
