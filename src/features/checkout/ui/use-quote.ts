/** Requests the price of the cart whenever it, the donation or the zip changes, and retries while there is no response. */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { isWrongCode, tidyCode } from '#src/features/coupons/coupons.contract.ts';
import type { QuoteAnswer, Unavailable } from '#src/features/orders/orders.contract.ts';
import { api, type Refused } from '#src/web/api-client.ts';

type QuoteRequest = {
  sellerId: number;
  items: readonly CartItem[];
  passes: readonly CartItem[];
  codes: readonly string[];
  donation: string;
  zip: string;
  /** Photos of the cart that moved, by their old id: they are bought where they are now. */
  onMoved: (moved: Moved) => void;
};

export type Moved = ReadonlyMap<number, NonNullable<Unavailable['moved_to']>>;

type Quote = {
  /** Null until the first response, or while the cart cannot be sold as it is. */
  totals: QuoteAnswer | null;
  /** The subtotal that the buyer saw before, if it changed for the same cart and codes: both are shown. */
  subtotalBefore: number | null;
  /** Photos that are not available now, by id. */
  unavailable: ReadonlyMap<number, Unavailable['reason']>;
  /** The server's price by photo id, in dollars. */
  prices: ReadonlyMap<number, number>;
  /** Why there are no totals, for the buyer. */
  problem: string | null;
  /** Why codes are not accepted. */
  codeErrors: readonly string[];
  /** The accepted codes: those that were sent, less the refused ones. */
  codes: readonly string[];
  /** Whether a code was refused as unknown, ended or not begun. */
  isWrong: (code: string) => boolean;
  /** Called when the cart turned out to be stale. */
  reload: () => void;
};

type Answer = Omit<Quote, 'reload' | 'codes' | 'isWrong'> & {
  refused: readonly string[];
  /** The cart and codes of the last totals, and their subtotal. */
  seen: { cart: string; subtotal: number } | null;
};

const NO_ANSWER: Answer = {
  totals: null,
  subtotalBefore: null,
  seen: null,
  unavailable: new Map(),
  prices: new Map(),
  problem: null,
  codeErrors: [],
  refused: [],
};
const SETTLE_MS = 250;
const POLL_EVERY_MS = 3_000;

export function useQuote({ sellerId, items, passes, codes: typed, donation, zip, onMoved }: QuoteRequest): Quote {
  const [answer, setAnswer] = useState(NO_ANSWER);
  // A wrong code is not sent again when the cart changes, because each request would count as another wrong try.
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map());
  const codes = typed.filter((code) => !wrong.has(code));
  const [round, setRound] = useState(0);
  const follow = useEffectEvent(onMoved);
  const body = JSON.stringify({
    order: { org_id: sellerId, donation, user: { zip: zip || null } },
    items: items.map((item) => ({ id: item.id, gallery_id: item.gallery_id })),
    ...passesAndCodes(passes, codes),
  });
  // With what the buyer typed, not what is sent: a code that ends while the cart is open has changed the price.
  const cart = JSON.stringify([items.map(({ id }) => id), passesAndCodes(passes, typed)]);
  useEffect(() => {
    const stop = new AbortController();
    const { codes: sent = [] } = JSON.parse(body) as { codes?: string[] };
    const noteWrong = (found: readonly { code: string; error: string }[]) =>
      setWrong((before) => new Map([...before, ...found.map(({ code, error }) => [code, error] as const)]));
    let timer = setTimeout(() => void load(), SETTLE_MS);
    const now = () => void load();
    window.addEventListener('online', now, { signal: stop.signal });
    async function load(): Promise<void> {
      clearTimeout(timer);
      try {
        const result = await api('POST /api/v1/orders/quote', { body: JSON.parse(body), signal: stop.signal });
        if (result.ok) {
          const prices = new Map(result.data.items.map((item) => [item.id, item.sales_price]));
          const { refused_codes: refusedCodes = [] } = result.data;
          noteWrong(refusedCodes.filter(({ error }) => isWrongCode(error)));
          const unusable = refusedCodes.filter(({ error }) => !isWrongCode(error));
          const codeErrors = unusable.map(({ error }) => error);
          const refused = unusable.map(({ code }) => code);
          const shown = { totals: result.data, unavailable: new Map(), prices, problem: null, codeErrors, refused };
          setAnswer((before) => ({ ...shown, ...withSubtotal(before, cart, result.data.subtotal) }));
          return;
        }
        // Codes with an invalid format are refused by their index in the list.
        const wrongHere = sent.flatMap((code, at) => {
          const error = result.errors[`codes.${at}`]?.[0] ?? (isWrongCode(result.error) ? result.error : null);
          return error !== null && isWrongCode(error) ? [{ code, error }] : [];
        });
        if (wrongHere.length > 0) {
          noteWrong(wrongHere);
          return;
        }
        const moved = movedIn(result);
        // The cart changes, which requests its price.
        if (moved.size > 0) return follow(moved);
        const codeErrors = result.errors['codes'] ?? [];
        setAnswer((before) => ({
          ...before,
          totals: null,
          unavailable: unavailableIn(result),
          problem: result.error,
          codeErrors,
        }));
        if (result.status === 0 || result.status === 429 || result.status >= 500)
          timer = setTimeout(now, Math.max(POLL_EVERY_MS, (result.retryAfterSeconds ?? 0) * 1_000));
      } catch {
        // Another request is running.
      }
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body, cart, round]);
  const { refused, seen, ...rest } = answer;
  const wrongErrors = typed.flatMap((code) => wrong.get(code) ?? []);
  return {
    ...rest,
    subtotalBefore: seen?.cart === cart ? answer.subtotalBefore : null,
    codeErrors: [...new Set([...wrongErrors, ...answer.codeErrors])],
    // The response has coupons in their normal spelling, whatever was typed.
    codes: codes.filter((code) => !refused.includes(code) && !refused.includes(tidyCode(code) ?? code)),
    isWrong: (code) => wrong.has(code),
    reload: () => setRound((count) => count + 1),
  };
}

/** Any answer may have another price, even one that was requested only because the zip was typed. */
function withSubtotal({ seen, subtotalBefore }: Answer, cart: string, subtotal: number) {
  if (seen?.cart !== cart) return { seen: { cart, subtotal }, subtotalBefore: null };
  return { seen: { cart, subtotal }, subtotalBefore: seen.subtotal === subtotal ? subtotalBefore : seen.subtotal };
}

const wantedPass = ({ gallery_id, athlete_key }: CartItem) =>
  athlete_key === undefined
    ? { kind: 'gallery_pass' as const, gallery_id }
    : { kind: 'athlete_pass' as const, gallery_id, athlete_key };

/** Left out of a call if there are none. */
export function passesAndCodes(passes: readonly CartItem[], codes: readonly string[]) {
  return {
    ...(passes.length > 0 && { passes: passes.map(wantedPass) }),
    ...(codes.length > 0 && { codes }),
  };
}

const listUnavailable = ({ body: { unavailable } }: Refused): readonly Unavailable[] =>
  Array.isArray(unavailable) ? (unavailable as Unavailable[]) : [];

const unavailableIn = (refused: Refused) => new Map(listUnavailable(refused).map(({ id, reason }) => [id, reason]));

/** Where photos of a refused cart are now, by their old id. */
export function movedIn(refused: Refused): Moved {
  return new Map(
    listUnavailable(refused).flatMap(({ id, moved_to: movedTo }) => (movedTo ? [[id, movedTo] as const] : [])),
  );
}

/** The picture of a photo in a cart. */
export const imageUrlOf = ({ id, gallery_id: galleryId }: { id: number; gallery_id: number }) =>
  `/api/v1/galleries/${galleryId}/gallery_photos/${id}`;

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Whether the browser reports a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
