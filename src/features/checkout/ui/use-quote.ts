/** Asks the server what the cart comes to, whenever it, the donation or the zip changes; goes on asking while no one answers. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import type { QuoteAnswer, Unavailable } from '#src/features/orders/orders.contract.ts';
import { callApi, type Refused } from '#src/web/api-client.ts';

type Asked = { sellerId: number; items: readonly CartItem[]; donation: string; zip: string };

export type Quote = {
  /** Null until the first answer, or while the cart cannot be sold as it is. */
  totals: QuoteAnswer | null;
  /** Photos that cannot be had now, by id. */
  unavailable: ReadonlyMap<number, Unavailable['reason']>;
  /** The server's price by photo id, in dollars. */
  prices: ReadonlyMap<number, number>;
  /** Why there are no totals, in words for the buyer. */
  problem: string | null;
  /** After the cart turned out to be stale. */
  askAgain: () => void;
};

const SETTLE_MS = 250;
const ASK_AGAIN_MS = 3_000;

export function useQuote({ sellerId, items, donation, zip }: Asked): Quote {
  const [answer, setAnswer] = useState<Omit<Quote, 'askAgain'>>({
    totals: null,
    unavailable: new Map(),
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
    let timer = setTimeout(() => void ask(), SETTLE_MS);
    const now = () => void ask();
    window.addEventListener('online', now, { signal: stop.signal });
    async function ask(): Promise<void> {
      clearTimeout(timer);
      try {
        const result = await callApi<QuoteAnswer>('POST', '/api/v1/orders/quote', {
          body: JSON.parse(asked),
          signal: stop.signal,
        });
        if (result.ok) {
          const prices = new Map(result.data.items.map((item) => [item.id, item.sales_price]));
          setAnswer({ totals: result.data, unavailable: new Map(), prices, problem: null });
          return;
        }
        setAnswer((before) => ({
          ...before,
          totals: null,
          unavailable: unavailableIn(result),
          problem: result.error,
        }));
        if (result.status === 0 || result.status === 429 || result.status >= 500)
          timer = setTimeout(now, Math.max(ASK_AGAIN_MS, (result.retryAfterSeconds ?? 0) * 1_000));
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

function unavailableIn({ body }: Refused): Map<number, Unavailable['reason']> {
  const told = body['unavailable'];
  if (!Array.isArray(told)) return new Map();
  return new Map((told as Unavailable[]).map(({ id, reason }) => [id, reason]));
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Whether the browser believes that it has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
