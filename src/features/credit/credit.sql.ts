/** Tables of this module: credit_codes, credit_movements and credit_uses. */
import { sql } from 'kysely';
import type { SpentCredit } from '#src/features/credit/credit.rules.ts';
import { spendableOf, type DisputedCode, type MoneyAndBonus } from '#src/features/credit/disputed-credit.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** The balance of code `c`, less what pending orders have reserved and what is being refunded to its card. */
const FREE = sql<number>`(
  coalesce((select sum(m.cents) from credit_movements m where m.code_id = c.id), 0)
  - coalesce((select sum(u.cents) from credit_uses u where u.code_id = c.id and u.state = 'reserved'), 0)
  - coalesce((select sum(a.amount_cents) from payment_attempts a
               where a.order_id = c.order_id and a.kind = 'refund' and a.state in ('created', 'sent', 'unknown')), 0))::int`;
/** Of the order of credit `o`: the part that no one has spent or reserved. */
export const UNUSED_CREDIT = sql<number>`(select greatest(0, ${FREE}) from credit_codes c where c.order_id = o.id)`;
const BONUS = sql<number>`(
  coalesce((select sum(m.bonus_cents) from credit_movements m where m.code_id = c.id), 0)
  - coalesce((select sum(u.bonus_cents) from credit_uses u where u.code_id = c.id and u.state = 'reserved'), 0))::int`;
const disputed = (status: 'open' | 'lost') => sql<number>`
  coalesce((select sum(d.amount_cents) from payment_disputes d where d.order_id = c.order_id and d.status = ${sql.lit(status)}), 0)::int`;
const takenForDisputes = (column: 'cents' | 'bonus_cents') => sql<number>`
  coalesce((select 0 - sum(m.${sql.raw(column)}) from credit_movements m where m.code_id = c.id and m.kind = 'disputed'), 0)::int`;
/** A `DisputedCode`: of code `c`, which the order `o` bought. */
const DISPUTED_CODE = sql`
  c.paid_cents as "paidCents", c.bonus_cents as "soldBonusCents", ${FREE} as "freeCents", ${BONUS} as "freeBonusCents",
  o.refunded_cents as "refundedCents", ${disputed('open')} as "openCents", ${disputed('lost')} as "lostCents",
  ${takenForDisputes('cents')} as "keptCents", ${takenForDisputes('bonus_cents')} as "keptBonusCents"`;
/** Sold, and not fully refunded; of a disputed one something may be left. */
const IS_OPEN = sql<boolean>`o.status in ('paid', 'partially_refunded', 'disputed')`;

type FoundCode = MoneyAndBonus & {
  id: number;
  organizationId: number;
  hash: string;
  last4: string;
  bonusUntil: string | null;
  processor: 'platform' | 'custom';
};
type CodeRow = DisputedCode &
  Omit<FoundCode, keyof MoneyAndBonus> & {
    isDisputed: boolean;
    /** A bonus ends on a day in the time zone of the seller of the credit. */
    isBonusOver: boolean;
  };

const FOUND = sql`
  select c.id, c.organization_id as "organizationId", encode(c.code_hash, 'hex') as hash, c.last4, c.bonus_until::text as "bonusUntil",
         c.processor, o.status = 'disputed' as "isDisputed",
         coalesce(c.bonus_until < (now() at time zone s.time_zone)::date, false) as "isBonusOver", ${DISPUTED_CODE}
    from credit_codes c join orders o on o.id = c.order_id join organizations s on s.id = c.organization_id`;

/** With what can be spent of each. A disputed code of which nothing can be spent is none. */
function openCodes(rows: readonly CodeRow[]): FoundCode[] {
  return rows.flatMap(({ id, organizationId, hash, last4, bonusUntil, processor, ...row }) => {
    const { cents, bonusCents: bonus } = spendableOf(row);
    const bonusCents = row.isBonusOver ? 0 : bonus;
    if (row.isDisputed && cents + bonusCents === 0) return [];
    return [{ id, organizationId, hash, last4, bonusUntil, processor, cents, bonusCents }];
  });
}

/** Codes that can be spent, by their hashes. */
export async function findOpenCodes(db: Reader, hashes: readonly Buffer[]): Promise<FoundCode[]> {
  const { rows } = await sql<CodeRow>`
    ${FOUND} where c.code_hash = any (${[...hashes]}::bytea[]) and ${IS_OPEN}`.execute(db);
  return openCodes(rows);
}

/** Locks codes, always in the same order. A later statement then reads what stays true. */
export async function lockCodes(tx: Writer, ids: readonly number[]): Promise<void> {
  await sql`select from credit_codes where id = any (${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
}

/** What can be spent of these codes now. */
export async function listOpenCodes(db: Reader, ids: readonly number[]): Promise<FoundCode[]> {
  const { rows } = await sql<CodeRow>`${FOUND} where c.id = any (${[...ids]}::bigint[]) and ${IS_OPEN}`.execute(db);
  return openCodes(rows);
}

/** The order's own status says whether it is already used: an order without a charge is never pending. */
export async function insertUses(tx: Writer, orderId: number, spent: readonly SpentCredit[]): Promise<void> {
  await sql`
    insert into credit_uses (order_id, code_id, organization_id, cents, bonus_cents, state)
    select o.id, u.code_id, o.organization_id, u.cents, u.bonus_cents, case o.status when 'pending' then 'reserved' else 'used' end
      from orders o, unnest(${spent.map(({ id }) => id)}::bigint[], ${spent.map((one) => one.cents)}::integer[],
                            ${spent.map(({ bonusCents }) => bonusCents)}::integer[]) as u (code_id, cents, bonus_cents)
     where o.id = ${orderId} order by u.code_id`.execute(tx);
}

/** What a failed order had reserved. */
export async function listReleased(db: Reader, orderId: number) {
  const { rows } = await sql<{ id: number; cents: number; bonusCents: number }>`
    select code_id as id, cents, bonus_cents as "bonusCents" from credit_uses
     where order_id = ${orderId} and state = 'released'`.execute(db);
  return rows;
}

export async function reserveAgain(tx: Writer, orderId: number): Promise<void> {
  await sql`update credit_uses set state = 'reserved', at = now() where order_id = ${orderId} and state = 'released'`.execute(
    tx,
  );
}

type UsedCode = {
  id: number;
  organizationId: number;
  isHeld: boolean;
  cents: number;
  bonusCents: number;
  returnedCents: number;
  returnedBonusCents: number;
};

/** The codes that paid for an order, with what each got back. */
export async function listUsed(db: Reader, orderId: number): Promise<UsedCode[]> {
  const { rows } = await sql<UsedCode>`
    select c.id, c.organization_id as "organizationId", c.processor = 'platform' as "isHeld", u.cents, u.bonus_cents as "bonusCents",
           coalesce(back.cents, 0)::int as "returnedCents", coalesce(back.bonus, 0)::int as "returnedBonusCents"
      from credit_uses u join credit_codes c on c.id = u.code_id
     cross join lateral (select sum(m.cents) as cents, sum(m.bonus_cents) as bonus from credit_movements m
                          where m.code_id = c.id and m.order_id = u.order_id and m.kind = 'returned') back
     where u.order_id = ${orderId} and u.state = 'used' order by c.id`.execute(db);
  return rows;
}

type Movement = {
  codeId: number;
  organizationId: number;
  orderId: number;
  kind: 'returned' | 'refunded' | 'disputed' | 'paid_out';
  cents: number;
  bonusCents: number;
};

/** Returns their ids, in the given order. A balance below zero is a check violation (23514). */
export async function insertMovements(tx: Writer, movements: readonly Movement[]): Promise<number[]> {
  if (movements.length === 0) return [];
  const rows = await tx
    .insertInto('credit_movements')
    .values(
      movements.map(({ codeId, organizationId, orderId, kind, cents, bonusCents }) => ({
        code_id: codeId,
        organization_id: organizationId,
        order_id: orderId,
        kind,
        cents,
        bonus_cents: bonusCents,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export type NewCode = {
  organizationId: number;
  orderId: number;
  hash: Buffer;
  sealed: Buffer;
  last4: string;
  paidCents: number;
  bonusCents: number;
  bonusUntil: string | null;
  processor: 'platform' | 'custom';
};

export async function insertCode(tx: Writer, code: NewCode): Promise<number> {
  const row = await tx
    .insertInto('credit_codes')
    .values({
      organization_id: code.organizationId,
      order_id: code.orderId,
      code_hash: code.hash,
      code_encrypted: code.sealed,
      last4: code.last4,
      paid_cents: code.paidCents,
      bonus_cents: code.bonusCents,
      bonus_until: code.bonusUntil,
      processor: code.processor,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Locks the code of an order of credit, and returns it with what no one has spent or reserved; null where there is none. */
export async function lockCodeOf(tx: Writer, orderId: number) {
  await sql`select from credit_codes where order_id = ${orderId} for no key update`.execute(tx);
  const { rows } = await sql<{ id: number; organizationId: number; unusedCents: number; bonusCents: number }>`
    select c.id, c.organization_id as "organizationId", ${FREE} as "unusedCents",
           coalesce((select sum(m.bonus_cents) from credit_movements m where m.code_id = c.id), 0)::int as "bonusCents"
      from credit_codes c where c.order_id = ${orderId}`.execute(tx);
  return rows[0] ?? null;
}

/** The balance of all codes of a seller, including reserved amounts, and codes sold over its own Stripe account. */
export async function sumUnspent(db: Reader, organizationId: number): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(m.cents), 0)::bigint as cents from credit_codes c join credit_movements m on m.code_id = c.id
     where c.organization_id = ${organizationId}`.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Codes that an order took money of, and the one that it bought, if a dispute of their charge was lost. */
export async function lockLost(tx: Writer, orderId: number) {
  const ofOrder = sql`(c.order_id = ${orderId} or c.id in (select code_id from credit_uses where order_id = ${orderId}))
    and exists (select from payment_disputes d where d.order_id = c.order_id and d.status = 'lost')`;
  await sql`select from credit_codes c where ${ofOrder} order by c.id for no key update`.execute(tx);
  const { rows } = await sql<DisputedCode & { id: number; organizationId: number; boughtBy: number; isHeld: boolean }>`
    select c.id, c.organization_id as "organizationId", c.order_id as "boughtBy", c.processor = 'platform' as "isHeld", ${DISPUTED_CODE}
      from credit_codes c join orders o on o.id = c.order_id where ${ofOrder} order by c.id`.execute(tx);
  return rows;
}
