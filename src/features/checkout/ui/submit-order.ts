/** Sends the order once, whatever the network and other tabs do: every try has the same checkout key (rule 20). */
import type { CardToken, WalletToken } from '#src/features/billing/card-entry.contract.ts';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import { checkoutSession } from '#src/features/cart/checkout-session.client.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { finishCheckout, fetchOrderByCheckoutKey, type LiveOrder } from '#src/features/checkout/ui/finish-checkout.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { passesAndCodes } from '#src/features/checkout/ui/use-quote.ts';
import { api, type ApiResult, type Refused } from '#src/web/api-client.ts';

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
      if ('error' in taken) return refused(taken);
      token = taken.token;
    }
    return send(submission, token, { mayRenew: true });
  });
}

async function send(
  submission: Submission,
  token: CardToken | null,
  { mayRenew }: { mayRenew: boolean },
): Promise<Submitted> {
  const { cart, seller } = submission;
  const sent = {
    key: checkoutSession.key(),
    photoIds: [...cart.items, ...cart.passes].map(({ id }) => id),
    vanityId: null,
  };
  const ordered = (order: LiveOrder, before: boolean): Submitted => {
    finishCheckout(cart, seller.id, sent, order);
    return { kind: 'ordered', vanityId: order.vanityId, before };
  };
  checkoutSession.markSent(sent);
  const post = (card: CardToken | null) => api('POST /api/v1/orders', { body: bodyOf(submission, sent.key, card) });
  let placed = await post(token);
  // 3-D Secure is completed here, before the page moves on.
  if (placed.ok && placed.data.requires_action) {
    const trouble = await submission.askBank(placed.data.requires_action.client_secret);
    // The same order again, without a card: the server asks the provider for the outcome.
    placed = await post(null);
    // Still open: the next try continues the same order, and nothing is charged twice.
    if (placed.ok && placed.data.requires_action && trouble !== null)
      return { kind: 'refused', errors: { card: [trouble] }, cartIsStale: true };
  }
  if (placed.ok) return ordered({ vanityId: placed.data.vanity_id, status: placed.data.status }, false);

  const isTaken = placed.status === 409 && placed.error === words.CHECKOUT_KEY_TAKEN;
  if (isTaken || isUndecided(placed)) {
    const existing = await fetchOrderByCheckoutKey(sent.key);
    if (existing === 'unreachable') return { kind: 'lost' };
    if (existing !== null) return ordered(existing, isTaken);
    if (isTaken && mayRenew) {
      // An earlier try with other content was declined: this one is its own order.
      checkoutSession.renewKey();
      return send(submission, token, { mayRenew: false });
    }
  }
  checkoutSession.forgetSent();
  return placed.status === 0 ? refusal(words.ORDER_NOT_RECEIVED) : refused(placed);
}

/** No response, or one of a gateway or a failing server: the order may have been placed. */
const isUndecided = (answer: ApiResult<unknown>) => !answer.ok && (answer.status === 0 || answer.status >= 500);

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

/** Refusals of the payment, not of the cart or the buyer. */
const OF_PAYMENT = [402, 429, 503];

function refused({ status, error, errors, body }: Refusal): Submitted {
  const cartIsStale = status === 409 || Array.isArray(body?.['ids']) || 'codes' in errors;
  const { stripe_token: noCard, ...others } = errors;
  if (noCard) return { kind: 'refused', errors: { ...others, number: noCard }, cartIsStale };
  if (Object.keys(errors).length > 0) return { kind: 'refused', errors, cartIsStale };
  if (status === 402) return { kind: 'refused', errors: { card: [error, words.NOTHING_CHARGED] }, cartIsStale };
  const field = OF_PAYMENT.includes(status ?? 0) ? 'card' : 'form';
  return { kind: 'refused', errors: { [field]: [error] }, cartIsStale };
}

type Refusal = Pick<Refused, 'error' | 'errors'> & { status?: number; body?: Refused['body'] };
