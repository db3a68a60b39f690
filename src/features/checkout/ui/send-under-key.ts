/** Sends an order once, whatever the network does: every try has the same checkout key (rule 20). */
import type { CardToken } from '#src/features/billing/card-entry.contract.ts';
import { fetchOrderByCheckoutKey, type LiveOrder } from '#src/features/checkout/ui/finish-checkout.ts';
import { CHECKOUT_KEY_TAKEN, NOTHING_CHARGED, type OrderPlaced } from '#src/features/orders/orders.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import type { ApiResult, Refused } from '#src/web/api-client.ts';

type Sending = {
  keys: { key: () => string; renewKey: () => string };
  post: (key: string, token: CardToken | null) => Promise<ApiResult<OrderPlaced>>;
  token: CardToken | null;
  /** Shows the bank's 3-D Secure check; returns null, or why it failed. */
  askBank: (clientSecret: string) => Promise<string | null>;
};

type Sent =
  /** `before`: by an earlier try, whose response was lost. */
  | { kind: 'ordered'; key: string; order: LiveOrder; before: boolean }
  | { kind: 'refused'; answer: Refused }
  /** The bank still waits for its customer: the next try continues the same order, and nothing is charged twice. */
  | { kind: 'unconfirmed'; trouble: string }
  /** Its arrival is unknown, and the server cannot be asked now. */
  | { kind: 'lost' };

export async function sendUnderKey(sending: Sending, mayRenew = true): Promise<Sent> {
  const { keys, post, token, askBank } = sending;
  const key = keys.key();
  let placed = await post(key, token);
  // 3-D Secure is completed here, before the page moves on.
  if (placed.ok && placed.data.requires_action) {
    const trouble = await askBank(placed.data.requires_action.client_secret);
    // The same order again, without a card: the server asks the provider for the outcome.
    placed = await post(key, null);
    if (placed.ok && placed.data.requires_action && trouble !== null) return { kind: 'unconfirmed', trouble };
  }
  if (placed.ok) {
    const { vanity_id: vanityId, status } = placed.data;
    return { kind: 'ordered', key, order: { vanityId, status }, before: false };
  }
  const isTaken = placed.status === 409 && placed.error === CHECKOUT_KEY_TAKEN;
  if (!isTaken && !isUndecided(placed)) return { kind: 'refused', answer: placed };
  const order = await fetchOrderByCheckoutKey(key);
  if (order === 'unreachable') return { kind: 'lost' };
  if (order !== null) return { kind: 'ordered', key, order, before: isTaken };
  if (!isTaken || !mayRenew) return { kind: 'refused', answer: placed };
  // An earlier try with other content was declined: this one is its own order.
  keys.renewKey();
  return sendUnderKey(sending, false);
}

/** No response, or one of a gateway or a failing server: the order may have been placed. */
const isUndecided = ({ status }: Refused) => status === 0 || status >= 500;

/** The problems of a refused order by field, with "card" for the payment. */
export function orderErrors({ status, error, errors }: Pick<Refused, 'error' | 'errors'> & { status?: number }) {
  const { stripe_token: noCard, ...others }: FieldErrors = errors;
  if (noCard) return { ...others, number: noCard };
  if (Object.keys(errors).length > 0) return errors;
  if (status === 402) return { card: [error, NOTHING_CHARGED] };
  return { [status === 429 || status === 503 ? 'card' : 'form']: [error] };
}
