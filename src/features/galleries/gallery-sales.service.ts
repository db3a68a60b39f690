/**
 * Counts what galleries have sold and been given, in the transaction in which the order was paid.
 * The goal bar and the lists show these numbers; money is read from the ledger. Called through the app.
 */
import { addGallerySales, type GallerySales } from '#src/features/galleries/gallery-sales.sql.ts';
import type { Writer } from '#src/platform/db/db.ts';

export type SoldLine = { galleryId: number; priceCents: number };

/** Sums the lines by gallery and adds the donation to its own; one statement. */
export async function countGallerySales(tx: Writer, lines: readonly SoldLine[], donation: { galleryId: number; cents: number } | null): Promise<void> {
  const byGallery = new Map<number, GallerySales>();
  const of = (galleryId: number) => {
    const sales = byGallery.get(galleryId) ?? { galleryId, photos: 0, salesCents: 0, donationCents: 0 };
    byGallery.set(galleryId, sales);
    return sales;
  };
  for (const line of lines) {
    const sales = of(line.galleryId);
    sales.photos += 1;
    sales.salesCents += line.priceCents;
  }
  if (donation) of(donation.galleryId).donationCents += donation.cents;
  if (byGallery.size > 0) await addGallerySales(tx, [...byGallery.values()]);
}
