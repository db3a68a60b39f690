/** Sends an order of credit, for oneself or as a gift. */
import type { CardToken, WalletToken } from '#src/features/billing/card-entry.contract.ts';
import { AMOUNT_NOT_OFFERED, BONUS_CHANGED } from '#src/features/credit-shop/credit-shop.contract.ts';
import { OFFLINE_AT_CHECKOUT } from '#src/features/orders/orders.contract.ts';
import { orderErrors, sendUnderKey } from '#src/features/checkout/ui/send-under-key.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { randomKey } from '#src/shared/random-key.ts';
import { api, unchecked } from '#src/web/api-client.ts';
import { readFromTab, storeInTab } from '#src/web/tab-storage.ts';

type Submission = {
  order: { org_id: number };
  takeToken: () => Promise<WalletToken>;
  /** Shows the bank's 3-D Secure check; returns null, or why it failed. */
  askBank: (clientSecret: string) => Promise<string | null>;
};
type SentCredit =
  /** `before`: by an earlier try, whose response was lost. */
  | { kind: 'ordered'; vanityId: string; before: boolean }
  /** `isOtherOffer`: the seller has changed what it offers since this page was loaded. */
  | { kind: 'refused'; errors: FieldErrors; isOtherOffer: boolean };

/** Where storage is blocked, only this page remembers. */
const ownKeys = new Map<string, string>();

/** This tab's key for a seller: an order is tried again with it, also after a reload, so that no one pays twice (rule 20). */
function keysOf(sellerId: number) {
  const name = `credit-key:${sellerId}`;
  const renewKey = (): string => {
    const key = randomKey();
    ownKeys.set(name, key);
    storeInTab(name, key);
    return key;
  };
  return { key: () => ownKeys.get(name) ?? readFromTab(name) ?? renewKey(), renewKey };
}

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
  const keys = keysOf(order.org_id);
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
    return { kind: 'ordered', vanityId: sent.order.vanityId, before: sent.before };
  }
  if (sent.kind === 'lost') return refused({ form: [OFFLINE_AT_CHECKOUT] });
  if (sent.kind === 'unconfirmed') return refused({ card: [sent.trouble] });
  return refused(named(orderErrors(sent.answer)));
}
