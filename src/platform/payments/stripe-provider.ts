/**
 * Stripe behind our own interface. A charge is one payment intent, confirmed when it is created; our key is Stripe's
 * idempotency key and is in the metadata, too, so that a lost outcome is found again. Nothing here decides about
 * orders, and nothing rejects for failures of a card, a network or Stripe.
 */
import Stripe from 'stripe';
import {
  PAYMENT_UNAVAILABLE,
  type ChargeOutcome,
  type ChargeQuestion,
  type ChargeRequest,
  type FoundCharge,
  type FoundRefund,
  type PaymentProvider,
  type ProcessorAccount,
  type RefundOutcome,
  type RefundRequest,
} from '#src/platform/payments/payments.ts';
import { readEvent, type ProviderEvent } from '#src/platform/payments/provider-events.ts';
import {
  cardFacts,
  chargeStatusOf,
  EXPANDED,
  factsOfFault,
  intentOf,
  isAlreadyRefunded,
  isInvalidQuery,
  isKeyTaken,
  isMissing,
  KEY_NAME,
  outcomeOfFault,
  readSavedCard,
  succeededOf,
  unpaidOf,
} from '#src/platform/payments/stripe-charges.ts';
import { readStripeBooks } from '#src/platform/payments/stripe-books.ts';
import { currentWork } from '#src/platform/telemetry/work.ts';
import { cents } from '#src/shared/money.ts';
import { problem } from '#src/shared/problem.ts';

type StripeOptions = {
  secretKey: string;
  /** Scheme, host and port of a test server; null: Stripe itself. */
  apiBase: string | null;
  log: { warn(details: object, message: string): void };
  timeoutMs?: number;
};

export type StripeProvider = PaymentProvider & { readonly name: 'stripe' };

/** The events that change an order. */
const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;
const EVENTS_AT_MOST = 2_000;
const PROVIDER_UNREACHABLE = 'The card provider is not answering. Please try again.';

/** Longer than Stripe needs, shorter than a buyer waits: the same key tries again. */
const TIMEOUT_MS = 8_000;
/** The number of clients for sellers' accounts that are kept open. */
const ACCOUNTS_AT_MOST = 100;
/** Stripe's lists are consistent immediately, its search is not: recent charges are looked for in the list first. */
const LIST_SECONDS_AROUND = 15 * 60;
const LIST_AT_MOST = 1_000;

export function openStripeProvider(options: StripeOptions): StripeProvider {
  const { log } = options;
  const platform = openClient(options.secretKey, options);
  const accounts = new Map<string, Stripe>();

  function clientOf(account: ProcessorAccount | undefined): Stripe {
    if (!account) return platform;
    const known = accounts.get(account.secretKey) ?? openClient(account.secretKey, options);
    if (accounts.size >= ACCOUNTS_AT_MOST) accounts.clear();
    accounts.set(account.secretKey, known);
    return known;
  }

  function fault(error: unknown, what: string, idempotencyKey: string) {
    const outcome = outcomeOfFault(error);
    log.warn({ stripe: factsOfFault(error), idempotencyKey, outcome: outcome.state }, `Stripe: ${what} failed`);
    return outcome;
  }

  return {
    name: 'stripe',

    async charge(request) {
      const stripe = clientOf(request.account);
      try {
        return await outcomeOf(stripe, await createIntent(stripe, request));
      } catch (error) {
        return fault(error, 'a charge', request.idempotencyKey);
      }
    },

    async findCharge(question) {
      const stripe = clientOf(question.account);
      try {
        return await findOrClose(stripe, question);
      } catch (error) {
        log.warn({ stripe: factsOfFault(error), idempotencyKey: question.idempotencyKey }, 'Stripe: a look-up failed');
        return { state: 'unknown', cause: error };
      }
    },

    async refund(request) {
      try {
        return await refund(clientOf(request.account), request);
      } catch (error) {
        const outcome = fault(error, 'a refund', request.idempotencyKey);
        return isAlreadyRefunded(error)
          ? { state: 'declined', message: PAYMENT_UNAVAILABLE, code: 'charge_already_refunded' }
          : outcome;
      }
    },

    async findRefund(request) {
      try {
        return await findRefund(clientOf(request.account), request);
      } catch (error) {
        log.warn({ stripe: factsOfFault(error), idempotencyKey: request.idempotencyKey }, 'Stripe: a look-up failed');
        return { state: 'unknown', cause: error };
      }
    },

    books: (range) => readStripeBooks(platform, range),

    async chargeStatus(chargeId, account) {
      const stripe = clientOf(account);
      const intent = await stripe.paymentIntents.retrieve(chargeId, { expand: EXPANDED });
      return chargeStatusOf(stripe, intent, await chargeOf(stripe, intent), await outcomeOf(stripe, intent));
    },

    eventsSince: (since) => listEvents(platform, since),

    async knowsAccount(account) {
      try {
        await clientOf(account).balance.retrieve();
        return true;
      } catch (error) {
        if (outcomeOfFault(error).state === 'declined') return false;
        throw problem('unavailable', PROVIDER_UNREACHABLE, { retryAfterSeconds: 5, cause: error });
      }
    },

    async cardOf(token) {
      try {
        return await readCard(platform, token);
      } catch (error) {
        if (!isMissing(error)) log.warn({ stripe: factsOfFault(error) }, 'Stripe: a card could not be read');
        return null;
      }
    },

    close: async () => undefined,
  };
}

async function listEvents(platform: Stripe, since: Date): Promise<ProviderEvent[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const events: ProviderEvent[] = [];
  try {
    for await (const event of platform.events.list({ created, types: [...EVENT_TYPES], limit: 100 })) {
      events.push(readEvent(event));
      if (events.length >= EVENTS_AT_MOST) break;
    }
  } catch (error) {
    if (!isInvalidQuery(error)) throw error;
  }
  return events;
}

function openClient(secretKey: string, { apiBase, timeoutMs = TIMEOUT_MS }: StripeOptions): Stripe {
  const base = apiBase === null ? null : new URL(apiBase);
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    // Callers retry with the same key; see charge-retries.ts.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: withRequestId(Stripe.createNodeHttpClient()),
    ...(base
      ? {
          protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
          host: base.hostname,
          port: base.port === '' ? (base.protocol === 'http:' ? 80 : 443) : Number(base.port),
        }
      : {}),
  });
}

/** Names our request in a header. The content stays the same: Stripe accepts no other under one key. */
function withRequestId(client: ReturnType<typeof Stripe.createNodeHttpClient>) {
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, ...rest) => {
    const work = currentWork();
    const named = work === undefined ? headers : { ...headers, 'X-Request-Id': work.requestId };
    return send(host, port, path, method, named, ...rest);
  };
  return client;
}

async function createIntent(stripe: Stripe, request: ChargeRequest): Promise<Stripe.PaymentIntent> {
  const { idempotencyKey, keepCard, source } = request;
  let customer: string | null = 'savedCard' in source ? readSavedCard(source.savedCard).customer : null;
  if (keepCard && customer === null) {
    const holder = await stripe.customers.create(
      { email: keepCard.email, name: keepCard.name, metadata: { [KEY_NAME]: idempotencyKey } },
      { idempotencyKey: `${idempotencyKey}:holder` },
    );
    customer = holder.id;
  }
  return stripe.paymentIntents.create(intentOf(request, customer), { idempotencyKey });
}

async function outcomeOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ChargeOutcome> {
  if (intent.status !== 'succeeded') return unpaidOf(intent);
  const succeeded = succeededOf(intent, await chargeOf(stripe, intent));
  if (succeeded.card.last4 !== '' || typeof intent.payment_method !== 'string') return succeeded;
  const { card } = await stripe.paymentMethods.retrieve(intent.payment_method).catch(() => ({ card: null }));
  return card ? { ...succeeded, card: cardFacts(card) } : succeeded;
}

/** The charge of an intent with its fee, also if it did not come with the answer. */
async function chargeOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.Charge | null> {
  const { latest_charge: charge } = intent;
  if (charge === null || charge === undefined || typeof charge === 'object') return charge ?? null;
  try {
    return await stripe.charges.retrieve(charge, { expand: ['balance_transaction'] });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function findOrClose(stripe: Stripe, question: ChargeQuestion): Promise<FoundCharge> {
  const intent = (await findIntent(stripe, question)) ?? (await closeKey(stripe, question.idempotencyKey));
  if (intent === 'absent') return { state: 'absent' };
  if (intent === 'taken')
    return { state: 'unknown', cause: new Error('Stripe knows this key and does not show its charge yet') };
  if (intent.metadata['closes'] === question.idempotencyKey) return { state: 'absent' };
  const settled = await giveUpWaiting(stripe, intent, question.giveUp ?? false);
  const outcome = await outcomeOf(stripe, settled);
  return outcome.state === 'succeeded' ? { ...outcome, amountCents: cents(settled.amount) } : outcome;
}

async function findIntent(stripe: Stripe, question: ChargeQuestion): Promise<Stripe.PaymentIntent | null> {
  if (question.chargeId) return stripe.paymentIntents.retrieve(question.chargeId, { expand: EXPANDED });
  const isOurs = (intent: Stripe.PaymentIntent) => intent.metadata[KEY_NAME] === question.idempotencyKey;
  const found = (await findInList(stripe, question, isOurs)) ?? (await findBySearch(stripe, question, isOurs));
  return found && stripe.paymentIntents.retrieve(found.id, { expand: EXPANDED });
}

type IntentTest = (intent: Stripe.PaymentIntent) => boolean;

async function findInList(stripe: Stripe, { sentAt }: ChargeQuestion, isOurs: IntentTest) {
  const around = Math.floor((sentAt?.getTime() ?? Date.now()) / 1000);
  const created = { gte: around - LIST_SECONDS_AROUND, lte: around + LIST_SECONDS_AROUND };
  let looked = 0;
  try {
    for await (const intent of stripe.paymentIntents.list({ created, limit: 100 })) {
      if (isOurs(intent)) return intent;
      if (++looked >= LIST_AT_MOST) return null;
    }
  } catch (error) {
    if (!isInvalidQuery(error)) throw error;
  }
  return null;
}

async function findBySearch(stripe: Stripe, { idempotencyKey }: ChargeQuestion, isOurs: IntentTest) {
  try {
    const page = await stripe.paymentIntents.search({ query: `metadata['${KEY_NAME}']:'${idempotencyKey}'` });
    return page.data.find(isOurs) ?? null;
  } catch (error) {
    if (isInvalidQuery(error)) return null;
    throw error;
  }
}

/**
 * Uses the key for an empty intent: from then on Stripe refuses the charge for which the key was made, because its
 * content differs. "taken": the charge was first, though neither list nor search shows it yet.
 */
async function closeKey(stripe: Stripe, idempotencyKey: string): Promise<'absent' | 'taken'> {
  try {
    const closed = await stripe.paymentIntents.create(
      { amount: 50, currency: 'usd', allowed_payment_method_types: ['card'], metadata: { closes: idempotencyKey } },
      { idempotencyKey },
    );
    await stripe.paymentIntents.cancel(closed.id).catch(() => undefined);
    return 'absent';
  } catch (error) {
    if (isKeyTaken(error)) return 'taken';
    throw error;
  }
}

/**
 * A buyer who failed the bank's authentication could try again with the secret in their browser, long after the order
 * has failed: such an intent is canceled first. One that is still waiting is canceled only on request.
 */
async function giveUpWaiting(stripe: Stripe, intent: Stripe.PaymentIntent, giveUp: boolean) {
  const isOpen = intent.status === 'requires_payment_method';
  const isWaiting = intent.status === 'requires_action' || intent.status === 'requires_confirmation';
  if (!isOpen && !(isWaiting && giveUp)) return intent;
  try {
    return await stripe.paymentIntents.cancel(intent.id, { expand: EXPANDED });
  } catch {
    // It was paid or canceled at that moment.
    return stripe.paymentIntents.retrieve(intent.id, { expand: EXPANDED });
  }
}

async function refund(stripe: Stripe, { idempotencyKey, chargeId, amountCents }: RefundRequest) {
  const made = await stripe.refunds.create(
    { payment_intent: chargeId, amount: amountCents, metadata: { [KEY_NAME]: idempotencyKey } },
    { idempotencyKey },
  );
  return outcomeOfRefund(made);
}

function outcomeOfRefund(made: Stripe.Refund): RefundOutcome {
  if (made.status === 'failed' || made.status === 'canceled')
    return { state: 'declined', message: PAYMENT_UNAVAILABLE, code: made.failure_reason ?? 'refund_failed' };
  return { state: 'succeeded', refundId: made.id };
}

/** Stripe drops keys after a day; the refunds of a charge with their metadata remain. */
async function findRefund(stripe: Stripe, { idempotencyKey, chargeId }: RefundRequest): Promise<FoundRefund> {
  for await (const made of stripe.refunds.list({ payment_intent: chargeId, limit: 100 }))
    if (made.metadata?.[KEY_NAME] === idempotencyKey) return outcomeOfRefund(made);
  return { state: 'absent' };
}

async function readCard(stripe: Stripe, token: string) {
  if (token.startsWith('pm_')) {
    const { card } = await stripe.paymentMethods.retrieve(token);
    return card ? cardFacts(card) : null;
  }
  if (token.startsWith('ctoken_')) {
    const { payment_method_preview: shown, payment_intent: usedBy } = await stripe.confirmationTokens.retrieve(token);
    return shown?.card && usedBy === null ? cardFacts(shown.card) : null;
  }
  const { card, used } = await stripe.tokens.retrieve(token);
  return card && !used ? cardFacts(card) : null;
}
