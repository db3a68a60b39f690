/**
 * How much of a refund belongs to each photo, and to the donation. (Tax, platform and organization: `refundEntries` in
 * ledger/ledger.rules.ts.) After the tax's part (money M8) the rest is divided, cent by cent, over the lines in order,
 * then the passes' galleries, then the donation: a full refund returns each exactly. Reports do the same in SQL
 * (reports/sold-parts.sql.ts).
 */
import type { CountedSale } from '#src/features/orders/orders.rules.ts';

type SoldParts = {
  /** In the order of their ids. */
  lines: readonly { photoId: number; galleryId: number; priceCents: number }[];
  passes: readonly { galleries: readonly { galleryId: number; priceCents: number }[] }[];
  taxCents: number;
  donationCents: number;
  donationGalleryId: number | null;
};

/** The part of every price, and finally of the donation, for this refund of the order. They sum to the refund without its tax. */
export function refundParts(prices: readonly number[], taxCents: number, refundedCents: number): number[] {
  const base = prices.reduce((sum, price) => sum + price, 0);
  if (base === 0) return prices.map(() => 0);
  const total = base + taxCents;
  const back = refundedCents - portion(taxCents, refundedCents, total);
  let upto = 0;
  return prices.map((price) => {
    const before = portion(upto, back, base);
    upto += price;
    return portion(upto, back, base) - before;
  });
}

/** Rounded down, in integer arithmetic. */
function portion(part: number, of: number, whole: number): number {
  return Number((BigInt(part) * BigInt(of)) / BigInt(whole));
}

/** What the sales counters lose when the refund of an order grows; a photo counts as sold until everything is refunded. */
export function refundedSale(order: SoldParts, refunded: { beforeCents: number; afterCents: number }): CountedSale {
  const passParts = order.passes.flatMap((pass) => pass.galleries);
  const prices = [...[...order.lines, ...passParts].map((part) => part.priceCents), order.donationCents];
  const total = prices.reduce((sum, price) => sum + price, order.taxCents);
  const before = refundParts(prices, order.taxCents, refunded.beforeCents);
  const after = refundParts(prices, order.taxCents, refunded.afterCents);
  const lost = after.map((cents, index) => -(cents - (before[index] ?? 0)) + 0);
  const isWhole = refunded.afterCents >= total && refunded.beforeCents < total;
  const donated = lost.at(-1) ?? 0;
  return {
    count: isWhole ? -1 : 0,
    lines: order.lines.map((line, index) => ({ ...line, priceCents: lost[index] ?? 0 })),
    passParts: passParts.map((part, index) => ({ ...part, priceCents: lost[order.lines.length + index] ?? 0 })),
    donation:
      order.donationGalleryId === null || donated === 0 ? null : { galleryId: order.donationGalleryId, cents: donated },
  };
}
