/** Of this module's tables: the card keys of organizations. The secret one is only ever stored sealed. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type KeptKeys = {
  allowed: boolean;
  publishableKey: string | null;
  secretSealed: Buffer | null;
  secretLast4: string | null;
};

export async function findKeys(db: Reader, organizationId: number): Promise<KeptKeys | null> {
  const row = await db
    .selectFrom('organizations as o')
    .leftJoin('organization_private as kept', 'kept.organization_id', 'o.id')
    .select(['o.can_add_custom_payment', 'o.stripe_pk', 'kept.stripe_sk_encrypted', 'kept.stripe_sk_last4'])
    .where('o.id', '=', organizationId)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    allowed: row.can_add_custom_payment,
    publishableKey: row.stripe_pk,
    secretSealed: row.stripe_sk_encrypted,
    secretLast4: row.stripe_sk_last4,
  };
}

export async function updateKeys(
  tx: Writer,
  organizationId: number,
  keys: { publishableKey: string | null; secretSealed: Buffer | null; secretLast4: string | null },
): Promise<void> {
  await sql`update organizations set stripe_pk = ${keys.publishableKey} where id = ${organizationId}`.execute(tx);
  await sql`
    insert into organization_private (organization_id, stripe_sk_encrypted, stripe_sk_last4)
    values (${organizationId}, ${keys.secretSealed}, ${keys.secretLast4})
    on conflict (organization_id) do update set stripe_sk_encrypted = excluded.stripe_sk_encrypted, stripe_sk_last4 = excluded.stripe_sk_last4`.execute(
    tx,
  );
}
