/** Sold photos that a family no longer allows (athletes specification B.5). */
import { sql, type RawBuilder } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

/**
 * Whether a consent hides a photo from the buyer of the order `o`, because of a `child` that is not the buyer's own
 * (`is_order_of_family`).
 */
const isHiddenFromBuyer = (how: RawBuilder<unknown>, photoId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (
  select from photo_withholdings w join athletes child on child.id = w.source_id
   where w.photo_id = ${photoId} and w.cause = 'consent' and ${how}
     and not is_order_of_family(o.id, o.email_address, child.id))`;

/** The same for a photo of a pass of the order. */
export function isWithdrawn(photoId: RawBuilder<unknown>): RawBuilder<boolean> {
  return isHiddenFromBuyer(sql`child.consent = 'no'`, photoId);
}

/**
 * Whether a child on the photo of `line`, a line of the order `o`, must not be published by its family's own decision.
 * The child's own family keeps what it bought. The default for `unknown`, a `family` consent, a request to hide and a
 * hold do not affect buyers.
 */
export const IS_WITHDRAWN = isWithdrawn(sql.ref('line.photo_id'));

/**
 * Closes the lines of an order that is being paid whose photos a consent now hides from its buyer, and returns them.
 * The photos are locked: hiding one waits until after the sale.
 */
export async function closeHiddenLines(
  tx: Writer,
  order: { id: number; organizationId: number },
  photoIds: readonly number[],
): Promise<{ id: number; gallery_id: number }[]> {
  const { rows } = await sql<{ id: number; gallery_id: number }>`
    update order_photos line set revoked_at = now()
      from orders o
     where line.order_id = ${order.id} and line.organization_id = ${order.organizationId} and line.photo_id = any (${[...photoIds]}::bigint[])
       and line.revoked_at is null and o.id = line.order_id and o.organization_id = line.organization_id
       and ${isHiddenFromBuyer(sql`true`, sql.ref('line.photo_id'))}
    returning line.photo_id as id, line.gallery_id`.execute(tx);
  return rows;
}
