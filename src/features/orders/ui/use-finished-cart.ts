import { useEffect } from 'react';
import { useCart } from '#src/features/cart/cart.client.ts';
import { checkoutSession } from '#src/features/cart/checkout-session.client.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { finishCheckout } from '#src/features/orders/ui/finish-checkout.ts';

/**
 * Empties the cart of an order whose payment was confirmed only now. A cart whose payment failed
 * stays, and the next try may send it again under the same key.
 */
export function useFinishedCart({ vanity_id: vanityId, status, organization }: OrderAnswer): void {
  const cart = useCart(organization.id);
  useEffect(() => {
    const sent = checkoutSession.sent();
    if (status === 'pending' || sent?.vanityId !== vanityId) return;
    if (status === 'failed') checkoutSession.forgetSent();
    else finishCheckout(cart, organization.id, sent, { vanityId, status });
  }, [status, vanityId, organization.id, cart]);
}
