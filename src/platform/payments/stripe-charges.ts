/** How a charge is sent to Stripe, and how its payment intents are read. */
import Stripe from 'stripe';
import {
  CHARGE_NOT_POSSIBLE,
  type CardFacts,
  type CardSource,
  type ChargeRequest,
  type Declined,
  type RequiresAction,
  type Succeeded,
  type Unknown,
  CARD_ENTRY_SPENT,
  PAYMENT_UNAVAILABLE,
  type ChargeOutcome,
  type DisputeFacts,
  type ChargeStatus,
} from '#src/platform/payments/payments.ts';
import { cents } from '#src/shared/money.ts';

/** The metadata's name for the idempotency key, by which a charge is found again. */
export const KEY_NAME = 'idempotency_key';
/** Expands everything about the charge in one answer. */
export const EXPANDED = ['latest_charge.balance_transaction'];

type CreateParams = Stripe.PaymentIntentCreateParams;

/** The content of a charge. Equal requests have equal content, which Stripe compares under the key. */
export function intentOf(request: ChargeRequest, customer: string | null): CreateParams {
  const { source, amountCents, description, metadata, keepCard, idempotencyKey } = request;
  return {
    amount: amountCents,
    currency: 'usd',
    confirm: true,
    // Captured before the answer, so that the answer contains the fee.
    capture_method: 'automatic',
    allowed_payment_method_types: isOfWallet(source) ? ['card', 'link'] : ['card'],
    description,
    metadata: { ...metadata, [KEY_NAME]: idempotencyKey },
    expand: EXPANDED,
    ...('savedCard' in source ? { off_session: true } : { use_stripe_sdk: true }),
    ...(keepCard ? { setup_future_usage: 'off_session' as const } : {}),
    ...(customer === null ? {} : { customer }),
    ...cardOf(source),
  };
}

/** Wallets produce confirmation tokens; of them only Link is not a card. */
const isOfWallet = (source: CardSource) => 'token' in source && source.token.startsWith('ctoken_');

/** Stripe.js produces payment methods, confirmation tokens or card tokens, distinguished by their prefix. */
function cardOf(source: CardSource): Partial<CreateParams> {
  if ('savedCard' in source) return { payment_method: readSavedCard(source.savedCard).paymentMethod };
  const { token } = source;
  if (token.startsWith('ctoken_')) return { confirmation_token: token };
  if (token.startsWith('pm_')) return { payment_method: token };
  // Stripe accepts card tokens here, though the library's types do not say so.
  const data: CreateParams['payment_method_data'] & { card: { token: string } } = { type: 'card', card: { token } };
  return { payment_method_data: data };
}

/** A saved card is its customer and the card, in one text. */
const savedCardText = (customer: string, paymentMethod: string) => `${customer}/${paymentMethod}`;

export function readSavedCard(text: string): { customer: string; paymentMethod: string } {
  const [customer = '', paymentMethod = ''] = text.split('/');
  return { customer, paymentMethod };
}

export const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'string' ? thing : (thing?.id ?? null);

/** Null while Stripe has not set the fee. */
function feeOf(charge: Stripe.Charge) {
  const { balance_transaction: booked } = charge;
  return booked !== null && typeof booked === 'object' ? cents(booked.fee) : null;
}

export function cardFacts(card: { brand: string | null; last4: string | null; exp_month: number; exp_year: number }) {
  return {
    brand: (card.brand ?? 'unknown').toLowerCase(),
    last4: card.last4 ?? '',
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
}

/** Shown for a card that Stripe does not describe. */
const UNKNOWN_CARD: CardFacts = { brand: 'unknown', last4: '', expMonth: 0, expYear: 0 };

/** A paid intent with its charge. */
export function succeededOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): Succeeded {
  const details = charge?.payment_method_details;
  const card = details?.card;
  const [customer, paymentMethod] = [idOf(intent.customer), idOf(intent.payment_method)];
  const isKept = intent.setup_future_usage === 'off_session' || customer !== null;
  return {
    state: 'succeeded',
    chargeId: intent.id,
    feeCents: charge ? feeOf(charge) : null,
    card: card ? cardFacts(card) : { ...UNKNOWN_CARD, brand: details?.type ?? UNKNOWN_CARD.brand },
    savedCard: isKept && customer && paymentMethod ? savedCardText(customer, paymentMethod) : null,
  };
}

/** The outcome of an unpaid intent. */
export function unpaidOf(intent: Stripe.PaymentIntent): Declined | RequiresAction | Unknown {
  switch (intent.status) {
    case 'requires_action':
    case 'requires_confirmation':
      return { state: 'requires_action', chargeId: intent.id, clientSecret: intent.client_secret ?? '' };
    case 'requires_payment_method':
    case 'canceled': {
      const fault = intent.last_payment_error;
      return fault?.message
        ? { state: 'declined', message: fault.message, code: fault.code ?? 'card_declined' }
        : { state: 'declined', message: CHARGE_NOT_POSSIBLE, code: 'idempotency_key_closed' };
    }
    default:
      return { state: 'unknown', cause: new Error(`payment intent ${intent.id} is ${intent.status}`) };
  }
}

const { errors } = Stripe;

/** Tokens and saved cards that are deleted, used, of another account or of another mode. */
const CARD_PARAMETERS = /^(payment_method|payment_method_data|confirmation_token|source|customer|token|card)\b/;
/** Stripe's messages quote the input. */
const TOKENS = /\b(tok|ctoken|pm|[srp]k_(?:test|live))_\w+/g;
const SPENT_CODES = new Set(['token_already_used', 'token_in_use', 'livemode_mismatch', 'resource_missing']);

/**
 * The outcome of a failed call; unknown whenever money may have moved. Only a decline by the card's bank is shown in Stripe's
 * words: all other messages are meant for programmers, are logged, and are replaced by ours.
 */
export function outcomeOfFault(error: unknown): Declined | Unknown {
  if (error instanceof errors.StripeCardError)
    return { state: 'declined', message: error.message, code: error.code ?? 'card_declined' };
  if (isInUse(error) || error instanceof errors.StripeRateLimitError) return { state: 'unknown', cause: error };
  // The key is already used with other content: it was closed, or this is not its request.
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

/** Another request with the same key is still in progress. */
function isInUse(error: unknown): boolean {
  return error instanceof errors.StripeError && (error.statusCode === 409 || error.code === 'idempotency_key_in_use');
}

/** Whether Stripe answered that the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof errors.StripeError && (error.statusCode === 404 || error.code === 'resource_missing');
}

/** Whether a charge was refunded already, perhaps in Stripe's dashboard. */
export function isAlreadyRefunded(error: unknown): boolean {
  return error instanceof errors.StripeError && error.code === 'charge_already_refunded';
}

/** Whether Stripe did not understand a query: then another one is tried. */
export function isInvalidQuery(error: unknown): boolean {
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

/** Disputes of one charge; there are only ever a few. */
const DISPUTES_AT_MOST = 20;

export async function chargeStatusOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge | null,
  outcome: ChargeOutcome,
): Promise<ChargeStatus> {
  const disputes = charge?.disputed
    ? (await stripe.disputes.list({ payment_intent: intent.id, limit: DISPUTES_AT_MOST })).data
    : [];
  return {
    idempotencyKey: intent.metadata[KEY_NAME] ?? null,
    outcome,
    amountCents: cents(intent.amount),
    refundedCents: cents(charge?.amount_refunded ?? 0),
    disputes: disputes.map(factsOf).filter((dispute) => dispute !== null),
  };
}

/** Null for early warnings, which move no money. */
function factsOf(dispute: Stripe.Dispute): DisputeFacts | null {
  if (dispute.status.startsWith('warning_') || dispute.status === 'prevented') return null;
  const status = dispute.status === 'won' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open';
  return { id: dispute.id, amountCents: cents(dispute.amount), status, reason: dispute.reason || null };
}
