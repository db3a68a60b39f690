/** Asks the server what the cart comes to, whenever it, the donation or the zip changes; goes on asking while no one answers. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { isWrongCode } from '#src/features/coupons/coupons.contract.ts';
import type { QuoteAnswer, Unavailable } from '#src/features/orders/orders.contract.ts';
import { api, type Refused } from '#src/web/api-client.ts';

type Asked = {
  sellerId: number;
  items: readonly CartItem[];
  passes: readonly CartItem[];
  /** Empty without one. */
  code: string;
  donation: string;
  zip: string;
};

export type Quote = {
  /** Null until the first answer, or while the cart cannot be sold as it is. */
  totals: QuoteAnswer | null;
  /** Photos that cannot be had now, by id. */
  unavailable: ReadonlyMap<number, Unavailable['reason']>;
  /** The server's price by photo id, in dollars. */
  prices: ReadonlyMap<number, number>;
  /** Why there are no totals, in words for the buyer. */
  problem: string | null;
  /** Why the code is not taken. */
  codeErrors: readonly string[];
  /** The code that the totals were asked with; empty without one, and for a wrong one. */
  code: string;
  /** After the cart turned out to be stale. */
  askAgain: () => void;
};

const SETTLE_MS = 250;
const ASK_AGAIN_MS = 3_000;

export function useQuote({ sellerId, items, passes, code: typed, donation, zip }: Asked): Quote {
  const [answer, setAnswer] = useState<Omit<Quote, 'askAgain' | 'code'>>({
    totals: null,
    unavailable: new Map(),
    prices: new Map(),
    problem: null,
    codeErrors: [],
  });
  // A wrong code is not asked for again with each change of the cart: every time would count as another wrong try.
  const [wrong, setWrong] = useState<{ code: string; errors: readonly string[] } | null>(null);
  const isWrong = typed !== '' && wrong?.code === typed;
  const code = isWrong ? '' : typed;
  const [round, setRound] = useState(0);
  const asked = JSON.stringify({
    order: { org_id: sellerId, donation, user: { zip: zip || null } },
    items: items.map((item) => ({ id: item.id, gallery_id: item.gallery_id })),
    ...passesAndCodes(passes, code),
  });
  useEffect(() => {
    const stop = new AbortController();
    let timer = setTimeout(() => void ask(), SETTLE_MS);
    const now = () => void ask();
    window.addEventListener('online', now, { signal: stop.signal });
    async function ask(): Promise<void> {
      clearTimeout(timer);
      try {
        const result = await api('POST /api/v1/orders/quote', { body: JSON.parse(asked), signal: stop.signal });
        if (result.ok) {
          const prices = new Map(result.data.items.map((item) => [item.id, item.sales_price]));
          const codeErrors = (result.data.refused_codes ?? []).map(({ error }) => error);
          if (codeErrors.some(isWrongCode)) setWrong({ code, errors: codeErrors });
          setAnswer({ totals: result.data, unavailable: new Map(), prices, problem: null, codeErrors });
          return;
        }
        // What no code can be is refused by its place in the list.
        const codeErrors = result.errors['codes'] ?? result.errors['codes.0'] ?? [];
        if (code !== '' && [...codeErrors, result.error].some(isWrongCode)) {
          setWrong({ code, errors: [result.error] });
          return;
        }
        setAnswer((before) => ({
          ...before,
          totals: null,
          unavailable: unavailableIn(result),
          problem: result.error,
          codeErrors,
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
  }, [asked, code, round]);
  const codeErrors = isWrong ? wrong.errors : answer.codeErrors;
  return { ...answer, codeErrors, code, askAgain: () => setRound((count) => count + 1) };
}

/** Left out of a call where there are none. */
export function passesAndCodes(passes: readonly CartItem[], code: string) {
  return {
    ...(passes.length > 0 && { passes: passes.map((pass) => ({ kind: 'gallery_pass', gallery_id: pass.id })) }),
    ...(code !== '' && { codes: [code] }),
  };
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
