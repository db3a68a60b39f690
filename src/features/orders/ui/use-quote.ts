/** Asks the server what the cart comes to, whenever it, the donation or the zip changes. */
import { useEffect, useState } from 'react';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { callApi } from '#src/web/api-client.ts';

type Asked = { sellerId: number; items: readonly CartItem[]; donation: string; zip: string };

export type Quote = {
  /** Null until the first answer, or while the cart cannot be sold as it is. */
  totals: QuoteAnswer | null;
  /** Ids of photos that are no longer to be had. */
  missingIds: readonly number[];
  /** The server's price by photo id, in dollars. */
  prices: ReadonlyMap<number, number>;
  /** Why there are no totals, in words for the buyer. */
  problem: string | null;
  /** After the prices changed. */
  askAgain: () => void;
};

const SETTLE_MS = 250;

export function useQuote({ sellerId, items, donation, zip }: Asked): Quote {
  const [answer, setAnswer] = useState<Omit<Quote, 'askAgain'>>({
    totals: null,
    missingIds: [],
    prices: new Map(),
    problem: null,
  });
  const [round, setRound] = useState(0);
  const asked = JSON.stringify({
    order: { org_id: sellerId, donation, user: { zip: zip || null } },
    items: items.map((item) => ({ id: item.id, gallery_id: item.gallery_id })),
  });
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => void ask(), SETTLE_MS);
    async function ask(): Promise<void> {
      try {
        const result = await callApi<QuoteAnswer>('POST', '/api/v1/orders/quote', {
          body: JSON.parse(asked),
          signal: stop.signal,
        });
        if (result.ok) {
          const prices = new Map(result.data.items.map((item) => [item.id, item.sales_price]));
          setAnswer({ totals: result.data, missingIds: [], prices, problem: null });
        } else {
          const ids = result.body['ids'];
          setAnswer((before) => ({
            ...before,
            totals: null,
            missingIds: Array.isArray(ids) ? ids.map(Number) : [],
            problem: result.error,
          }));
        }
      } catch {
        // Another question is on its way.
      }
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, round]);
  return { ...answer, askAgain: () => setRound((count) => count + 1) };
}
