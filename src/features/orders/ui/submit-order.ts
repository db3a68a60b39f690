/** Sends the order once, whatever the network does: the same checkout key comes with every try. */
import type { CardAnswer } from '#src/features/billing/card-entry.contract.ts';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import type { OrderPlaced, QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { callApi, type Refused } from '#src/web/api-client.ts';

type Submission = {
  seller: { id: number };
  buyer: { first_name: string; last_name: string; email: string; confirm_email: string; zip: string };
  cart: CartOf;
  quote: QuoteAnswer;
  donation: string;
  takeToken: () => Promise<CardAnswer>;
};

export type Submitted = { done: true; vanityId: string } | { done: false; errors: FieldErrors; pricesChanged: boolean };

/** Answers the order's address, or every problem under its field. */
export async function submitOrder({ seller, buyer, cart, quote, donation, takeToken }: Submission): Promise<Submitted> {
  let token: unknown = null;
  if (quote.charge_needed) {
    const taken = await takeToken();
    if ('error' in taken) return refused(taken, false);
    token = taken.token;
  }
  const body = {
    order: {
      user: { ...buyer, zip: buyer.zip || null },
      donation,
      taxes: quote.tax,
      subtotal: quote.subtotal,
      org_id: seller.id,
      donation_gallery_id: cart.items[0]?.gallery_id ?? null,
      checkout_key: cart.checkoutKey(),
    },
    stripe_token: token,
    items: quote.items.map((item) => ({ id: item.id, gallery_id: item.gallery_id, sales_price: item.sales_price })),
  };
  const placed = await callApi<OrderPlaced>('POST', '/api/v1/orders', { body });
  if (placed.ok) return { done: true, vanityId: placed.data.vanity_id };
  if (placed.status === 409) cart.renewCheckoutKey();
  return refused(placed, placed.status === 409);
}

function refused(answer: Pick<Refused, 'error' | 'errors'>, pricesChanged: boolean): Submitted {
  const errors = Object.keys(answer.errors).length > 0 ? answer.errors : { form: [answer.error] };
  return { done: false, errors, pricesChanged };
}
