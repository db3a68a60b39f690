/** Tables of this module: allowance_uses, and allowances as orders use them. */
import { sql } from 'kysely';
import type { IncludedPhotos } from '#src/features/offers/price-question.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** What is left on a day, in the order of use. */
export async function listLeft(db: Reader, athleteIds: readonly number[], today: string): Promise<IncludedPhotos[]> {
  const { rows } = await sql<IncludedPhotos>`
    select id as "allowanceId", photos - used as photos, sheet_id as "sheetId" from allowances
     where athlete_id = any (${[...athleteIds]}::bigint[]) and used < photos and (ends_on is null or ends_on >= ${today}::date)
     order by sheet_id is null, ends_on nulls last, id`.execute(db);
  return rows;
}

type Use = { allowanceId: number; photos: number };
const usesOf = (uses: readonly Use[]) => sql`
  unnest(${uses.map(({ allowanceId }) => allowanceId)}::bigint[], ${uses.map(({ photos }) => photos)}::integer[]) as use (allowance_id, photos)`;

/** Other orders that want to use them wait until this transaction ends. */
export async function lockAllowances(tx: Writer, ids: readonly number[]): Promise<void> {
  await sql`select from allowances where id = any (${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
}

/** Whether enough is left of each allowance. Call `lockAllowances` before. */
export async function areLeft(tx: Writer, uses: readonly Use[]): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
    select not exists (select from ${usesOf(uses)} left join allowances a on a.id = use.allowance_id
                        where a.id is null or a.photos - a.used < use.photos) as left`.execute(tx);
  return rows[0]?.left ?? false;
}

/** Reserves the photos for a pending order. An order that costs nothing is paid immediately: they are used. */
export async function insertUses(tx: Writer, orderId: number, uses: readonly Use[]): Promise<void> {
  await sql`
    insert into allowance_uses (order_id, allowance_id, organization_id, photos, state)
    select o.id, use.allowance_id, o.organization_id, use.photos, case o.status when 'pending' then 'reserved' else 'used' end
      from orders o, ${usesOf(uses)} where o.id = ${orderId}`.execute(tx);
}

/** The uses that a failed order has released. */
export async function listReleased(tx: Reader, orderId: number): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select allowance_id as "allowanceId", photos from allowance_uses
     where order_id = ${orderId} and state = 'released'`.execute(tx);
  return rows;
}

export async function reserveAgain(tx: Writer, orderId: number): Promise<void> {
  await sql`update allowance_uses set state = 'reserved', at = now() where order_id = ${orderId} and state = 'released'`.execute(
    tx,
  );
}
