/**
 * Counts what was sold of each photo, in the transaction in which its order was paid. Lists show
 * these numbers; money is read from the ledger. Called by the orders room, through the app.
 */
import { addPhotoSales } from '#src/features/photos/photo-sales.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';

/** Adds one sale for every line; none does nothing. */
export async function countPhotoSales(tx: Writer, lines: readonly { photoId: number; priceCents: number }[]): Promise<void> {
  if (lines.length > 0) await addPhotoSales(tx, lines);
}
