/** What may happen in a random history of money. */
import { isProblem } from '#src/shared/problem.ts';

export type Loss = 'none' | 'before' | 'after';
/** One visitor's cart; `twice`: sent three times concurrently. */
export type Purchase = {
  seller: number;
  photos: number;
  donation: number;
  taxed: boolean;
  card: 'good' | 'poor';
  loss: Loss;
  twice: boolean;
  lateFee: number;
  /** Of a seller with a price sheet: the whole gallery, too, and the code that takes a fifth off. */
  pass: boolean;
  code: boolean;
  /** One of the credit codes that may be spent at this seller; null for none. */
  credit: number | null;
};
/** Someone buys credit of a seller, or of the first seller's parent. */
export type CreditPurchase = {
  seller: number;
  cents: number;
  bonus: number;
  card: 'good' | 'poor';
  loss: Loss;
  twice: boolean;
};
export type Step =
  /** Visitors who buy at the same moment. */
  | { do: 'buy'; carts: readonly Purchase[] }
  | ({ do: 'buy credit' } & CreditPurchase)
  | { do: 'refund'; order: number; part: number; loss: Loss; times: number; elsewhere: boolean }
  /** Some photos of an order, by their places, or its pass. */
  | { do: 'refund photos'; order: number; photos: readonly number[]; pass: boolean; loss: Loss; times: number }
  | { do: 'dispute'; order: number; half: boolean }
  | { do: 'close'; order: number; won: boolean }
  | { do: 'pay out'; presses: number }
  | { do: 'decide'; payout: number; arrives: boolean }
  | { do: 'return'; payout: number }
  | { do: 'settle'; seller: number; presses: number }
  | { do: 'upgrade' }
  | { do: 'transfer' };

/** The entry that a random number selects; undefined if there is none. */
export function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)];
}

/** A refusal is a valid response; anything else is a bug of ours. */
export async function refusable<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (isProblem(error) && error.code !== 'unavailable') return null;
    throw error;
  });
}
