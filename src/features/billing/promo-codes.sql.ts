/** Tables of this module: promo_codes (uses), promo_redemptions. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Whether the organization accepts codes and this one may still be used. Codes are compared ignoring case. */
export async function codeIsUsable(db: Reader, organizationId: number, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('promo_codes as promo')
    .innerJoin('organizations as owner', 'owner.id', 'promo.organization_id')
    .select('promo.id')
    .where('promo.organization_id', '=', organizationId)
    .where('promo.code', '=', code)
    .where('owner.takes_promo_codes', '=', true)
    .where('owner.deleted_at', 'is', null)
    .whereRef('promo.uses', '<', 'promo.max_uses')
    .where((eb) => eb.or([eb('promo.expires_at', 'is', null), eb('promo.expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a code once, even with simultaneous requests. False if it may not be used. */
export async function redeem(tx: Writer, organizationId: number, code: string, redeemedBy: number) {
  const used = await tx
    .updateTable('promo_codes')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('code', '=', code)
    .whereRef('uses', '<', 'max_uses')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('organizations as owner')
          .select('owner.id')
          .where('owner.id', '=', organizationId)
          .where('owner.takes_promo_codes', '=', true)
          .where('owner.deleted_at', 'is', null),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  if (!used) return false;
  await tx
    .insertInto('promo_redemptions')
    .values({ promo_code_id: used.id, organization_id: organizationId, redeemed_by: redeemedBy })
    .execute();
  return true;
}
