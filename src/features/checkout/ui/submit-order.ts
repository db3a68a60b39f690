/** Sends the order of a cart, and empties the cart. Other tabs share its checkout key. */
import type { CardToken, WalletToken } from '#src/features/billing/card-entry.contract.ts';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import { checkoutSession } from '#src/features/cart/checkout-session.client.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { finishCheckout } from '#src/features/checkout/ui/finish-checkout.ts';
import { orderErrors, sendUnderKey } from '#src/features/checkout/ui/send-under-key.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { passesAndCodes } from '#src/features/checkout/ui/use-quote.ts';
import { api } from '#src/web/api-client.ts';

type Submission = {
  seller: { id: number };
  buyer: { first_name: string; last_name: string; email: string; confirm_email: string; zip: string };
  cart: Pick<CartOf, 'items' | 'passes' | 'remove'>;
  /** The codes that the server accepts. */
  codes: readonly string[];
  quote: QuoteAnswer;
  donation: string;
  donationGalleryId: number | null;
  /** From the card entry or a wallet. */
  takeToken: () => Promise<WalletToken>;
  /** Shows the bank's 3-D Secure check; returns null, or why it failed. */
  askBank: (clientSecret: string) => Promise<string | null>;
};

type Submitted =
  /** `before`: by an earlier try, whose response was lost. */
  | { kind: 'ordered'; vanityId: string; before: boolean }
  /** All problems by field, with "card" for the payment; `cartIsStale` when photos, prices or codes differ from what the buyer saw. */
  | { kind: 'refused'; errors: FieldErrors; cartIsStale: boolean }
  /** Its arrival is unknown, and the server cannot be asked now. */
  | { kind: 'lost' };

/** Other tabs of this browser wait until this try is decided; then their cart is empty. */
export function submitOrder(submission: Submission): Promise<Submitted> {
  const keyBefore = checkoutSession.key();
  return checkoutSession.alone(async () => {
    if (checkoutSession.key() !== keyBefore) return refusal(words.CHANGED_IN_OTHER_TAB);
    let token: CardToken | null = null;
    if (submission.quote.charge_needed) {
      const taken = await submission.takeToken();
      if ('error' in taken) return { kind: 'refused', errors: orderErrors(taken), cartIsStale: false };
      token = taken.token;
    }
    return send(submission, token);
  });
}

async function send(submission: Submission, token: CardToken | null): Promise<Submitted> {
  const { cart, seller, askBank } = submission;
  const photoIds = [...cart.items, ...cart.passes].map(({ id }) => id);
  const sent = await sendUnderKey({
    keys: checkoutSession,
    post: (key, card) => {
      checkoutSession.markSent({ key, photoIds, vanityId: null });
      return api('POST /api/v1/orders', { body: bodyOf(submission, key, card) });
    },
    token,
    askBank,
  });
  if (sent.kind === 'lost') return sent;
  if (sent.kind === 'unconfirmed') return { kind: 'refused', errors: { card: [sent.trouble] }, cartIsStale: true };
  if (sent.kind === 'ordered') {
    const { key, order, before } = sent;
    finishCheckout(cart, seller.id, { key, photoIds, vanityId: null }, order);
    return { kind: 'ordered', vanityId: order.vanityId, before };
  }
  checkoutSession.forgetSent();
  const { status, errors, body } = sent.answer;
  if (status === 0) return refusal(words.ORDER_NOT_RECEIVED);
  const cartIsStale = status === 409 || Array.isArray(body['ids']) || 'codes' in errors;
  return { kind: 'refused', errors: orderErrors(sent.answer), cartIsStale };
}

function bodyOf(
  { seller, buyer, cart, codes, quote, donation, donationGalleryId }: Submission,
  key: string,
  token: CardToken | null,
) {
  return {
    order: {
      user: { ...buyer, zip: buyer.zip || null },
      donation,
      taxes: quote.tax,
      subtotal: quote.subtotal,
      org_id: seller.id,
      donation_gallery_id: donationGalleryId,
      checkout_key: key,
      // With credit the card is charged no more than the buyer saw.
      ...(quote.credit?.length && { charge: quote.charge }),
    },
    stripe_token: token,
    items: quote.items.map((item) => ({ id: item.id, gallery_id: item.gallery_id, sales_price: item.sales_price })),
    ...passesAndCodes(cart.passes, codes),
  };
}

function refusal(sentence: string): Submitted {
  return { kind: 'refused', errors: { form: [sentence] }, cartIsStale: true };
}
