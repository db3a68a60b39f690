/** Table of this module: account_payments. A payment is decided once, under its row's lock. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountPayment, ChargedFacts, SubscribedPlan } from '#src/features/billing/subscriptions.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { columnsOf } from '#src/shared/field-names.ts';
import { cents } from '#src/shared/money.ts';

const UNDECIDED = ['created', 'sent', 'unknown'] as const;

const COLUMNS = [
  'id',
  'kind',
  'organization_id as organizationId',
  'subscription_id as subscriptionId',
  'idempotency_key as idempotencyKey',
  'amount_cents as amountCents',
  'period_start as periodStart',
  'sent_at as sentAt',
  'payer_name as payerName',
  'payer_email as payerEmail',
] as const;

type NewPayment = Pick<AccountPayment, 'kind' | 'organizationId' | 'subscriptionId' | 'payerName' | 'payerEmail'> & {
  userId: number | null;
  plan: SubscribedPlan;
  amountCents: number;
  periodStart: Date | null;
};

const paymentOf = (row: (Omit<AccountPayment, 'amountCents'> & { amountCents: number }) | undefined) =>
  row ? { ...row, amountCents: cents(row.amountCents) } : null;

/** Writes a payment that is about to be sent, with its own key. Null if another payment of this upgrade or period exists. */
export async function insertPayment(tx: Writer, payment: NewPayment): Promise<AccountPayment | null> {
  const row = await tx
    .insertInto('account_payments')
    .values({
      ...columnsOf(payment),
      idempotency_key: randomUUID(),
      state: 'sent',
      sent_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return paymentOf(row);
}

/** Marks a payment as succeeded; null when it was already decided. Waits for a transaction that is deciding it. */
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
  return paymentOf(row);
}

/** Marks a payment as failed; null when it was already decided. */
export async function markFailed(tx: Writer, id: number, message: string): Promise<AccountPayment | null> {
  const row = await tx
    .updateTable('account_payments')
    .set({ state: 'failed', error: message, decided_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .returning(COLUMNS)
    .executeTakeFirst();
  return paymentOf(row);
}

export async function markUnknown(tx: Writer, id: number, cause: string): Promise<void> {
  await tx
    .updateTable('account_payments')
    .set({ state: 'unknown', error: cause })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .execute();
}

const FACTS = [
  'provider_ref',
  'fee_cents',
  'saved_card',
  'card_brand',
  'card_last4',
  'card_exp_month',
  'card_exp_year',
] as const;

/** Attaches a paid sign-up to the created account. Null when it is being refunded, or is already attached. */
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
  const payment = paymentOf(row);
  if (!row || !payment) return null;
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
  return { ...payment, facts };
}

/** Stores what a first payment has bought. */
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

/** When a subscription began. */
export async function firstPeriodStart(db: Reader, { id, organizationId }: { id: number; organizationId: number }) {
  const row = await db
    .selectFrom('account_payments')
    .select('period_start')
    .where('organization_id', '=', organizationId)
    .where('subscription_id', '=', id)
    .where('period_start', 'is not', null)
    .orderBy('period_start')
    .limit(1)
    .executeTakeFirst();
  return row?.period_start ?? undefined;
}

/** Stores the charge that waits for 3-D Secure. */
export async function markWaitingForHolder(tx: Writer, id: number, chargeId: string): Promise<void> {
  await tx
    .updateTable('account_payments')
    .set({ provider_ref: chargeId })
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .execute();
}

/** An undecided payment, and how long it has been out by the database's clock. */
export async function findUndecided(db: Reader, id: number) {
  const row = await db
    .selectFrom('account_payments')
    .select([...COLUMNS, 'provider_ref'])
    .select(sql<number>`extract(epoch from now() - coalesce(sent_at, created_at))::float8`.as('out_for_seconds'))
    .where('id', '=', id)
    .where('state', 'in', UNDECIDED)
    .executeTakeFirst();
  const payment = paymentOf(row);
  return row && payment ? { payment, chargeId: row.provider_ref, outForSeconds: row.out_for_seconds } : null;
}

type LeftBehind = { id: number; what: 'undecided' | 'refunding' | 'without_account' };

/**
 * What no request is working on now, by the database's clock, newest first: charges without an outcome, failed refunds,
 * and paid sign-ups without an account.
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

/** The status of the newest upgrade of an organization, if there was one. */
export function findLastUpgrade(db: Reader, organizationId: number) {
  return db
    .selectFrom('account_payments')
    .select(['state', 'error'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'upgrade')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
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

/** Decides that a charge is refunded, with `refundKey`. False for a sign-up that has its account. */
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

/** What must be refunded for this payment, if anything. */
export async function findRefunding(db: Reader, id: number) {
  const row = await db
    .selectFrom('account_payments')
    .select(['provider_ref as chargeId', 'amount_cents', 'refund_key as refundKey', 'fee_cents'])
    .where('id', '=', id)
    .where('state', '=', 'refunding')
    .executeTakeFirst();
  if (!row || row.chargeId === null || row.refundKey === null) return null;
  const feeCents = row.fee_cents === null ? null : cents(row.fee_cents);
  return { chargeId: row.chargeId, refundKey: row.refundKey, amountCents: cents(row.amount_cents), feeCents };
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
