/**
 * A card provider for trials: it has its own books and its own connections, follows the rules that Stripe documents,
 * and moves no money. Active only without Stripe keys.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Kysely } from 'kysely';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import { orUnavailable, signOfLife, watchForSilence } from '#src/platform/db/connection-faults.ts';
import type { Schema, Writer } from '#src/platform/db/db.ts';
import { SessionDriver, postgresDialect, createSessionPool } from '#src/platform/db/kysely-driver.ts';
import { readCardEntry, type CardEntry } from '#src/platform/payments/card-entry.ts';
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
  type Unknown,
  type FoundRefund,
  type ChargeStatus,
  type BookLine,
  type BookRange,
} from '#src/platform/payments/payments.ts';
import { transact } from '#src/platform/db/transact.ts';
import * as books from '#src/platform/payments/sandbox-books.sql.ts';
import * as movementsSql from '#src/platform/payments/sandbox-movements.sql.ts';
import { cents, portionHalfUp, type Cents } from '#src/shared/money.ts';
import { readPages } from '#src/shared/paging.ts';

/** Faults for tests: a reply that is lost after the money moved, or a failure before anything happened. */
export type SandboxFault = 'normal' | 'lose_reply_after_charge' | 'fail_before_charge';

type SandboxToken = { id: string; card: { brand: string; last4: string; exp_month: number; exp_year: number } };

export type SandboxProvider = PaymentProvider & {
  readonly name: 'sandbox';
  /**
   * Stores what the number does, its brand and last four digits: never the number, never the code. @throws as
   * `readCardEntry`.
   */
  createToken(entry: CardEntry): Promise<SandboxToken>;
  /** Pays the balance out to our bank, as providers do each night; null if there is none. */
  payOut(): Promise<{ id: string; amountCents: Cents } | null>;
};

type SandboxOptions = {
  /** Of the role that may write the schema `sandbox_provider`; `role` is assumed after connecting, as for the product. */
  url: string;
  role?: string | null;
  fault?: SandboxFault;
  clock?: Clock;
  maxConnections?: number;
  /** Both as of the product's own database (`DatabaseOptions`). */
  slotWaitMs?: number;
  reportsSilence?: boolean;
  onError?: (error: Error) => void;
};

/** Parses `SANDBOX_FAULT`; throws one sentence for a bad value. */
export function readSandboxFault(value: string | undefined): SandboxFault {
  if (value === undefined || value === '') return 'normal';
  if (value === 'normal' || value === 'lose_reply_after_charge' || value === 'fail_before_charge') return value;
  throw new Error(`SANDBOX_FAULT must be normal, lose_reply_after_charge or fail_before_charge, not "${value}".`);
}

/** The provider's fee for a payment: 30 cents and 2.9 %, rounded half up (rule 16). */
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
    // What is done about an answer is written later to the same log: in a crash both stay, or the answer goes alone.
    waitsForDisk: false,
    onIdleError: options.onError ?? (() => undefined),
  });
  const driver = new SessionDriver(sessions);
  const dialect = postgresDialect(driver);
  const db = new Kysely<Schema>({ dialect });
  const inTransaction = <T>(work: (tx: Writer) => Promise<T>) =>
    transact({ kysely: db, dialect, driver }, ['begin'], work);
  const silence = options.reportsSilence ? watchForSilence({ signOfLife: () => signOfLife(options.url) }) : null;
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
        return { state: 'unknown', cause: new Error('the sandbox failed before the charge, as configured') };
      try {
        const outcome = await chargeOnce(db, request);
        if (fault === 'lose_reply_after_charge')
          return { state: 'unknown', cause: new Error('the sandbox lost its reply, as configured') };
        return outcome;
      } catch (error) {
        return { state: 'unknown', cause: error };
      }
    },

    findCharge: (question) => orUnknown(findOrClose(db, question.idempotencyKey)),

    async cardOf(token) {
      const row = await answered(() => books.findToken(db, token));
      return row && !row.used && !row.expired ? (row.card as CardFacts) : null;
    },

    refund: (request) => orUnknown(inTransaction((tx) => refundOnce(tx, request))),

    findRefund: (request) => orUnknown(findRefund(db, request)),

    chargeStatus: (chargeId) => chargeStatusOf(db, chargeId),
    books: (range) => readBooks(db, range),
    payOut: () => payOut(db),
    close: () => db.destroy(),
  };
}

/** After any failure the outcome is unknown. */
const orUnknown = <Outcome>(outcome: Promise<Outcome>): Promise<Outcome | Unknown> =>
  outcome.catch((cause: unknown) => ({ state: 'unknown', cause }));

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

/** Books the charge in one statement. If that books nothing, an earlier request has decided, or nothing can be charged. */
async function chargeOnce(db: Kysely<Schema>, request: ChargeRequest): Promise<ChargeOutcome> {
  const contentHash = hashContent(request);
  const charge = request.amountCents > 0 ? await book(db, request, contentHash) : undefined;
  if (charge) return outcomeOf(charge);
  const known = await books.findKey(db, request.idempotencyKey);
  return known ? earlierOutcome(db, known, contentHash) : refusalOfRequest(db, request);
}

const refused = (message: string, code: string) => ({ state: 'declined' as const, message, code });

/** Such requests were never valid, so their key stays free, as with Stripe. */
async function refusalOfRequest(db: Kysely<Schema>, { source, amountCents }: ChargeRequest) {
  const token = 'token' in source ? await books.findToken(db, source.token) : undefined;
  const isThere = 'savedCard' in source ? await books.hasSavedCard(db, source.savedCard) : token !== undefined;
  if (!isThere) return refused(CARD_ENTRY_SPENT, 'resource_missing');
  if (!token?.used && token?.expired) return refused(CARD_ENTRY_SPENT, 'token_expired');
  return amountCents > 0 || token?.used
    ? refused(CARD_ENTRY_SPENT, 'token_already_used')
    : refused(CHARGE_NOT_POSSIBLE, 'parameter_invalid_integer');
}

function book(db: Kysely<Schema>, request: ChargeRequest, contentHash: Buffer) {
  const { source, keepCard, amountCents } = request;
  const keeps = keepCard && 'token' in source ? keepCard : null;
  return books.bookCharge(
    db,
    {
      id: `ch_${randomBytes(18).toString('base64url')}`,
      amountCents,
      feeCents: sandboxFee(amountCents),
      description: request.description,
      metadata: JSON.stringify(request.metadata),
      accountOrganizationId: request.account?.organizationId ?? null,
    },
    {
      key: request.idempotencyKey,
      contentHash,
      tokenId: 'token' in source ? source.token : null,
      // A new card is saved under a new id; a saved card is charged again under its own.
      savedCard: 'savedCard' in source ? source.savedCard : null,
      keeps: keeps && { ...keeps, id: `card_${randomBytes(18).toString('base64url')}` },
    },
  );
}

/** The outcome of an earlier request with the same key. Key and charge are written together, so it is decided. */
async function earlierOutcome(
  db: Kysely<Schema>,
  known: NonNullable<Awaited<ReturnType<typeof books.findKey>>>,
  contentHash: Buffer,
): Promise<ChargeOutcome> {
  if (!known.content_hash || !known.charge_id) return refused(CHARGE_NOT_POSSIBLE, 'idempotency_key_closed');
  if (!known.content_hash.equals(contentHash)) return refused(CHARGE_NOT_POSSIBLE, 'idempotency_error');
  return outcomeOf(await chargeOf(db, known.charge_id));
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

/** The content of a charge, independent of the order of its metadata. */
function hashContent({ source, amountCents, description, metadata, keepCard: holder, account }: ChargeRequest): Buffer {
  const sorted = Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const card = 'token' in source ? ['token', source.token] : ['saved card', source.savedCard];
  const kept = holder ? [holder.email, holder.name] : null;
  return createHash('sha256')
    .update(JSON.stringify([card, amountCents, description, sorted, kept, account?.organizationId ?? null]))
    .digest();
}

function outcomeOf(charge: books.ChargeRow): Extract<ChargeOutcome, { state: 'succeeded' | 'declined' }> {
  if (charge.status === 'declined')
    return { state: 'declined', message: charge.message ?? '', code: charge.code ?? '' };
  return {
    state: 'succeeded',
    chargeId: charge.id,
    feeCents: cents(charge.fee_cents),
    card: charge.card as CardFacts,
    savedCard: charge.saved_card,
  };
}

/** The key is the refund's id, so that the same key cannot refund twice. */
function refundIdOf(idempotencyKey: string): string {
  return `re_${createHash('sha256').update(idempotencyKey).digest('base64url').slice(0, 24)}`;
}

async function findRefund(db: Kysely<Schema>, request: RefundRequest): Promise<FoundRefund> {
  const refundId = refundIdOf(request.idempotencyKey);
  const found = await books.findRefund(db, refundId);
  return found ? { state: 'succeeded', refundId } : { state: 'absent' };
}

/** Everything about one charge. @throws if there is no such charge */
async function chargeStatusOf(db: Kysely<Schema>, chargeId: string): Promise<ChargeStatus> {
  const charge = await books.findCharge(db, chargeId);
  if (!charge) throw new Error(`the sandbox knows no charge ${chargeId}`);
  const [key, refunded, disputes] = [
    await books.findKeyOf(db, chargeId),
    await books.refundedOf(db, chargeId),
    await movementsSql.listDisputes(db, chargeId),
  ];
  return {
    idempotencyKey: key,
    outcome: outcomeOf(charge),
    amountCents: cents(charge.amount_cents),
    refundedCents: cents(refunded),
    disputes: disputes.map(({ id, amount_cents, status, reason }) => ({
      id,
      amountCents: cents(amount_cents),
      status,
      reason,
    })),
  };
}

const LINES_A_PAGE = 1_000;
const KINDS = ['charge', 'refund', 'dispute', 'payout'] as const;

/** Page by page, so that a year of charges needs no more memory than a day of them. */
async function* readBooks(db: Kysely<Schema>, range: BookRange): AsyncGenerator<readonly BookLine[]> {
  for (const kind of KINDS) {
    const pages = readPages(LINES_A_PAGE, (last: movementsSql.MovementRow | null) =>
      movementsSql.listMovements(db, kind, range, last, LINES_A_PAGE),
    );
    for await (const rows of pages) yield rows.map(lineOf);
  }
}

function lineOf(row: movementsSql.MovementRow): BookLine {
  return {
    ref: row.ref,
    kind: row.kind,
    at: row.at,
    chargeRef: row.charge_id,
    idempotencyKey: row.key,
    orderRef: row.order_ref,
    amountCents: cents(Number(row.amount_cents)),
    feeCents: cents(row.fee_cents),
    partsCents: row.parts_cents === null ? null : cents(Number(row.parts_cents)),
  };
}
