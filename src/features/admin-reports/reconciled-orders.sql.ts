/** The mark "reconciled" on an order: who set it, and when. */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

export type Mark = { orderId: number; reconciled: boolean; userId: number; at: Date };

/**
 * Sets the mark or takes it away on an order that was sold. Null where there is none; `changed` is false where it stood so already,
 * and then the first one who set it stays on record.
 */
export async function markOrder(
  tx: Writer,
  { orderId, reconciled, userId, at }: Mark,
): Promise<{ organizationId: number; changed: boolean } | null> {
  const { rows } = await sql<{ organization_id: number; changed: boolean }>`
    with found as (
      select id, organization_id, (reconciled_at is not null) <> ${reconciled} as changed from orders
       where id = ${orderId} and paid_at is not null and status in ('paid', 'partially_refunded', 'refunded', 'disputed') for update
    ), marked as (
      update orders o set reconciled_at = ${reconciled ? at : null}::timestamptz, reconciled_by = ${reconciled ? userId : null}::bigint
        from found where o.id = found.id and found.changed
    )
    select organization_id, changed from found`.execute(tx);
  const [row] = rows;
  return row ? { organizationId: row.organization_id, changed: row.changed } : null;
}
