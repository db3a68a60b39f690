/** A paid order as the counters of photos and galleries take it. */
/** What was sold, for the counters; or, with negative amounts, what was refunded of it. */
export type CountedSale = {
  /** How often each line was sold: once; -1 when it is taken back, 0 when only part of its price is. */
  count?: -1 | 0 | 1;
  lines: readonly { photoId: number; galleryId: number; priceCents: number }[];
  /** Null without a donation. */
  donation: { galleryId: number; cents: number } | null;
};

/** One sale for every line. */
export function salesByPhoto({
  lines,
  count = 1,
}: CountedSale): { photoId: number; count: number; salesCents: number }[] {
  return lines.map((line) => ({ photoId: line.photoId, count, salesCents: line.priceCents }));
}

/** Lines summed by gallery; the donation counts for the gallery it was given to, sold from or not. */
export function salesByGallery({
  lines,
  donation,
  count = 1,
}: CountedSale): { galleryId: number; photos: number; salesCents: number; donationCents: number }[] {
  const sums = new Map<number, { galleryId: number; photos: number; salesCents: number; donationCents: number }>();
  const sumOf = (galleryId: number) => {
    const sum = sums.get(galleryId) ?? { galleryId, photos: 0, salesCents: 0, donationCents: 0 };
    sums.set(galleryId, sum);
    return sum;
  };
  for (const line of lines) {
    sumOf(line.galleryId).photos += count;
    sumOf(line.galleryId).salesCents += line.priceCents;
  }
  if (donation) sumOf(donation.galleryId).donationCents += donation.cents;
  return [...sums.values()];
}
