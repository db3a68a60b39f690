/** How a charge is said to Stripe, and what its payment intents say to us. */
import type Stripe from 'stripe';
import {
  CHARGE_NOT_POSSIBLE,
  type CardFacts,
  type CardSource,
  type ChargeRequest,
  type Declined,
  type RequiresAction,
  type Succeeded,
  type Unknown,
} from '#src/platform/payments/payments.ts';
import { cents } from '#src/shared/money.ts';

/** The metadata's name for the idempotency key, by which a charge is found again. */
export const KEY_NAME = 'idempotency_key';
/** Tells everything about the charge in one answer. */
export const EXPANDED = ['latest_charge.balance_transaction'];

type CreateParams = Stripe.PaymentIntentCreateParams;

/** The content of a charge. Equal requests give equal content, which Stripe compares under the key. */
export function intentOf(request: ChargeRequest, customer: string | null): CreateParams {
  const { source, amountCents, description, metadata, keepCard, idempotencyKey } = request;
  return {
    amount: amountCents,
    currency: 'usd',
    confirm: true,
    // Captured before the answer, so that the answer knows the fee.
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

/** Wallets give confirmation tokens; of them Link alone is no card. */
const isOfWallet = (source: CardSource) => 'token' in source && source.token.startsWith('ctoken_');

/** Stripe.js gives payment methods, confirmation tokens or card tokens; which one, its first letters say. */
function cardOf(source: CardSource): Partial<CreateParams> {
  if ('savedCard' in source) return { payment_method: readSavedCard(source.savedCard).paymentMethod };
  const { token } = source;
  if (token.startsWith('ctoken_')) return { confirmation_token: token };
  if (token.startsWith('pm_')) return { payment_method: token };
  // Stripe takes card tokens here, though the library's types do not tell.
  const data: CreateParams['payment_method_data'] & { card: { token: string } } = { type: 'card', card: { token } };
  return { payment_method_data: data };
}

/** A kept card is its holder's record and the card, in one text. */
export const savedCardText = (customer: string, paymentMethod: string) => `${customer}/${paymentMethod}`;

export function readSavedCard(text: string): { customer: string; paymentMethod: string } {
  const [customer = '', paymentMethod = ''] = text.split('/');
  return { customer, paymentMethod };
}

const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'string' ? thing : (thing?.id ?? null);

/** Null while Stripe has not told the fee. */
export function feeOf(charge: Stripe.Charge) {
  const { balance_transaction: booked } = charge;
  return booked !== null && typeof booked === 'object' ? cents(booked.fee) : null;
}

export function cardFacts(card: {
  brand: string | null;
  last4: string | null;
  exp_month: number;
  exp_year: number;
}): CardFacts {
  return {
    brand: (card.brand ?? 'unknown').toLowerCase(),
    last4: card.last4 ?? '',
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
}

/** What is shown of a card that Stripe does not describe. */
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

/** What an intent that is not paid says. */
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
