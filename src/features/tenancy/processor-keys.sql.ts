/** The card keys of organizations. The secret one is only ever stored encrypted. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export async function findKeys(db: Reader, organizationId: number) {
  return db
    .selectFrom('organizations as o')
    .leftJoin('organization_private as p', 'p.organization_id', 'o.id')
    .select([
      'o.can_add_custom_payment as allowed',
      'o.stripe_pk as publishableKey',
      'p.stripe_sk_encrypted as secretSealed',
    ])
    .where('o.id', '=', organizationId)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst();
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
