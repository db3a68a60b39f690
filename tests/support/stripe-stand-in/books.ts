/** Stripe's side: tokens, cards, intents, charges, refunds and disputes, and their events. */
import { randomBytes } from 'node:crypto';
import { invalid, missing, Refusal } from './refusal.ts';

export type Card = { brand: string; last4: string; exp_month: number; exp_year: number };
type Behavior = 'pays' | 'asks' | { message: string; code: string; decline_code?: string };
export type PaymentMethod = { id: string; object: 'payment_method'; type: 'card'; card: Card; customer: string | null };
export type Charge = {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
  status: 'succeeded';
  payment_intent: string;
  balance_transaction: { id: string; object: 'balance_transaction'; amount: number; fee: number; net: number } | null;
  payment_method_details: { type: 'card'; card: Card };
};
export type Intent = {
  id: string;
  object: 'payment_intent';
  created: number;
  amount: number;
  currency: string;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  client_secret: string;
  customer: string | null;
  description: string | null;
  last_payment_error: Record<string, unknown> | null;
  latest_charge: string | null;
  metadata: Record<string, string>;
  payment_method: string | null;
  setup_future_usage: string | null;
};
export type Dispute = {
  id: string;
  object: 'dispute';
  amount: number;
  status: string;
  reason: string;
  charge: string;
  payment_intent: string;
};
/** A line of Stripe's own books. `source` names what moved; `payout` is set after it was sent to the bank. */
export type Movement = {
  id: string;
  object: 'balance_transaction';
  created: number;
  type: string;
  amount: number;
  fee: number;
  net: number;
  source: string;
  payout: string | null;
};
export type StripePayout = {
  id: string;
  object: 'payout';
  amount: number;
  created: number;
  automatic: boolean;
  status: 'paid' | 'failed';
};
export type Refund = {
  id: string;
  object: 'refund';
  amount: number;
  payment_intent: string;
  status: 'succeeded';
  metadata: Record<string, string>;
};
export type StripeEvent = {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: Record<string, unknown> };
};

const DECLINE = { message: 'Your card was declined.', code: 'card_declined', decline_code: 'generic_decline' };
const CARDS: Record<string, Behavior> = {
  '4242424242424242': 'pays',
  '5555555555554444': 'pays',
  '4000002500003155': 'asks',
  '4000000000000002': DECLINE,
  '4000000000009995': {
    message: 'Your card has insufficient funds.',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  },
  '4000000000000069': { message: 'Your card has expired.', code: 'expired_card' },
  '4000000000000127': { message: "Your card's security code is incorrect.", code: 'incorrect_cvc' },
  '4000000000000119': {
    message: 'An error occurred while processing your card. Try again in a little bit.',
    code: 'processing_error',
  },
};

const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
const seconds = () => Math.floor(Date.now() / 1000);

export type IntentRequest = {
  amount: number;
  confirm: boolean;
  metadata: Record<string, string>;
  description: string | null;
  customer: string | null;
  keepsCard: boolean;
  offSession: boolean;
  paymentMethod: string | null;
  cardToken: string | null;
};

export type Books = ReturnType<typeof createBooks>;

/** One account of Stripe. `feesLater`: balance transactions come after the charge. */
export function createBooks(options: { feesLater: boolean }) {
  const tokens = new Map<string, { number: string; card: Card; used: boolean }>();
  const methods = new Map<string, PaymentMethod & { number: string }>();
  const customers = new Map<string, { id: string; object: 'customer'; email: string | null; name: string | null }>();
  const intents = new Map<string, Intent>();
  const charges = new Map<string, Charge>();
  const refunds: Refund[] = [];
  const movements: Movement[] = [];
  const payouts: StripePayout[] = [];
  const disputes = new Map<string, Dispute>();
  const events: StripeEvent[] = [];

  function tell(type: string, object: object): void {
    events.push({
      id: idOf('evt'),
      object: 'event',
      type,
      created: seconds(),
      data: { object: structuredClone(object) as Record<string, unknown> },
    });
  }

  function move(type: string, source: string, amount: number, fee: number, id = idOf('txn')): void {
    const line = { id, object: 'balance_transaction', created: seconds(), type, amount, fee } as const;
    movements.push({ ...line, net: amount - fee, source, payout: null });
  }

  function intent(id: string, param = 'intent'): Intent {
    const found = intents.get(id);
    if (!found) throw missing('payment_intent', id, param);
    return found;
  }

  function methodOf(request: IntentRequest): (PaymentMethod & { number: string }) | null {
    if (request.cardToken !== null) {
      const token = tokens.get(request.cardToken);
      if (!token) throw missing('token', request.cardToken, 'payment_method_data[card][token]');
      if (token.used)
        throw invalid(`You cannot use a Stripe token more than once: ${request.cardToken}.`, {
          code: 'token_already_used',
        });
      token.used = true;
      const made = {
        id: idOf('pm'),
        object: 'payment_method',
        type: 'card',
        card: token.card,
        customer: null,
      } as const;
      const method = { ...made, customer: null as string | null, number: token.number };
      methods.set(method.id, method);
      return method;
    }
    if (request.paymentMethod === null) return null;
    const method = methods.get(request.paymentMethod);
    if (!method) throw missing('PaymentMethod', request.paymentMethod, 'payment_method');
    if (method.customer !== null && method.customer !== request.customer)
      throw invalid('The provided PaymentMethod belongs to a Customer.', { param: 'payment_method' });
    return method;
  }

  function pay(paid: Intent, method: PaymentMethod): void {
    const fee = 30 + Math.round(paid.amount * 0.029);
    const charge: Charge = {
      id: idOf('ch'),
      object: 'charge',
      amount: paid.amount,
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      status: 'succeeded',
      payment_intent: paid.id,
      balance_transaction: options.feesLater
        ? null
        : { id: idOf('txn'), object: 'balance_transaction', amount: paid.amount, fee, net: paid.amount - fee },
      payment_method_details: { type: 'card', card: method.card },
    };
    charges.set(charge.id, charge);
    move('charge', charge.id, paid.amount, options.feesLater ? 0 : fee, charge.balance_transaction?.id);
    Object.assign(paid, { status: 'succeeded', latest_charge: charge.id, last_payment_error: null });
    if (paid.setup_future_usage === 'off_session' && paid.customer) method.customer = paid.customer;
    tell('charge.succeeded', { ...charge, balance_transaction: charge.balance_transaction?.id ?? null });
    tell('payment_intent.succeeded', paid);
  }

  function fail(failed: Intent, fault: Record<string, unknown>): void {
    const last = { type: 'card_error', ...fault };
    Object.assign(failed, { status: 'requires_payment_method', last_payment_error: last, payment_method: null });
    tell('payment_intent.payment_failed', failed);
  }

  return {
    tokens,
    methods,
    customers,
    intents,
    charges,
    refunds,
    disputes,
    events,
    movements,
    payouts,
    intent,

    /** As Stripe does each night: the whole balance is paid out to the bank. */
    payOut(): StripePayout {
      const lying = movements.filter((line) => line.payout === null);
      const amount = lying.reduce((sum, line) => sum + line.net, 0);
      const payout = { id: idOf('po'), object: 'payout', amount, created: seconds(), automatic: true } as const;
      const made: StripePayout = { ...payout, status: 'paid' };
      payouts.push(made);
      for (const line of lying) line.payout = made.id;
      move('payout', made.id, -amount, 0);
      const [line] = movements.slice(-1);
      if (line) line.payout = made.id;
      return made;
    },

    /** As Stripe.js does in a browser. */
    makeToken(number: string, kind: 'tok' | 'ctoken' = 'tok'): string {
      const id = idOf(kind);
      const brand = number.startsWith('5') ? 'mastercard' : 'visa';
      const card = { brand, last4: number.slice(-4), exp_month: 12, exp_year: 2040 };
      tokens.set(id, { number, card, used: false });
      return id;
    },

    makeCustomer(email: string | null, name: string | null) {
      const customer = { id: idOf('cus'), object: 'customer' as const, email, name };
      customers.set(customer.id, customer);
      return customer;
    },

    createIntent(request: IntentRequest): Intent {
      if (request.amount < 50)
        throw invalid('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
      if (request.customer !== null && !customers.has(request.customer))
        throw missing('customer', request.customer, 'customer');
      const method = methodOf(request);
      const id = idOf('pi');
      const made: Intent = {
        id,
        object: 'payment_intent',
        created: seconds(),
        amount: request.amount,
        currency: 'usd',
        status: 'requires_payment_method',
        client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
        customer: request.customer,
        description: request.description,
        last_payment_error: null,
        latest_charge: null,
        metadata: request.metadata,
        payment_method: method?.id ?? null,
        setup_future_usage: request.keepsCard ? 'off_session' : null,
      };
      intents.set(id, made);
      if (!request.confirm) return made;
      if (!method) throw invalid('You cannot confirm this PaymentIntent because it is missing a payment method.');
      const behavior = CARDS[method.number] ?? DECLINE;
      if (behavior === 'pays' || (behavior === 'asks' && request.offSession && method.customer)) pay(made, method);
      else if (behavior === 'asks') {
        made.status = 'requires_action';
        tell('payment_intent.requires_action', made);
      } else {
        fail(made, behavior);
        throw new Refusal(402, { type: 'card_error', ...behavior, payment_intent: made }, true);
      }
      return made;
    },

    cancel(id: string): Intent {
      const open = intent(id);
      if (open.status === 'succeeded' || open.status === 'canceled')
        throw invalid(`You cannot cancel this PaymentIntent because it has a status of ${open.status}.`, {
          code: 'payment_intent_unexpected_state',
        });
      open.status = 'canceled';
      tell('payment_intent.canceled', open);
      return open;
    },

    /** The buyer passes the bank's authentication, or does not. */
    answerBank(id: string, convinced: boolean): void {
      const waiting = intent(id);
      if (waiting.status !== 'requires_action') throw new Error(`${id} is ${waiting.status}`);
      const method = methods.get(waiting.payment_method ?? '');
      if (convinced && method) pay(waiting, method);
      else
        fail(waiting, {
          code: 'payment_intent_authentication_failure',
          message:
            'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
        });
    },

    refund(intentId: string, amount: number | null, metadata: Record<string, string> = {}) {
      const charge = charges.get(intent(intentId, 'payment_intent').latest_charge ?? '');
      if (!charge) throw invalid('This PaymentIntent does not have a successful charge to refund.');
      const left = charge.amount - charge.amount_refunded;
      if (left === 0)
        throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
      const given = amount ?? left;
      if (given > left || given <= 0)
        throw invalid(`Refund amount ($${given / 100}) is greater than unrefunded amount on charge ($${left / 100})`);
      charge.amount_refunded += given;
      charge.refunded = charge.amount_refunded === charge.amount;
      const made = {
        id: idOf('re'),
        object: 'refund',
        amount: given,
        payment_intent: intentId,
        status: 'succeeded',
        metadata,
      } as const;
      refunds.push(made);
      move('refund', made.id, -given, 0);
      tell('charge.refunded', { ...charge, balance_transaction: null });
      return made;
    },

    openDispute(intentId: string, amount?: number): Dispute {
      const charge = charges.get(intent(intentId).latest_charge ?? '');
      if (!charge) throw new Error('nothing to dispute');
      charge.disputed = true;
      const made: Dispute = {
        id: idOf('dp'),
        object: 'dispute',
        amount: amount ?? charge.amount,
        status: 'needs_response',
        reason: 'fraudulent',
        charge: charge.id,
        payment_intent: intentId,
      };
      disputes.set(made.id, made);
      move('adjustment', made.id, -made.amount, 0);
      tell('charge.dispute.created', made);
      return made;
    },

    closeDispute(id: string, status: 'won' | 'lost'): void {
      const open = disputes.get(id);
      if (!open) throw new Error(`no dispute ${id}`);
      open.status = status;
      if (status === 'won') move('adjustment', open.id, open.amount, 0);
      tell('charge.dispute.closed', open);
    },

    /** The fee comes later, with `charge.updated`. */
    bookFee(intentId: string, fee: number): void {
      const charge = charges.get(intent(intentId).latest_charge ?? '');
      if (!charge) throw new Error('no charge');
      charge.balance_transaction = {
        id: idOf('txn'),
        object: 'balance_transaction',
        amount: charge.amount,
        fee,
        net: charge.amount - fee,
      };
      const line = movements.find(({ source }) => source === charge.id);
      if (line) Object.assign(line, { fee, net: charge.amount - fee });
      tell('charge.updated', { ...charge, balance_transaction: charge.balance_transaction.id });
    },
  };
}
