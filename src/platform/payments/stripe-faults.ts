/**
 * What an error of Stripe means for a payment. Only a decline by the card's bank is shown in Stripe's words: everything
 * else is meant for programmers, is logged, and is shown in ours.
 */
import Stripe from 'stripe';
import {
  CARD_ENTRY_SPENT,
  CHARGE_NOT_POSSIBLE,
  PAYMENT_UNAVAILABLE,
  type Declined,
  type Unknown,
} from '#src/platform/payments/payments.ts';

const { errors } = Stripe;

/** Tokens and kept cards that are gone, used, of another account or of another mode. */
const CARD_PARAMETERS = /^(payment_method|payment_method_data|confirmation_token|source|customer|token|card)\b/;
/** Stripe's sentences quote what was sent. */
const TOKENS = /\b(tok|ctoken|pm|[srp]k_(?:test|live))_\w+/g;
const SPENT_CODES = new Set(['token_already_used', 'token_in_use', 'livemode_mismatch', 'resource_missing']);

/** The outcome of a call that failed. Unknown wherever money may have moved. */
export function outcomeOfFault(error: unknown): Declined | Unknown {
  if (error instanceof errors.StripeCardError)
    return { state: 'declined', message: error.message, code: error.code ?? 'card_declined' };
  if (isInUse(error) || error instanceof errors.StripeRateLimitError) return { state: 'unknown', cause: error };
  // The key is already taken by other content: it was closed, or this is not the request it was made for.
  if (isKeyTaken(error)) return { state: 'declined', message: CHARGE_NOT_POSSIBLE, code: 'idempotency_error' };
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return { state: 'declined', message: PAYMENT_UNAVAILABLE, code: 'request_refused' };
  if (error instanceof errors.StripeInvalidRequestError) {
    const aboutTheCard = CARD_PARAMETERS.test(error.param ?? '') || SPENT_CODES.has(error.code ?? '');
    return aboutTheCard
      ? { state: 'declined', message: CARD_ENTRY_SPENT, code: 'card_entry_spent' }
      : { state: 'declined', message: PAYMENT_UNAVAILABLE, code: 'request_refused' };
  }
  return { state: 'unknown', cause: error };
}

/** Another request with the same key is still being worked on. */
function isInUse(error: unknown): boolean {
  return error instanceof errors.StripeError && (error.statusCode === 409 || error.code === 'idempotency_key_in_use');
}

/** Whether Stripe answered that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return error instanceof errors.StripeError && (error.statusCode === 404 || error.code === 'resource_missing');
}

/** Whether a charge was refunded already, perhaps in Stripe's dashboard. */
export function isGivenBack(error: unknown): boolean {
  return error instanceof errors.StripeError && error.code === 'charge_already_refunded';
}

/** Whether a question was not understood: then it is asked in another way. */
export function isNoQuestion(error: unknown): boolean {
  return isMissing(error) || (error instanceof errors.StripeInvalidRequestError && error.statusCode === 400);
}

/** Whether the key was used for another request. */
export function isKeyTaken(error: unknown): boolean {
  return error instanceof errors.StripeIdempotencyError && !isInUse(error);
}

/** What may be logged: never the request, because of its token and names. */
export function factsOfFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof errors.StripeError)) return { message: String(error) };
  const { type, code, param, message, requestId, statusCode } = error;
  return { type, code, param, message: message.replaceAll(TOKENS, '$1_…'), requestId, statusCode };
}
