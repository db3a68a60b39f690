/** Table of this module: account_payments. A payment is decided once, under its row's lock. */
import { sql } from 'kysely';
import type {
  AccountPayment,
  ChargedFacts,
  PaymentKind,
  SubscribedPlan,
} from '#src/features/billing/subscriptions.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { cents } from '#src/shared/money.ts';

const UNDECIDED = ['created', 'sent', 'unknown'] as const;

const COLUMNS = [
  'id',
  'kind',
  'organization_id',
  'subscription_id',
  'idempotency_key',
  'amount_cents',
  'period_start',
  'sent_at',
  'payer_name',
  'payer_email',
] as const;

type Row = {
  id: number;
  kind: PaymentKind;
  organization_id: number | null;
  subscription_id: number | null;
  idempotency_key: string;
  amount_cents: number;
  period_start: Date | null;
  sent_at: Date | null;
  payer_name: string;
  payer_email: string;
};

function readRow(row: Row): AccountPayment {
  return {
    id: row.id,
    kind: row.kind,
    organizationId: row.organization_id,
    subscriptionId: row.subscription_id,
    idempotencyKey: row.idempotency_key,
    amountCents: cents(row.amount_cents),
    periodStart: row.period_start,
    sentAt: row.sent_at,
    payerName: row.payer_name,
    payerEmail: row.payer_email,
  };
}

export type NewPayment = {
  kind: PaymentKind;
  organizationId: number | null;
  userId: number | null;
  subscriptionId: number | null;
  plan: SubscribedPlan;
  amountCents: number;
  idempotencyKey: string;
  periodStart: Date | null;
  payerName: string;
  payerEmail: string;
};

/** Writes a payment that is about to be sent. Null when another one of this upgrade or period is in the way. */
export async function insertPayment(tx: Writer, payment: NewPayment): Promise<AccountPayment | null> {
  const row = await tx
    .insertInto('account_payments')
    .values({
      kind: payment.kind,
      organization_id: payment.organizationId,
      user_id: payment.userId,
      subscription_id: payment.subscriptionId,
      plan: payment.plan,
      amount_cents: payment.amountCents,
      idempotency_key: payment.idempotencyKey,
      period_start: payment.periodStart,
      payer_name: payment.payerName,
      payer_email: payment.payerEmail,
      state: 'sent',
      sent_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** Marks a payment as succeeded; null when it was decided before. Waits for a transaction that is deciding it. */
export async function markSucceeded(tx: Writer, id: number, facts: ChargedFacts): Promise<AccountPayment | null> {
  const row = await tx
    .updateTable('account_payments')
    .set({
      state: 'succeeded',
      provider_ref: facts.chargeId,
      fee_cents: facts.feeCents,
      saved_card: facts.savedCard,
      card_brand: facts.card.brand,
      card_last4: facts.card.last4,
      card_exp_month: facts.card.expMonth,
      card_exp_year: facts.card.expYear,
      error: null,
      decided_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

/** Marks a payment as failed; null when it was decided before. */
export async function markFailed(tx: Writer, id: number, message: string): Promise<AccountPayment | null> {
  const row = await tx
    .updateTable('account_payments')
    .set({ state: 'failed', error: message, decided_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ? readRow(row) : null;
}

export async function markUnknown(tx: Writer, id: number, cause: string): Promise<void> {
  await tx
    .updateTable('account_payments')
    .set({ state: 'unknown', error: cause })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .execute();
}

export type KeptPayment = AccountPayment & { facts: ChargedFacts };

const FACTS = [
  'provider_ref',
  'fee_cents',
  'saved_card',
  'card_brand',
  'card_last4',
  'card_exp_month',
  'card_exp_year',
] as const;

/** Gives a paid sign-up to the account that was made. Null when it is being refunded, or was kept already. */
export async function attachToAccount(tx: Writer, id: number, account: { organizationId: number; userId: number }) {
  const row = await tx
    .updateTable('account_payments')
    .set({ organization_id: account.organizationId, user_id: account.userId })
    .where('id', '=', id)
    .where('kind', '=', 'sign_up')
    .where('state', '=', 'succeeded')
    .where('organization_id', 'is', null)
    .returning([...COLUMNS, ...FACTS])
    .executeTakeFirst();
  if (!row) return null;
  const facts: ChargedFacts = {
    chargeId: row.provider_ref ?? '',
    feeCents: row.fee_cents === null ? null : cents(row.fee_cents),
    savedCard: row.saved_card,
    card: {
      brand: row.card_brand ?? 'unknown',
      last4: row.card_last4 ?? '',
      expMonth: row.card_exp_month ?? 0,
      expYear: row.card_exp_year ?? 0,
    },
  };
  return { ...readRow(row), facts };
}

/** Says what a first payment has bought. */
export async function attachToSubscription(
  tx: Writer,
  id: number,
  bought: { subscriptionId: number; periodStart: Date },
): Promise<void> {
  await tx
    .updateTable('account_payments')
    .set({ subscription_id: bought.subscriptionId, period_start: bought.periodStart })
    .where('id', '=', id)
    .execute();
}

/** Notes the charge that waits for its holder's bank. */
export async function markWaitingForHolder(tx: Writer, id: number, chargeId: string): Promise<void> {
  await tx
    .updateTable('account_payments')
    .set({ provider_ref: chargeId })
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .execute();
}

export type UndecidedPayment = { payment: AccountPayment; chargeId: string | null; outForSeconds: number };

/** A payment that is not decided, and for how long it has been out by the database's clock. */
export async function findUndecided(db: Reader, id: number): Promise<UndecidedPayment | null> {
  const row = await db
    .selectFrom('account_payments')
    .select([...COLUMNS, 'provider_ref'])
    .select(sql<number>`extract(epoch from now() - coalesce(sent_at, created_at))::float8`.as('out_for_seconds'))
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .executeTakeFirst();
  return row ? { payment: readRow(row), chargeId: row.provider_ref, outForSeconds: row.out_for_seconds } : null;
}

export type LeftBehind = { id: number; what: 'undecided' | 'refunding' | 'without_account' };

/**
 * What no one is busy with any more, by the database's clock, newest first: charges without an outcome, refunds that
 * did not come through, and paid sign-ups whose account never came.
 */
export async function listLeftBehind(
  db: Reader,
  { undecidedSeconds, accountSeconds, limit }: { undecidedSeconds: number; accountSeconds: number; limit: number },
): Promise<LeftBehind[]> {
  const { rows } = await sql<LeftBehind>`
    (select id, case state when 'refunding' then 'refunding' else 'undecided' end as what from account_payments
      where state in ('created', 'sent', 'unknown', 'refunding')
        and created_at < now() - make_interval(secs => ${undecidedSeconds}::float8)
      order by created_at desc limit ${limit})
    union all
    (select id, 'without_account' from account_payments
      where state = 'succeeded' and organization_id is null
        and decided_at < now() - make_interval(secs => ${accountSeconds}::float8)
      order by decided_at desc limit ${limit})`.execute(db);
  return rows;
}

/** The status of the newest upgrade of an organization; null when there was none. */
export async function findLastUpgrade(db: Reader, organizationId: number) {
  const row = await db
    .selectFrom('account_payments')
    .select(['id', 'state', 'error'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'upgrade')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether a payment of this organization waits for its outcome. */
export async function hasUndecided(db: Reader, organizationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('account_payments')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('state', 'in', UNDECIDED)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Decides that a charge is refunded, under `refundKey`. False for a sign-up that has its account. */
export async function markRefunding(tx: Writer, id: number, refundKey: string): Promise<boolean> {
  const row = await tx
    .updateTable('account_payments')
    .set({ state: 'refunding', refund_key: refundKey })
    .where('id', '=', id)
    .where('state', '=', 'succeeded')
    .where((eb) => eb.or([eb('kind', '<>', 'sign_up'), eb('organization_id', 'is', null)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export type Refunding = {
  id: number;
  chargeId: string;
  amountCents: number;
  refundKey: string;
  feeCents: number | null;
};

/** What is to be refunded for this payment, if anything. */
export async function findRefunding(db: Reader, id: number): Promise<Refunding | null> {
  const row = await db
    .selectFrom('account_payments')
    .select(['id', 'provider_ref', 'amount_cents', 'refund_key', 'fee_cents'])
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .executeTakeFirst();
  if (!row || row.provider_ref === null || row.refund_key === null) return null;
  return {
    id: row.id,
    chargeId: row.provider_ref,
    amountCents: row.amount_cents,
    refundKey: row.refund_key,
    feeCents: row.fee_cents,
  };
}

export async function markRefunded(tx: Writer, id: number, refundId: string | null): Promise<boolean> {
  const row = await tx
    .updateTable('account_payments')
    .set({ state: 'refunded', refund_ref: refundId, refunded_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
