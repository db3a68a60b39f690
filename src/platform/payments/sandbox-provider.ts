/**
 * A card provider for rehearsals: it keeps its own books over its own connections, by the rules that
 * Stripe documents, and moves no money. Active only without Stripe keys.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Kysely } from 'kysely';
import { orUnavailable, signOfLife, watchForSilence } from '#src/platform/db/connection-faults.ts';
import { SessionDriver, postgresDialect, createSessionPool } from '#src/platform/db/sessions.ts';
import type { Schema, Writer } from '#src/platform/db/db.ts';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import { readCardEntry, type CardEntry, readBehavior, refusalOf } from '#src/platform/payments/card-entry.ts';
import {
  CARD_ENTRY_SPENT,
  CHARGE_NOT_POSSIBLE,
  type CardFacts,
  type ChargeOutcome,
  type ChargeRequest,
  type FoundCharge,
  type PaymentProvider,
  type RefundOutcome,
  type RefundRequest,
} from '#src/platform/payments/payments.ts';
import * as books from '#src/platform/payments/sandbox-books.sql.ts';
import * as movementsSql from '#src/platform/payments/sandbox-movements.sql.ts';
import {
  findRefund,
  outcomeOf,
  readBooks,
  refundIdOf,
  chargeStatusOf,
} from '#src/platform/payments/sandbox-charge-status.ts';
import { cents, portionHalfUp, type Cents } from '#src/shared/money.ts';

/** Faults that tests ask for: a reply that is lost after the money moved, or a failure before anything happened. */
export type SandboxFault = 'normal' | 'lose_reply_after_charge' | 'fail_before_charge';

export type SandboxToken = { id: string; card: { brand: string; last4: string; exp_month: number; exp_year: number } };

export type SandboxProvider = PaymentProvider & {
  readonly name: 'sandbox';
  /** Keeps what the number does, its brand and last four digits: never the number, never the code. @throws as `readCardEntry`. */
  createToken(entry: CardEntry): Promise<SandboxToken>;
  /** All charges in the provider's books, oldest first. */
  listCharges(): Promise<books.BookedCharge[]>;
  /** A customer disputes a charge with their bank; returns the dispute's id. The amount is withdrawn until it is won. */
  openDispute(chargeId: string, amountCents: Cents): Promise<string>;
  closeDispute(id: string, status: 'won' | 'lost'): Promise<void>;
  /** Sends what lies there to our bank, as providers do each night; null when nothing does. */
  payOut(): Promise<{ id: string; amountCents: Cents } | null>;
};

export type SandboxOptions = {
  /** Of the role that may write the schema `sandbox_provider`; `role` is taken after connecting, as for the product. */
  url: string;
  role?: string | null;
  fault?: SandboxFault;
  clock?: Clock;
  maxConnections?: number;
  /** Both as of the product's own database (`DatabaseOptions`). */
  slotWaitMs?: number;
  tellsSilence?: boolean;
  onError?: (error: Error) => void;
};

/** Reads `SANDBOX_FAULT`; throws one sentence for a bad value. */
export function readSandboxFault(value: string | undefined): SandboxFault {
  if (value === undefined || value === '') return 'normal';
  if (value === 'normal' || value === 'lose_reply_after_charge' || value === 'fail_before_charge') return value;
  throw new Error(`SANDBOX_FAULT must be normal, lose_reply_after_charge or fail_before_charge, not "${value}".`);
}

/** What the provider keeps of a payment: 30 cents and 2.9 %, rounded half up (rule 16). */
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
    slotWaitMs: options.slotWaitMs ?? 2000,
    statementTimeoutMs: 5000,
    onIdleError: options.onError ?? (() => undefined),
  });
  const db = new Kysely<Schema>({ dialect: postgresDialect(new SessionDriver(sessions)) });
  const silence = options.tellsSilence ? watchForSilence({ signOfLife: () => signOfLife(options.url) }) : null;
  const answered = <T>(work: () => Promise<T>) => orUnavailable(() => (silence ? silence.watch(work) : work()));

  return {
    name: 'sandbox',

    async createToken(entry) {
      const { card, behavior } = readCardEntry(entry, clock.now());
      const id = `tok_${randomBytes(18).toString('base64url')}`;
      await answered(() => books.insertToken(db, { id, behavior, card: JSON.stringify(card) }));
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

    async findCharge(question) {
      try {
        return await findOrClose(db, question.idempotencyKey);
      } catch (cause) {
        return { state: 'unknown', cause };
      }
    },

    async cardOf(token) {
      const row = await answered(() => books.findToken(db, token));
      return row && !row.used && !row.expired ? (row.card as CardFacts) : null;
    },

    async refund(request) {
      try {
        return await db.transaction().execute((tx) => refundOnce(tx, request));
      } catch (cause) {
        return { state: 'unknown', cause };
      }
    },

    async findRefund(request) {
      try {
        return await findRefund(db, request);
      } catch (cause) {
        return { state: 'unknown', cause };
      }
    },

    chargeStatus: (chargeId) => chargeStatusOf(db, chargeId),
    books: (range) => readBooks(db, range),
    listCharges: () => books.listCharges(db),

    async openDispute(chargeId, amountCents) {
      const id = `dp_${randomBytes(12).toString('base64url')}`;
      await movementsSql.insertDispute(db, {
        id,
        charge_id: chargeId,
        amount_cents: amountCents,
        reason: 'fraudulent',
      });
      return id;
    },
    closeDispute: (id, status) => movementsSql.closeDispute(db, id, status),
    payOut: () => payOut(db),
    close: () => db.destroy(),
  };
}

async function payOut(db: Kysely<Schema>) {
  const tx = await db.startTransaction().execute();
  try {
    const sent = await movementsSql.payOut(tx, `po_${randomBytes(12).toString('base64url')}`);
    await (sent ? tx.commit() : tx.rollback()).execute();
    return sent;
  } catch (error) {
    await tx.rollback().execute();
    throw error;
  }
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
  const { idempotencyKey: key, source } = request;
  const opened = books.begin(session);
  opened.catch(() => undefined);
  try {
    const claim =
      'token' in source
        ? await books.claimCharge(session, key, contentHash, source.token)
        : await books.claimSavedCharge(session, key, contentHash, source.savedCard);
    await opened;
    if (claim.claimed) return await bookOnce(session, request, 'token' in claim ? usable(claim.token) : claim.card);
    const outcome = await earlierOutcome(session, key, contentHash);
    await books.commit(session);
    return outcome;
  } catch (error) {
    // The first error is the one to tell; a session that cannot even roll back is thrown away.
    await books.rollback(session).catch(() => undefined);
    throw error;
  }
}

function usable(token: books.TokenRow | null): books.TokenRow | null {
  if (token?.used) throw new RefusedRequest(CARD_ENTRY_SPENT, 'token_already_used');
  if (token?.expired) throw new RefusedRequest(CARD_ENTRY_SPENT, 'token_expired');
  return token;
}

async function bookOnce(
  session: Kysely<Schema>,
  request: ChargeRequest,
  source: books.CardRow | null,
): Promise<ChargeOutcome> {
  if (!source) throw new RefusedRequest(CARD_ENTRY_SPENT, 'resource_missing');
  if (request.amountCents <= 0) throw new RefusedRequest(CHARGE_NOT_POSSIBLE, 'parameter_invalid_integer');
  const refusal = refusalOf(readBehavior(source.number_behaviour));
  const card = JSON.stringify(source.card);
  const savedCard = refusal ? null : await keepCard(session, request, { ...source, card });
  const charge = {
    id: `ch_${randomBytes(18).toString('base64url')}`,
    amount_cents: request.amountCents,
    fee_cents: refusal ? 0 : sandboxFee(request.amountCents),
    status: refusal ? ('declined' as const) : ('succeeded' as const),
    message: refusal?.message ?? null,
    code: refusal?.code ?? null,
    saved_card: savedCard,
  };
  const details = {
    card,
    description: request.description,
    metadata: JSON.stringify(request.metadata),
    account_organization_id: request.account?.organizationId ?? null,
  };
  const tokenId = 'token' in request.source ? request.source.token : null;
  await Promise.all([
    books.bookCharge(session, { ...charge, ...details }, { key: request.idempotencyKey, tokenId }),
    books.commit(session),
  ]);
  return outcomeOf({ ...charge, card: source.card });
}

/** The name under which the card is charged again; null when it is not to be kept. */
async function keepCard(
  session: Kysely<Schema>,
  { keepCard: holder, source }: ChargeRequest,
  charged: { number_behaviour: string; card: string },
): Promise<string | null> {
  if ('savedCard' in source) return source.savedCard;
  if (!holder) return null;
  const id = `card_${randomBytes(18).toString('base64url')}`;
  const { number_behaviour, card } = charged;
  await books.insertSavedCard(session, { id, number_behaviour, card, email: holder.email, name: holder.name });
  return id;
}

/** What an earlier request with the same key came to. The key's row was waited for, so its charge is decided. */
async function earlierOutcome(tx: Kysely<Schema>, key: string, contentHash: Buffer): Promise<ChargeOutcome> {
  const known = await books.findKey(tx, key);
  if (!known?.content_hash || !known.charge_id) {
    return {
      state: 'declined',
      message: CHARGE_NOT_POSSIBLE,
      code: 'idempotency_key_closed',
    };
  }
  if (!known.content_hash.equals(contentHash)) {
    return {
      state: 'declined',
      message: CHARGE_NOT_POSSIBLE,
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

async function refundOnce(tx: Writer, request: RefundRequest): Promise<RefundOutcome> {
  const charge = await books.lockCharge(tx, request.chargeId);
  if (charge?.status !== 'succeeded')
    return { state: 'declined', message: `No such charge: '${request.chargeId}'`, code: 'resource_missing' };
  const refundId = refundIdOf(request.idempotencyKey);
  const earlier = await books.findRefund(tx, refundId);
  if (earlier) {
    const same = earlier.charge_id === charge.id && earlier.amount_cents === request.amountCents;
    if (same) return { state: 'succeeded', refundId };
    return { state: 'declined', message: 'This key was used for another refund.', code: 'idempotency_error' };
  }
  const left = charge.amount_cents - (await books.refundedOf(tx, charge.id));
  if (left === 0)
    return {
      state: 'declined',
      message: `Charge ${charge.id} has already been refunded.`,
      code: 'charge_already_refunded',
    };
  if (request.amountCents <= 0 || request.amountCents > left) {
    return {
      state: 'declined',
      message: 'Refund amount is greater than the unrefunded amount on the charge.',
      code: 'amount_too_large',
    };
  }
  await books.insertRefund(tx, { id: refundId, charge_id: charge.id, amount_cents: request.amountCents });
  return { state: 'succeeded', refundId };
}

/** The content of a charge, whatever the order of its metadata. */
function hashContent({ source, amountCents, description, metadata, keepCard: holder, account }: ChargeRequest): Buffer {
  const sorted = Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const card = 'token' in source ? ['token', source.token] : ['saved card', source.savedCard];
  const kept = holder ? [holder.email, holder.name] : null;
  return createHash('sha256')
    .update(JSON.stringify([card, amountCents, description, sorted, kept, account?.organizationId ?? null]))
    .digest();
}
