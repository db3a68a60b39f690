/** Sends an order of credit once, whatever the network does: every try has the same checkout key (rule 20). */
import type { WalletToken } from '#src/features/billing/card-entry.contract.ts';
import { AMOUNT_NOT_OFFERED, BONUS_CHANGED } from '#src/features/credit-shop/credit-shop.contract.ts';
import * as words from '#src/features/orders/orders.contract.ts';
import { fetchOrderByCheckoutKey } from '#src/features/checkout/ui/finish-checkout.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { randomKey } from '#src/shared/random-key.ts';
import { api, unchecked } from '#src/web/api-client.ts';

type Submission = {
  order: object;
  takeToken: () => Promise<WalletToken>;
  /** Shows the bank's 3-D Secure check; returns null, or why it failed. */
  askBank: (clientSecret: string) => Promise<string | null>;
};
type SentCredit =
  | { kind: 'ordered'; vanityId: string }
  /** `isOtherOffer`: the seller has changed what it offers since this page was loaded. */
  | { kind: 'refused'; errors: FieldErrors; isOtherOffer: boolean };

/** The key of this page: a failed order is tried again with it. */
let key: string | null = null;

const refused = (errors: FieldErrors): SentCredit => {
  const isOtherOffer = Object.values(errors)
    .flat()
    .some((error) => error === BONUS_CHANGED || error === AMOUNT_NOT_OFFERED);
  return { kind: 'refused', errors, isOtherOffer };
};
/** The names of the gift's fields in the form. */
const FIELDS: Record<string, string> = {
  'gift.name': 'name',
  'gift.email': 'receiver',
  'gift.message': 'message',
  'gift.send_on': 'sendOn',
  stripe_token: 'number',
};
const named = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [FIELDS[field] ?? field.replace(/^user\./, ''), messages]),
  );

export async function sendCreditOrder(submission: Submission, mayRenew = true): Promise<SentCredit> {
  const taken = await submission.takeToken();
  key ??= randomKey();
  const sent = key;
  const post = (token: unknown) =>
    api('POST /api/v1/credit_orders', {
      body: unchecked({ ...submission.order, checkout_key: sent, stripe_token: token }),
    });
  if ('error' in taken) {
    const ofCard = Object.keys(taken.errors).length > 0 ? taken.errors : { card: [taken.error] };
    // Without a card nothing is ordered, but the other problems are shown.
    const answer = await post(null);
    const { number: _ofCard, ...others } = answer.ok ? {} : named(answer.errors);
    return refused({ ...others, ...ofCard });
  }
  let placed = await post(taken.token);
  if (placed.ok && placed.data.requires_action) {
    const trouble = await submission.askBank(placed.data.requires_action.client_secret);
    // Sends the same order again, without a card: the server asks the provider for the outcome.
    placed = await post(null);
    if (placed.ok && placed.data.requires_action && trouble !== null) return refused({ card: [trouble] });
  }
  if (placed.ok) {
    key = null;
    return { kind: 'ordered', vanityId: placed.data.vanity_id };
  }
  const isTaken = placed.status === 409 && placed.error === words.CHECKOUT_KEY_TAKEN;
  if (isTaken || placed.status === 0 || placed.status >= 500) {
    const existing = await fetchOrderByCheckoutKey(sent);
    if (existing === 'unreachable') return refused({ form: [words.OFFLINE_AT_CHECKOUT] });
    if (existing !== null) {
      key = null;
      return { kind: 'ordered', vanityId: existing.vanityId };
    }
    // An earlier try with other content was declined: this one is its own order.
    if (isTaken && mayRenew) {
      key = null;
      return sendCreditOrder(submission, false);
    }
  }
  if (Object.keys(placed.errors).length > 0) return refused(named(placed.errors));
  if (placed.status === 402) return refused({ card: [placed.error, words.NOTHING_CHARGED] });
  return refused({ [placed.status === 429 || placed.status === 503 ? 'card' : 'form']: [placed.error] });
}
