import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import {
  createCartStore,
  useCart,
  useLikes,
  useWholeCart,
  type CartBrowser,
  type KeyValues,
} from '#src/features/cart/cart.client.ts';
import type { CartItem } from '#src/features/cart/cart.rules.ts';

const item = (id: number, organizationId = 5): CartItem => ({
  id,
  gallery_id: 10,
  organization_id: organizationId,
  organization_name: 'Hawks',
  organization_path: 'hawks',
  name: `Goal ${id}`,
  image_url: '/x',
  sales_price: 4,
});

function memory(): KeyValues & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** A browser with tabs: what one stores, the others are notified of. */
function browserWithTabs() {
  const local = memory();
  const tabs: { store: object; heard: (key: string | null) => void }[] = [];
  return {
    local,
    open() {
      const self = {};
      const browser: CartBrowser = {
        localStorage: () => ({
          ...local,
          setItem: (key, value) => {
            local.setItem(key, value);
            for (const tab of tabs) if (tab.store !== self) tab.heard(key);
          },
        }),
        onOtherTab: (heard) => void tabs.push({ store: self, heard }),
      };
      return { store: createCartStore(browser) };
    },
  };
}

const forbidden = (): CartBrowser => ({
  localStorage: () => {
    throw new DOMException('denied', 'SecurityError');
  },
  onOtherTab: () => undefined,
});

describe('the cart of a browser', () => {
  test('is stored under the keys of the specification and restored', () => {
    const browser = browserWithTabs();
    const { store } = browser.open();
    expect(store.add(item(1))).toBe('added');
    store.setLiked(7, true);
    expect(JSON.parse(browser.local.values.get('cartItems') ?? '')).toEqual([item(1)]);
    expect(browser.local.values.get('likedItems')).toBe('[7]');
    expect(browser.open().store.getState()).toEqual({ items: [item(1)], likes: [7], offered: [], isLoaded: true });
  });

  test('asks before a photo of another affiliate replaces it', () => {
    const browser = browserWithTabs();
    const { store } = browser.open();
    store.add(item(1));
    browser.local.setItem('checkoutKey', 'of the old cart');
    expect(store.add(item(2, 6))).toBe('other_affiliate');
    expect(store.getState().items).toEqual([item(1)]);
    store.startOver(item(2, 6));
    expect(store.getState().items).toEqual([item(2, 6)]);
    expect(browser.local.values.has('checkoutKey')).toBe(false);
  });

  test('is the same in all tabs, also after an order', () => {
    const browser = browserWithTabs();
    const [one, two] = [browser.open().store, browser.open().store];
    let told = 0;
    two.subscribe(() => told++);
    expect([one.getState().items, two.getState().items]).toEqual([[], []]);
    one.add(item(1));
    expect(two.getState().items).toEqual([item(1)]);
    one.clear();
    expect(two.getState().items).toEqual([]);
    expect(told).toBe(2);
  });

  test('returns the same state until something changes, as React requires', () => {
    const { store } = browserWithTabs().open();
    const before = store.getState();
    store.remove(9);
    store.setLiked(9, false);
    expect(store.getState()).toBe(before);
  });

  test('continues with prices that the buyer has accepted', () => {
    const { store } = browserWithTabs().open();
    store.add(item(1));
    store.add(item(2));
    store.acceptPrices(new Map([[2, 6.5]]));
    expect(store.getState().items.map(({ sales_price }) => sales_price)).toEqual([4, 6.5]);
  });

  test('keeps the offers of the galleries that were seen last', () => {
    const browser = browserWithTabs();
    const { store } = browser.open();
    for (let id = 1; id <= 25; id += 1) store.noteOffered({ id });
    store.noteOffered({ id: 9 });
    const kept = browser
      .open()
      .store.getState()
      .offered.map(({ id }) => id);
    expect(kept).toHaveLength(20);
    expect(kept.slice(-2)).toEqual([25, 9]);
    browser.local.setItem('cartOffers', '[null,{"id":"x"},{"id":3}]');
    expect(browser.open().store.getState().offered).toEqual([{ id: 3 }]);
  });

  test('starts empty from invalid storage and repairs it with the next photo', () => {
    const browser = browserWithTabs();
    browser.local.setItem('cartItems', '{"evil":');
    browser.local.setItem('likedItems', '"x"');
    const { store } = browser.open();
    expect(store.getState()).toEqual({ items: [], likes: [], offered: [], isLoaded: true });
    store.add(item(1));
    expect(browser.open().store.getState().items).toEqual([item(1)]);
  });

  test('stays in memory where storage is forbidden or full', () => {
    const store = createCartStore(forbidden());
    store.add(item(1));
    store.add(item(2));
    store.remove(1);
    store.setLiked(3, true);
    expect(store.getState()).toEqual({ items: [item(2)], likes: [3], offered: [], isLoaded: true });
    store.clear();
    expect(store.getState().items).toEqual([]);
  });
});

test('on the server the cart is empty and not loaded, and uses nothing of a browser', () => {
  function Page() {
    const [cart, whole, likes] = [useCart(5), useWholeCart(), useLikes()];
    return createElement(
      'p',
      null,
      JSON.stringify([cart.isLoaded, cart.count, whole.isLoaded, whole.totalCents, likes.isLiked(1)]),
    );
  }
  expect(renderToString(createElement(Page))).toContain('[false,0,false,0,false]');
});
