/** Tables of this module: promo_codes and promo_redemptions, as the office sees them. Using one is in `promo-codes.sql.ts`. */
import { sql, type Insertable } from 'kysely';
import type { CodeRow } from '#src/features/codes/issued-codes.rules.ts';
import type { Reader, Schema, Writer } from '#src/platform/db/db.ts';

const SELECT = sql`
  select p.id, json_build_object('id', o.id, 'name', o.name, 'domain_name', o.domain_name, 'time_zone', o.time_zone) as organization,
         p.code::text as code, p.uses, p.max_uses as "maxUses", p.expires_at as "expiresAt",
         p.ended_at as "endedAt", p.created_at as "createdAt", o.takes_promo_codes and o.deleted_at is null as "isAccepted"
    from promo_codes p join organizations o on o.id = p.organization_id`;

/** The newest first, after an id. */
export async function listCodes(
  db: Reader,
  { organizationId, after, limit }: { organizationId: number | null; after: number | null; limit: number },
): Promise<CodeRow[]> {
  const { rows } = await sql<CodeRow>`${SELECT}
    where ${organizationId === null ? sql`true` : sql`p.organization_id = ${organizationId}`}
      and ${after === null ? sql`true` : sql`p.id < ${after}`}
    order by p.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findCode(db: Reader, id: number): Promise<CodeRow | null> {
  const { rows } = await sql<CodeRow>`${SELECT} where p.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the code: uses of it wait. */
export async function lockCode(tx: Writer, id: number): Promise<CodeRow | null> {
  const { rows } = await sql<CodeRow>`${SELECT} where p.id = ${id} for no key update of p`.execute(tx);
  return rows[0] ?? null;
}

/** Null when the organization already has this code. `lastDay` ends in the organization's time zone. */
export async function insertCode(
  tx: Writer,
  fresh: Pick<Insertable<Schema['promo_codes']>, 'organization_id' | 'code' | 'max_uses' | 'created_by'>,
  lastDay: string | null,
  timeZone: string,
): Promise<number | null> {
  const row = await tx
    .insertInto('promo_codes')
    .values({ ...fresh, expires_at: endOf(lastDay, timeZone) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'code']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Absent fields stay. A constraint refuses a maximum below the uses. */
export async function updateCode(
  tx: Writer,
  id: number,
  {
    maxUses,
    lastDay,
    timeZone,
  }: { maxUses?: number | undefined; lastDay?: string | null | undefined; timeZone: string },
): Promise<void> {
  const values = {
    ...(maxUses === undefined ? {} : { max_uses: maxUses }),
    ...(lastDay === undefined ? {} : { expires_at: endOf(lastDay, timeZone) }),
  };
  if (Object.keys(values).length > 0) await tx.updateTable('promo_codes').set(values).where('id', '=', id).execute();
}

export async function endCode(tx: Writer, id: number): Promise<void> {
  await tx
    .updateTable('promo_codes')
    .set({ expires_at: sql<Date>`now()`, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** The first moment after a day, in a time zone. */
function endOf(lastDay: string | null, timeZone: string) {
  return lastDay === null ? null : sql<Date>`((${lastDay}::date + 1)::timestamp at time zone ${timeZone})`;
}

type RedemptionRow = { id: number; redeemedAt: Date; account: { id: number; name: string } | null };

/** The newest first, after an id. */
export async function listRedemptions(
  db: Reader,
  { codeId, after, limit }: { codeId: number; after: number | null; limit: number },
): Promise<RedemptionRow[]> {
  const { rows } = await sql<RedemptionRow>`
    select r.id, r.redeemed_at as "redeemedAt", case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end as account
      from promo_redemptions r left join organizations o on o.id = r.redeemed_by
     where r.promo_code_id = ${codeId} and ${after === null ? sql`true` : sql`r.id < ${after}`}
     order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Organizations that accept codes, by name. */
export function listAccepting(db: Reader, limit: number) {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'domain_name as domainName', 'time_zone as timeZone'])
    .where('takes_promo_codes', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}
