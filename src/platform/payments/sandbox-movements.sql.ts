/** What happens to the sandbox's charges afterwards: disputes, its own payouts to our bank, and all movements in their order. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { cents, type Cents } from '#src/shared/money.ts';

type DisputeRow = {
  id: string;
  amount_cents: number;
  status: 'open' | 'won' | 'lost';
  reason: string | null;
};

export async function listDisputes(db: Reader, chargeId: string): Promise<DisputeRow[]> {
  return db
    .selectFrom('sandbox_provider.disputes')
    .select(['id', 'amount_cents', 'status', 'reason'])
    .where('charge_id', '=', chargeId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Movements of one payout: after a year of inactivity a provider sends several payouts. */
const MOVEMENTS_AT_MOST = 5_000;

/**
 * Collects the oldest movements that were in no payout yet into one. Won disputes sum to zero. If the sum is not
 * positive: null, and the caller rolls back.
 */
export async function payOut(tx: Writer, id: string): Promise<{ id: string; amountCents: Cents } | null> {
  await sql`lock table sandbox_provider.payouts in share row exclusive mode`.execute(tx);
  await tx.insertInto('sandbox_provider.payouts').values({ id, amount_cents: 1 }).execute();
  const { rows } = await sql<{ amount: number }>`
    with charged as (
      update sandbox_provider.charges set payout_id = ${id}
       where id in (select id from sandbox_provider.charges
                     where payout_id is null and status = 'succeeded' and account_organization_id is null
                     order by created_at, id limit ${MOVEMENTS_AT_MOST})
      returning amount_cents - fee_cents as amount
    ), refunded as (
      update sandbox_provider.refunds set payout_id = ${id}
       where id in (select r.id from sandbox_provider.refunds r join sandbox_provider.charges c on c.id = r.charge_id
                     where r.payout_id is null and c.account_organization_id is null limit ${MOVEMENTS_AT_MOST})
      returning -amount_cents as amount
    ), disputed as (
      update sandbox_provider.disputes set payout_id = ${id}
       where id in (select d.id from sandbox_provider.disputes d join sandbox_provider.charges c on c.id = d.charge_id
                     where d.payout_id is null and d.status = 'lost' and c.account_organization_id is null limit ${MOVEMENTS_AT_MOST})
      returning -amount_cents as amount
    )
    select coalesce(sum(amount), 0)::bigint as amount
      from (select amount from charged union all select amount from refunded union all select amount from disputed) moved`.execute(
    tx,
  );
  const amount = Number(rows[0]?.amount ?? 0);
  if (amount <= 0) return null;
  await tx.updateTable('sandbox_provider.payouts').set({ amount_cents: amount }).where('id', '=', id).execute();
  return { id, amountCents: cents(amount) };
}

export type MovementRow = {
  kind: 'charge' | 'refund' | 'dispute' | 'payout';
  ref: string;
  at: Date;
  charge_id: string | null;
  key: string | null;
  order_ref: string | null;
  amount_cents: number;
  fee_cents: number;
  parts_cents: number | null;
  /** `at` as text, so that no fraction of a second is lost where a page ends. */
  key_at: string;
};

/**
 * Movements of one kind after a key, oldest first. Of disputes, those that are not won; of payouts, also the sum of the
 * movements in them.
 */
export async function listMovements(
  db: Reader,
  kind: MovementRow['kind'],
  range: { from: Date; to: Date },
  after: Pick<MovementRow, 'key_at' | 'ref'> | null,
  limit: number,
): Promise<MovementRow[]> {
  const within = (at: string, ref: string) => sql`
    ${sql.ref(at)} >= ${range.from} and ${sql.ref(at)} < ${range.to}
      and (${after === null} or (${sql.ref(at)}, ${sql.ref(ref)}) > (${after?.key_at ?? null}::timestamptz, ${after?.ref ?? ''}))
    order by ${sql.ref(at)}, ${sql.ref(ref)} limit ${limit}`;
  const ofCharge = sql`(select k.key from sandbox_provider.idempotency_keys k where k.charge_id = c.id limit 1) as key, c.metadata->>'order' as order_ref`;
  const shapes = {
    charge: sql`
      select 'charge' as kind, c.id as ref, c.created_at as at, c.created_at::text as key_at, c.id as charge_id, ${ofCharge},
             c.amount_cents, c.fee_cents, null::bigint as parts_cents
        from sandbox_provider.charges c where c.status = 'succeeded' and c.account_organization_id is null and ${within('c.created_at', 'c.id')}`,
    refund: sql`
      select 'refund' as kind, r.id as ref, r.created_at as at, r.created_at::text as key_at, c.id as charge_id, ${ofCharge},
             -r.amount_cents as amount_cents, 0 as fee_cents, null::bigint as parts_cents
        from sandbox_provider.refunds r join sandbox_provider.charges c on c.id = r.charge_id
       where c.account_organization_id is null and ${within('r.created_at', 'r.id')}`,
    dispute: sql`
      select 'dispute' as kind, d.id as ref, d.created_at as at, d.created_at::text as key_at, c.id as charge_id, ${ofCharge},
             -d.amount_cents as amount_cents, 0 as fee_cents, null::bigint as parts_cents
        from sandbox_provider.disputes d join sandbox_provider.charges c on c.id = d.charge_id
       where d.status <> 'won' and c.account_organization_id is null and ${within('d.created_at', 'd.id')}`,
    payout: sql`
      select 'payout' as kind, p.id as ref, p.created_at as at, p.created_at::text as key_at, null as charge_id, null as key, null as order_ref,
             -p.amount_cents as amount_cents, 0 as fee_cents,
             (select coalesce(sum(amount_cents - fee_cents), 0) from sandbox_provider.charges where payout_id = p.id)
             - (select coalesce(sum(amount_cents), 0) from sandbox_provider.refunds where payout_id = p.id)
             - (select coalesce(sum(amount_cents), 0) from sandbox_provider.disputes where payout_id = p.id) as parts_cents
        from sandbox_provider.payouts p where ${within('p.created_at', 'p.id')}`,
  };
  const { rows } = await sql<MovementRow>`${shapes[kind]}`.execute(db);
  return rows;
}
