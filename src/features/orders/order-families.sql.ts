/** Table of this module: order_families, the families whose cards were open during an order (decision record 0114). */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

/** Stores the children of the seller whose cards are open in the buyer's browser; `cards` are their hashes. */
export async function insertFamilies(
  tx: Writer,
  order: { id: number; organizationId: number; cards: readonly Buffer[] },
): Promise<void> {
  await sql`
    insert into order_families (order_id, athlete_id, organization_id, card_id)
    select ${order.id}, c.athlete_id, c.organization_id, max(c.id) from athlete_cards c
     where c.code_hash = any (${[...order.cards]}::bytea[]) and c.organization_id = ${order.organizationId}
       and c.athlete_id is not null and c.replaced_at is null and c.refused_at is null
     group by c.athlete_id, c.organization_id`.execute(tx);
}
