/** Sends an order of credit, for oneself or as a gift. */
import type { CardToken, WalletToken } from '#src/features/billing/card-entry.contract.ts';
import { AMOUNT_NOT_OFFERED, BONUS_CHANGED } from '#src/features/credit-shop/credit-shop.contract.ts';
import { OFFLINE_AT_CHECKOUT } from '#src/features/orders/orders.contract.ts';
import { orderErrors, sendUnderKey } from '#src/features/checkout/ui/send-under-key.ts';
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
let ownKey: string | null = null;
const keys = { key: () => (ownKey ??= randomKey()), renewKey: () => (ownKey = randomKey()) };

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
};
const named = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [FIELDS[field] ?? field.replace(/^user\./, ''), messages]),
  );

export async function sendCreditOrder({ order, takeToken, askBank }: Submission): Promise<SentCredit> {
  const taken = await takeToken();
  const post = (key: string, token: CardToken | null) =>
    api('POST /api/v1/credit_orders', { body: unchecked({ ...order, checkout_key: key, stripe_token: token }) });
  if ('error' in taken) {
    const ofCard = Object.keys(taken.errors).length > 0 ? taken.errors : { card: [taken.error] };
    // Without a card nothing is ordered, but the other problems are shown.
    const answer = await post(keys.key(), null);
    const { number: _ofCard, ...others } = answer.ok ? {} : named(orderErrors(answer));
    return refused({ ...others, ...ofCard });
  }
  const sent = await sendUnderKey({ keys, post, token: taken.token, askBank });
  if (sent.kind === 'ordered') {
    keys.renewKey();
    return { kind: 'ordered', vanityId: sent.order.vanityId };
  }
  if (sent.kind === 'lost') return refused({ form: [OFFLINE_AT_CHECKOUT] });
  if (sent.kind === 'unconfirmed') return refused({ card: [sent.trouble] });
  return refused(named(orderErrors(sent.answer)));
}
