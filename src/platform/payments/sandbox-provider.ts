/**
 * A card provider that lives next door: it keeps books of its own, over connections of its
 * own, by the rules that Stripe documents, and moves no money. Active only without Stripe keys.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Kysely } from 'kysely';
import { SessionDriver, postgresDialect } from '#src/platform/db/kysely-driver.ts';
import { createSessionPool } from '#src/platform/db/pool.ts';
import type { Schema, Writer } from '#src/platform/db/db.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import { readCardEntry, type CardEntry } from '#src/platform/payments/card-entry.ts';
import type {
  CardFacts,
  ChargeOutcome,
  ChargeRequest,
  FoundCharge,
  PaymentProvider,
} from '#src/platform/payments/payments.ts';
import * as books from '#src/platform/payments/sandbox-books.sql.ts';
import { readBehaviour, refusalOf } from '#src/platform/payments/test-cards.ts';
import { cents, portionHalfUp, type Cents } from '#src/shared/money.ts';

/** Faults that tests ask for: a reply that is lost after the money moved, or a failure before anything happened. */
export type SandboxFault = 'normal' | 'lose_reply_after_charge' | 'fail_before_charge';

export type SandboxToken = { id: string; card: { brand: string; last4: string; exp_month: number; exp_year: number } };

export type RefundRequest = { idempotencyKey: string; chargeId: string; amountCents: Cents };
export type RefundOutcome =
  | { state: 'succeeded'; refundId: string }
  | { state: 'refused'; message: string; code: string }
  | { state: 'unknown'; cause: unknown };

export type SandboxProvider = PaymentProvider & {
  readonly name: 'sandbox';
  /** Keeps what the number does, its brand and last four digits: never the number, never the code. @throws as `readCardEntry`. */
  createToken(entry: CardEntry): Promise<SandboxToken>;
  /** Gives back all or part of a charge; the same key gives back once. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** All charges in the provider's books, oldest first. */
  listCharges(): Promise<books.BookedCharge[]>;
};

export type SandboxOptions = {
  /** Of the role that may write the schema `sandbox_provider`; `role` is taken after connecting, as for the product. */
  url: string;
  role?: string | null;
  fault?: SandboxFault;
  clock?: Clock;
  maxConnections?: number;
  onError?: (error: Error) => void;
};

/** Reads `SANDBOX_FAULT`; throws one sentence for a bad value. */
export function readSandboxFault(value: string | undefined): SandboxFault {
  if (value === undefined || value === '') return 'normal';
  if (value === 'normal' || value === 'lose_reply_after_charge' || value === 'fail_before_charge') return value;
  throw new Error(`SANDBOX_FAULT must be normal, lose_reply_after_charge or fail_before_charge, not "${value}".`);
}

/** What the provider keeps of a payment: 30 cents and 2.9 %, rounded half up (decision 16). */
export function sandboxFee(amount: Cents): Cents {
  return cents(30 + portionHalfUp(amount, 29, 1000));
}

export function openSandboxProvider(options: SandboxOptions): SandboxProvider {
  const { fault = 'normal', clock = systemClock } = options;
  const sessions = createSessionPool({
    url: options.url,
    role: options.role ?? null,
    applicationName: 'sideline sandbox cards',
    maxConnections: options.maxConnections ?? 2,
    slotWaitMs: 5000,
    statementTimeoutMs: 5000,
    onIdleError: options.onError ?? (() => undefined),
  });
  const db = new Kysely<Schema>({ dialect: postgresDialect(new SessionDriver(sessions)) });

  return {
    name: 'sandbox',

    async createToken(entry) {
      const { card, behaviour } = readCardEntry(entry, clock.now());
      const id = `tok_${randomBytes(18).toString('base64url')}`;
      await books.insertToken(db, { id, behaviour, card: JSON.stringify(card) });
      return { id, card: { brand: card.brand, last4: card.last4, exp_month: card.expMonth, exp_year: card.expYear } };
    },

    async charge(request) {
      if (fault === 'fail_before_charge')
        return { state: 'unknown', cause: new Error('the sandbox failed before the charge, as it was told to') };
      try {
        const outcome = await db.connection().execute((session) => chargeOnce(session, request));
        if (fault === 'lose_reply_after_charge')
          return { state: 'unknown', cause: new Error('the sandbox lost its reply, as it was told to') };
        return outcome;
      } catch (error) {
        if (error instanceof RefusedRequest) return error.outcome;
        return { state: 'unknown', cause: error };
      }
    },

    async findCharge(idempotencyKey) {
      try {
        return await findOrClose(db, idempotencyKey);
      } catch (cause) {
        return { state: 'unknown', cause };
      }
    },

    async cardOf(token) {
      const row = await books.findToken(db, token);
      return row && !row.used && !row.expired ? (row.card as CardFacts) : null;
    },

    async refund(request) {
      try {
        return await db.transaction().execute((tx) => refundOnce(tx, request));
      } catch (cause) {
        return { state: 'unknown', cause };
      }
    },

    listCharges: () => books.listCharges(db),
    close: () => db.destroy(),
  };
}

/** Ends the transaction without a trace: such requests were never valid, so their key stays free, as with Stripe. */
class RefusedRequest extends Error {
  readonly outcome: ChargeOutcome;
  constructor(message: string, code: string) {
    super(message);
    this.outcome = { state: 'declined', message, code };
  }
}

/** In two packets: the transaction opens with its first statement and ends with its last. */
async function chargeOnce(session: Kysely<Schema>, request: ChargeRequest): Promise<ChargeOutcome> {
  const contentHash = hashContent(request);
  const opened = books.begin(session);
  opened.catch(() => undefined);
  try {
    const { claimed, token } = await books.claimCharge(session, request.idempotencyKey, contentHash, request.token);
    await opened;
    if (claimed) return await bookOnce(session, request, token);
    const outcome = await earlierOutcome(session, request.idempotencyKey, contentHash);
    await books.commit(session);
    return outcome;
  } catch (error) {
    // The first error is the one to tell; a session that cannot even roll back is thrown away.
    await books.rollback(session).catch(() => undefined);
    throw error;
  }
}

async function bookOnce(
  session: Kysely<Schema>,
  request: ChargeRequest,
  token: books.TokenRow | null,
): Promise<ChargeOutcome> {
  if (!token) throw new RefusedRequest(`No such token: '${request.token}'`, 'resource_missing');
  if (token.used) throw new RefusedRequest(`You cannot use a token more than once: ${token.id}.`, 'token_already_used');
  if (token.expired)
    throw new RefusedRequest(`The token ${token.id} has expired. Please enter the card again.`, 'token_expired');
  if (request.amountCents <= 0) throw new RefusedRequest('Invalid positive integer', 'parameter_invalid_integer');
  const refusal = refusalOf(readBehaviour(token.number_behaviour));
  const charge = {
    id: `ch_${randomBytes(18).toString('base64url')}`,
    amount_cents: request.amountCents,
    fee_cents: refusal ? 0 : sandboxFee(request.amountCents),
    status: refusal ? ('declined' as const) : ('succeeded' as const),
    message: refusal?.message ?? null,
    code: refusal?.code ?? null,
  };
  const details = {
    card: JSON.stringify(token.card),
    description: request.description,
    metadata: JSON.stringify(request.metadata),
  };
  await Promise.all([
    books.bookCharge(session, { ...charge, ...details }, { key: request.idempotencyKey, tokenId: token.id }),
    books.commit(session),
  ]);
  return outcomeOf({ ...charge, card: token.card });
}

/** What an earlier request with the same key came to. The key's row was waited for, so its charge is decided. */
async function earlierOutcome(tx: Kysely<Schema>, key: string, contentHash: Buffer): Promise<ChargeOutcome> {
  const known = await books.findKey(tx, key);
  if (!known?.content_hash || !known.charge_id) {
    return {
      state: 'declined',
      message: 'This payment was given up and nothing was charged. Please try again.',
      code: 'idempotency_key_closed',
    };
  }
  if (!known.content_hash.equals(contentHash)) {
    return {
      state: 'declined',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      code: 'idempotency_error',
    };
  }
  return outcomeOf(await chargeOf(tx, known.charge_id));
}

async function findOrClose(db: Kysely<Schema>, key: string): Promise<FoundCharge> {
  if (await books.closeKey(db, key)) return { state: 'absent' };
  const known = await books.findKey(db, key);
  if (!known?.charge_id) return { state: 'absent' };
  const charge = await chargeOf(db, known.charge_id);
  const outcome = outcomeOf(charge);
  return outcome.state === 'succeeded' ? { ...outcome, amountCents: cents(charge.amount_cents) } : outcome;
}

async function chargeOf(db: Kysely<Schema>, id: string): Promise<books.ChargeRow> {
  const charge = await books.findCharge(db, id);
  if (!charge) throw new Error(`the sandbox's books lack ${id}`);
  return charge;
}

function outcomeOf(charge: books.ChargeRow): Exclude<ChargeOutcome, { state: 'unknown' }> {
  if (charge.status === 'declined')
    return { state: 'declined', message: charge.message ?? '', code: charge.code ?? '' };
  return { state: 'succeeded', chargeId: charge.id, feeCents: cents(charge.fee_cents), card: charge.card as CardFacts };
}

async function refundOnce(tx: Writer, request: RefundRequest): Promise<RefundOutcome> {
  const charge = await books.lockCharge(tx, request.chargeId);
  if (charge?.status !== 'succeeded')
    return { state: 'refused', message: `No such charge: '${request.chargeId}'`, code: 'resource_missing' };
  // The key is the refund's name, so that the same key cannot give back twice.
  const refundId = `re_${createHash('sha256').update(request.idempotencyKey).digest('base64url').slice(0, 24)}`;
  const earlier = await books.findRefund(tx, refundId);
  if (earlier) {
    const same = earlier.charge_id === charge.id && earlier.amount_cents === request.amountCents;
    if (same) return { state: 'succeeded', refundId };
    return { state: 'refused', message: 'This key was used for another refund.', code: 'idempotency_error' };
  }
  const left = charge.amount_cents - (await books.refundedOf(tx, charge.id));
  if (left === 0)
    return {
      state: 'refused',
      message: `Charge ${charge.id} has already been refunded.`,
      code: 'charge_already_refunded',
    };
  if (request.amountCents <= 0 || request.amountCents > left) {
    return {
      state: 'refused',
      message: 'Refund amount is greater than the unrefunded amount on the charge.',
      code: 'amount_too_large',
    };
  }
  await books.insertRefund(tx, { id: refundId, charge_id: charge.id, amount_cents: request.amountCents });
  return { state: 'succeeded', refundId };
}

/** The content of a charge, whatever the order of its metadata. */
function hashContent({ token, amountCents, description, metadata }: ChargeRequest): Buffer {
  const sorted = Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHash('sha256')
    .update(JSON.stringify([token, amountCents, description, sorted]))
    .digest();
}
