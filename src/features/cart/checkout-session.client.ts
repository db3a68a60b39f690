/**
 * One checkout of a cart, shared by all tabs of a browser (rule 20, faults F12 and F39): its key, what was sent with it without
 * a final response, and the message that it is done. It survives a reload and a lost network, so that no one pays twice.
 */
import { CHECKOUT_KEY } from '#src/features/cart/cart.rules.ts';

/** A submit that was sent. `vanityId` is known once the server has said that the payment is being confirmed. */
export type SentCheckout = { key: string; photoIds: readonly number[]; vanityId: string | null };
export type OrderedNews = { organizationId: number; vanityId: string };

type KeyValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
/** The parts of a browser that it needs; each may be missing or throw. */
export type SessionBrowser = {
  localStorage: () => KeyValues;
  randomBytes: (count: number) => Uint8Array;
  /** The channel to other tabs; null if the browser has none. */
  channel: () => Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'> | null;
  /** Runs work while no other tab does the same. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
};

const SENT_KEY = 'checkoutSent';
/** A key that `renewKey` has made. */
const OWN_KEY = /^[0-9a-f]{32}$/;

type CheckoutSession = ReturnType<typeof createCheckoutSession>;

export function createCheckoutSession(browser: SessionBrowser) {
  /** If storage is forbidden, only this tab remembers. */
  const memory = new Map<string, string>();

  function read(name: string): string | null {
    try {
      return browser.localStorage().getItem(name) ?? memory.get(name) ?? null;
    } catch {
      return memory.get(name) ?? null;
    }
  }

  function write(name: string, value: string | null): void {
    memory.delete(name);
    try {
      if (value === null) browser.localStorage().removeItem(name);
      else browser.localStorage().setItem(name, value);
    } catch {
      if (value !== null) memory.set(name, value);
    }
  }

  function renewKey(): string {
    const key = Array.from(browser.randomBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
    write(CHECKOUT_KEY, key);
    write(SENT_KEY, null);
    return key;
  }

  function key(): string {
    const stored = read(CHECKOUT_KEY);
    return stored !== null && OWN_KEY.test(stored) ? stored : renewKey();
  }

  /** What was sent without a final response; null if nothing was. */
  function sent(): SentCheckout | null {
    try {
      const value = JSON.parse(read(SENT_KEY) ?? 'null') as Partial<Record<keyof SentCheckout, unknown>> | null;
      if (typeof value?.key !== 'string' || !OWN_KEY.test(value.key) || !Array.isArray(value.photoIds)) return null;
      const { vanityId } = value;
      return {
        key: value.key,
        photoIds: value.photoIds.filter((id) => Number.isSafeInteger(id)),
        vanityId: typeof vanityId === 'string' ? vanityId : null,
      };
    } catch {
      return null;
    }
  }

  return {
    key,
    renewKey,
    sent,
    markSent: (what: SentCheckout) => write(SENT_KEY, JSON.stringify(what)),
    /** It was refused: nothing is pending. */
    forgetSent: () => write(SENT_KEY, null),
    /** It is ordered: the next order gets its own key, and other tabs are notified. */
    finish(news: OrderedNews): void {
      write(CHECKOUT_KEY, null);
      write(SENT_KEY, null);
      browser.channel()?.postMessage(news);
    },
    /** Called when another tab has ordered; returns a function that stops it. */
    onOrdered(onNews: (news: OrderedNews) => void): () => void {
      const channel = browser.channel();
      const listener = (event: MessageEvent) => onNews(event.data as OrderedNews);
      channel?.addEventListener('message', listener);
      return () => channel?.removeEventListener('message', listener);
    },
    alone: browser.alone,
    /** Whether this browser stores anything beyond this page. */
    isKept(): boolean {
      try {
        browser.localStorage().setItem('probe', '1');
        browser.localStorage().removeItem('probe');
        return true;
      } catch {
        return false;
      }
    },
  };
}

let channel: BroadcastChannel | null = null;

/** This browser's; reads nothing until it is used. */
export const checkoutSession: CheckoutSession = createCheckoutSession({
  localStorage: () => window.localStorage,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  channel: () => ('BroadcastChannel' in globalThis ? (channel ??= new BroadcastChannel('checkout')) : null),
  // Locks need a secure context; without them only the shared key keeps an order single.
  alone: <T>(work: () => Promise<T>): Promise<T> =>
    'locks' in navigator ? (navigator.locks.request('checkout', work) as Promise<T>) : work(),
});
