/** Table of this module: coupon_uses, and coupons as buyers use them. */
import { sql } from 'kysely';
import type { CouponFacts } from '#src/features/coupons/coupons.rules.ts';
import type { CouponTerms } from '#src/features/offers/price-question.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type UsableCoupon = CouponTerms & CouponFacts & { isMadeUp: boolean };

/**
 * `person` is null while the buyer is unknown. Uses of an ended code are not counted, so that it takes no longer than
 * an unknown one.
 */
const couponFor = (person: Buffer | null) => sql`
  c.id, c.code, c.is_made_up as "isMadeUp", c.kind, c.value, c.minimum_cents as "minimumCents", c.gallery_ids as "galleryIds", c.sheet_ids as "sheetIds",
  c.first_day::text as "firstDay", c.last_day::text as "lastDay", c.ended_at as "endedAt", o.time_zone as "timeZone",
  c.max_uses as "maxUses", c.max_per_person as "maxPerPerson",
  case when c.max_uses is null or c.ended_at is not null then 0 else
    (select count(*) from coupon_uses u where u.coupon_id = c.id and u.state <> 'released')::integer end as uses,
  case when c.max_per_person is null then 0 else
    (select count(*) from coupon_uses u where u.coupon_id = c.id and u.person = ${person}::bytea and u.state <> 'released')::integer end as "usesOfPerson"`;

/** The seller's coupons with these codes, one statement for all. */
export async function findByCodes(
  db: Reader,
  organizationId: number,
  { codes, person }: { codes: readonly string[]; person: Buffer | null },
): Promise<UsableCoupon[]> {
  const { rows } = await sql<UsableCoupon>`
    select ${couponFor(person)}
      from coupons c join organizations o on o.id = c.organization_id
     where c.organization_id = ${organizationId} and c.code = any (${[...codes]}::text[])`.execute(db);
  return rows;
}

/**
 * Locks a coupon: other orders that want to use it wait until this transaction ends. A count in a later statement
 * includes all earlier uses.
 */
export async function lockCoupon(tx: Writer, couponId: number): Promise<void> {
  await sql`select from coupons where id = ${couponId} for no key update`.execute(tx);
}

/** Locks the coupon whose use this order released; null where there is none. */
export async function lockReleased(tx: Writer, orderId: number): Promise<{ couponId: number; person: Buffer } | null> {
  const { rows } = await sql<{ couponId: number; person: Buffer }>`
    select u.coupon_id as "couponId", u.person
      from coupon_uses u join coupons c on c.id = u.coupon_id
     where u.order_id = ${orderId} and u.state = 'released' for no key update of c`.execute(tx);
  return rows[0] ?? null;
}

export async function findCoupon(db: Reader, couponId: number, person: Buffer): Promise<UsableCoupon | null> {
  const { rows } = await sql<UsableCoupon>`
    select ${couponFor(person)} from coupons c join organizations o on o.id = c.organization_id
     where c.id = ${couponId}`.execute(db);
  return rows[0] ?? null;
}

type NewUse = { couponId: number; orderId: number; person: Buffer; soldCents: number; savedCents: number };

/** The order's own status says whether it is already used: an order that costs nothing is never pending. */
export async function insertUse(tx: Writer, { couponId, orderId, person, soldCents, savedCents }: NewUse) {
  await sql`
    insert into coupon_uses (order_id, coupon_id, organization_id, person, state, sold_cents, saved_cents)
    select o.id, ${couponId}::bigint, o.organization_id, ${person}::bytea, case o.status when 'pending' then 'reserved' else 'used' end,
           ${soldCents}::integer, ${savedCents}::integer
      from orders o where o.id = ${orderId}`.execute(tx);
}

export async function reserveAgain(tx: Writer, orderId: number): Promise<void> {
  await sql`update coupon_uses set state = 'reserved', at = now() where order_id = ${orderId} and state = 'released'`.execute(
    tx,
  );
}
