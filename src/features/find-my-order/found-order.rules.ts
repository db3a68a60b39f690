import type { OrderStatus } from '#src/features/orders/orders.contract.ts';

/** An order as the email to its buyer names it. */
export type FoundOrder = {
  id: number;
  vanityId: string;
  status: OrderStatus;
  email: string;
  totalCents: number;
  createdAt: Date;
  photos: number;
  seller: { name: string; path: string; hostLabel: string };
};

const STANDINGS: Partial<Record<OrderStatus, string>> = {
  refunded: 'refunded',
  partially_refunded: 'partly refunded',
  disputed: 'disputed',
};

/** "refunded"; null for an order of which there is nothing to say. */
export function standingWord(status: OrderStatus): string | null {
  return STANDINGS[status] ?? null;
}
