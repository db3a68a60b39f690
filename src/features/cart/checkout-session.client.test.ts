import { describe, expect, test } from 'vitest';
import {
  createCheckoutSession,
  type OrderedNews,
  type SessionBrowser,
} from '#src/features/cart/checkout-session.client.ts';

/** A browser whose tabs share storage and messages. */
function browserWithTabs() {
  const values = new Map<string, string>();
  const tabs: ((event: MessageEvent) => void)[] = [];
  let filling = 0;
  return {
    values,
    open() {
      const own: ((event: MessageEvent) => void)[] = [];
      const browser: SessionBrowser = {
        localStorage: () => ({
          getItem: (key) => values.get(key) ?? null,
          setItem: (key, value) => void values.set(key, value),
          removeItem: (key) => void values.delete(key),
        }),
        randomBytes: (count) => new Uint8Array(count).fill(++filling),
        channel: () => ({
          postMessage: (data: unknown) =>
            tabs.filter((tab) => !own.includes(tab)).forEach((tab) => tab(new MessageEvent('message', { data }))),
          addEventListener: (_: string, listener: unknown) => {
            own.push(listener as (event: MessageEvent) => void);
            tabs.push(listener as (event: MessageEvent) => void);
          },
          removeEventListener: (_: string, listener: unknown) =>
            void tabs.splice(tabs.indexOf(listener as (event: MessageEvent) => void), 1),
        }),
        alone: (work) => work(),
      };
      return createCheckoutSession(browser);
    },
  };
}

describe('a checkout', () => {
  test('has one key in all tabs, until it is ordered', () => {
    const browser = browserWithTabs();
    const [one, two] = [browser.open(), browser.open()];
    const key = one.key();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect([one.key(), two.key()]).toEqual([key, key]);
    one.finish({ organizationId: 5, vanityId: 'v' });
    expect(two.key()).not.toBe(key);
  });

  test('gets a new key instead of an invalid one', () => {
    const browser = browserWithTabs();
    browser.values.set('checkoutKey', '<script>');
    expect(browser.open().key()).toBe('01'.repeat(16));
  });

  test('tells the other open tabs that it is ordered', () => {
    const browser = browserWithTabs();
    const [one, two] = [browser.open(), browser.open()];
    const heard: OrderedNews[] = [];
    const stop = two.onOrdered((news) => heard.push(news));
    one.finish({ organizationId: 5, vanityId: 'first' });
    stop();
    one.finish({ organizationId: 5, vanityId: 'second' });
    expect(heard).toEqual([{ organizationId: 5, vanityId: 'first' }]);
  });

  test('remembers after a reload what was sent and not answered', () => {
    const browser = browserWithTabs();
    const sent = { key: browser.open().key(), photoIds: [1, 2], vanityId: null };
    browser.open().markSent(sent);
    expect(browser.open().sent()).toEqual(sent);
    browser.open().forgetSent();
    expect(browser.open().sent()).toBeNull();
  });

  test.each(['{', '5', '[]', '{"key":"x","photoIds":[1]}', `{"key":"${'a'.repeat(32)}","photoIds":"1"}`])(
    'has sent nothing where the browser stores %j',
    (text) => {
      const browser = browserWithTabs();
      browser.values.set('checkoutSent', text);
      expect(browser.open().sent()).toBeNull();
    },
  );

  test('continues in memory where nothing can be stored', () => {
    const session = createCheckoutSession({
      localStorage: () => {
        throw new DOMException('denied', 'SecurityError');
      },
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      channel: () => null,
      alone: (work) => work(),
    });
    const key = session.key();
    expect(session.key()).toBe(key);
    session.markSent({ key, photoIds: [1], vanityId: null });
    expect(session.sent()?.key).toBe(key);
    expect(session.isKept()).toBe(false);
    session.finish({ organizationId: 5, vanityId: 'v' });
    expect(session.sent()).toBeNull();
    expect(session.key()).not.toBe(key);
  });
});
