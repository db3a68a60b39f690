/** The orders of a payout, fetched when they are asked for, page by page. */
import { useState } from 'react';
import type { PayoutLinesPage } from '#src/features/payouts/payouts.contract.ts';
import { callApi } from '#src/web/api-client.ts';

export type OrdersOfPayout = {
  lines: PayoutLinesPage['lines'];
  /** Null: all are there. */
  next: number | null;
  isLoading: boolean;
  failure: string | null;
  /** The next page; the first one, at first. */
  load: () => Promise<void>;
};

export function usePayoutOrders(payoutId: number): OrdersOfPayout {
  const [lines, setLines] = useState<PayoutLinesPage['lines']>([]);
  const [next, setNext] = useState<number | null>(0);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function load(): Promise<void> {
    setLoading(true);
    setFailure(null);
    const query = next === null || next === 0 ? '' : `?after=${next}`;
    const answer = await callApi<PayoutLinesPage>('GET', `/api/v1/payouts/${payoutId}/orders${query}`);
    setLoading(false);
    if (!answer.ok) return setFailure(answer.error);
    setLines((known) => [...known, ...answer.data.lines]);
    setNext(answer.data.next);
  }

  return { lines, next, isLoading, failure, load };
}
