/** Table of this module: subscriptions. An organization has at most one that is not ended. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { columnsOf } from '#src/shared/field-names.ts';
import type { CardFacts } from '#src/platform/payments/payments.ts';

const COLUMNS = [
  'id',
  'organization_id as organizationId',
  'plan',
  'price_cents as priceCents',
  'status',
  'period_start as periodStart',
  'period_end as periodEnd',
  'charge_on as chargeOn',
  'declines',
  'announced_end as announcedEnd',
  'payer_name as payerName',
  'payer_email as payerEmail',
  'saved_card as savedCard',
  'card_brand as cardBrand',
  'card_last4 as cardLast4',
  'stopped_at as stoppedAt',
] as const;

/** The facts about the subscribing organization for emails and rules. */
export type Subscriber = {
  id: number;
  name: string;
  path: string;
  hostLabel: string;
  freeTier: boolean;
  accent: string;
  timeZone: string;
  isDeleted: boolean;
};

/**
 * Locks the organization, before any of its payments: opening and settling an upgrade wait for each other here. Null
 * for an unknown organization.
 */
export async function lockSubscriber(tx: Writer, organizationId: number): Promise<Subscriber | null> {
  const { rows } = await sql<Subscriber>`
    select o.id, o.name, o.domain_name as path, coalesce(p.domain_name, o.domain_name) as "hostLabel", o.free_tier as "freeTier",
           o.primary_color as accent, o.time_zone as "timeZone", o.deleted_at is not null as "isDeleted"
      from organizations o left join organizations p on p.id = o.parent_organization_id
     where o.id = ${organizationId}
       for no key update of o`.execute(tx);
  return rows[0] ?? null;
}

type NewSubscription = Pick<Subscription, 'organizationId' | 'plan' | 'priceCents' | 'payerName' | 'payerEmail'> & {
  period: { start: Date; end: Date };
  savedCard: string | null;
  card: CardFacts;
};

export async function insertSubscription(tx: Writer, { card, period, ...fresh }: NewSubscription): Promise<number> {
  const row = await tx
    .insertInto('subscriptions')
    .values({
      ...columnsOf(fresh),
      status: 'active',
      period_start: period.start,
      period_end: period.end,
      charge_on: period.end,
      card_brand: card.brand,
      card_last4: card.last4,
      card_exp_month: card.expMonth,
      card_exp_year: card.expYear,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const live = (db: Reader) => db.selectFrom('subscriptions').select(COLUMNS).where('status', '<>', 'ended');
export type Subscription = Awaited<ReturnType<ReturnType<typeof live>['execute']>>[number];

export async function findLive(db: Reader, organizationId: number): Promise<Subscription | null> {
  return (await live(db).where('organization_id', '=', organizationId).executeTakeFirst()) ?? null;
}

/** An active subscription, locked. */
export function lockLive(tx: Writer, id: number) {
  return live(tx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** That of an organization, locked: an erasure of its payer may change it meanwhile. */
export function lockLiveOf(tx: Writer, organizationId: number) {
  return live(tx).where('organization_id', '=', organizationId).forUpdate().executeTakeFirst();
}

/** Active ones whose card is due now and is not being charged, and stopped ones whose period is over. */
export async function listDue(db: Reader, now: Date, limit: number): Promise<{ id: number; organizationId: number }[]> {
  return db
    .selectFrom('subscriptions as s')
    .select(['s.id', 's.organization_id as organizationId'])
    .where('s.status', '<>', 'ended')
    .where((eb) =>
      eb.or([
        eb('s.charge_on', '<=', now),
        eb.and([eb('s.stopped_at', 'is not', null), eb('s.period_end', '<=', now)]),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_payments as p')
            .select('p.id')
            .whereRef('p.subscription_id', '=', 's.id')
            .where('p.state', 'in', ['created', 'sent', 'unknown']),
        ),
      ),
    )
    .orderBy('s.charge_on')
    .limit(limit)
    .execute();
}

/** Active ones that renew, whose period ends before `before` and was not announced by email. */
export async function listUnannounced(db: Reader, { now, before, limit }: { now: Date; before: Date; limit: number }) {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'organization_id as organizationId'])
    .where('status', '=', 'active')
    .where('period_end', '<=', before)
    .where('period_end', '>', now)
    .where('stopped_at', 'is', null)
    .where(sql<boolean>`announced_end is distinct from period_end`)
    .orderBy('period_end')
    .limit(limit)
    .execute();
}

export async function markAnnounced(tx: Writer, id: number, periodEnd: Date): Promise<void> {
  await tx.updateTable('subscriptions').set({ announced_end: periodEnd }).where('id', '=', id).execute();
}

/** Continues for another paid period. */
export async function renew(tx: Writer, id: number, period: { start: Date; end: Date }): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ status: 'active', period_start: period.start, period_end: period.end, charge_on: period.end, declines: 0 })
    .where('id', '=', id)
    .execute();
}

export async function markPastDue(tx: Writer, id: number, next: { chargeOn: Date; declines: number }): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ status: 'past_due', charge_on: next.chargeOn, declines: next.declines })
    .where('id', '=', id)
    .execute();
}

/** Tries again later; the card was not at fault. */
export async function postponeCharge(tx: Writer, id: number, chargeOn: Date): Promise<void> {
  await tx.updateTable('subscriptions').set({ charge_on: chargeOn }).where('id', '=', id).execute();
}

/** `stoppedAt` null: it renews. */
export async function setStopped(tx: Writer, id: number, next: { stoppedAt: Date | null; chargeOn: Date }) {
  await tx
    .updateTable('subscriptions')
    .set({ stopped_at: next.stoppedAt, charge_on: next.chargeOn })
    .where('id', '=', id)
    .execute();
}

export async function markEnded(tx: Writer, id: number, endedAt: Date): Promise<void> {
  await tx.updateTable('subscriptions').set({ status: 'ended', ended_at: endedAt }).where('id', '=', id).execute();
}
