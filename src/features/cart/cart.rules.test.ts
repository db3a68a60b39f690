import { describe, expect, test } from 'vitest';
import {
  addItem,
  cartTotal,
  itemsOf,
  MAX_CART_ITEMS,
  parseCart,
  parseLikes,
  removeItems,
  summaryOf,
  withLike,
  type CartItem,
} from '#src/features/cart/cart.rules.ts';

const item = (id: number, changes: Partial<CartItem> = {}): CartItem => ({
  id,
  gallery_id: 10,
  organization_id: 5,
  organization_name: 'Hawks',
  organization_path: 'hawks',
  name: `Goal ${id}`,
  image_url: `/api/v1/galleries/10/gallery_photos/${id}`,
  sales_price: 4,
  ...changes,
});

describe('a stored cart', () => {
  test('is restored as it was', () => {
    const items = [item(1), item(2, { sales_price: 2.5 })];
    expect(parseCart(JSON.stringify(items))).toEqual(items);
  });

  test('may have passes beside photos, which are not counted as photos', () => {
    const items = [item(1), item(10, { pass: true, sales_price: 40 })];
    expect(parseCart(JSON.stringify(items))).toEqual(items);
    expect(summaryOf(items)).toEqual({ items: [items[0]], passes: [items[1]], count: 1, totalCents: 4400 });
    expect(parseCart(JSON.stringify([{ ...item(1), pass: 'yes' }]))).toEqual([item(1)]);
  });

  test.each<[string, string | null]>([
    ['nothing', null],
    ['empty text', ''],
    ['cut JSON', '[{"id":1'],
    ['an object', '{"0":{}}'],
    ['null', 'null'],
    ['a number', '7'],
    ['a list of odd things', '[null,1,"x",[],{},true]'],
    ['prototype tricks', '[{"__proto__":{"id":1}}]'],
  ])('of %s is empty', (_what, text) => {
    expect(parseCart(text)).toEqual([]);
  });

  test.each<[string, object]>([
    ['text for an id', { id: '1' }],
    ['a negative id', { id: -1 }],
    ['a price of -1', { sales_price: -1 }],
    ['a price of three decimals', { sales_price: 1.005 }],
    ['no price', { sales_price: null }],
    ['a foreign picture', { image_url: 'https://evil.example/x.jpg' }],
    ['a script for a picture', { image_url: 'javascript:alert(1)' }],
    ['no seller', { organization_id: undefined }],
  ])('leaves out an item with %s and keeps the others', (_what, odd) => {
    expect(parseCart(JSON.stringify([{ ...item(1), ...odd }, item(2)])).map((each) => each.id)).toEqual([2]);
  });

  test('keeps one seller, each photo once, at most 200, and no unknown fields', () => {
    expect(
      parseCart(JSON.stringify([item(1), item(1), item(2, { organization_id: 6 }), { ...item(3), extra: 1 }])),
    ).toEqual([item(1), item(3)]);
    expect(parseCart(JSON.stringify(Array.from({ length: 500 }, (_, index) => item(index + 1))))).toHaveLength(
      MAX_CART_ITEMS,
    );
  });
});

describe('the cart', () => {
  test.each<[string, readonly CartItem[], CartItem, string, number]>([
    ['a first photo', [], item(1), 'added', 1],
    ['another photo', [item(1)], item(2, { gallery_id: 11 }), 'added', 2],
    ['the same photo', [item(1)], item(1), 'already_there', 1],
    ['a photo of another affiliate', [item(1)], item(2, { organization_id: 6 }), 'other_affiliate', 1],
    ['the 201st photo', Array.from({ length: 200 }, (_, index) => item(index + 1)), item(300), 'full', 200],
  ])('%s', (_what, before, fresh, added, count) => {
    const result = addItem(before, fresh);
    expect([result.added, result.items.length]).toEqual([added, count]);
  });

  test('adds up in cents', () => {
    const items = [item(1, { sales_price: 1.1 }), item(2, { sales_price: 1.1 }), item(3, { sales_price: 1.1 })];
    expect(cartTotal(items)).toBe(330);
    expect(summaryOf(items)).toMatchObject({ count: 3, totalCents: 330 });
    expect(summaryOf([])).toMatchObject({ count: 0, totalCents: 0 });
  });

  test('is shown on the pages of its seller only', () => {
    expect(itemsOf([item(1)], 5)).toHaveLength(1);
    expect(itemsOf([item(1)], 6)).toEqual([]);
  });

  test('loses what is removed, and is otherwise unchanged', () => {
    const items = [item(1), item(2), item(3)];
    expect(removeItems(items, [1, 3])).toEqual([item(2)]);
    expect(removeItems(items, [9])).toBe(items);
  });
});

describe('likes', () => {
  test.each([
    [null, []],
    ['x', []],
    ['[1,2,2,"3",-1,1.5,null]', [1, 2]],
  ])('%j → %j', (text, ids) => {
    expect(parseLikes(text)).toEqual(ids);
  });
  test('are set and removed, and are otherwise unchanged', () => {
    const likes = [1, 2];
    expect(withLike(likes, 3, true)).toEqual([1, 2, 3]);
    expect(withLike(likes, 1, false)).toEqual([2]);
    expect(withLike(likes, 1, true)).toBe(likes);
    expect(withLike(likes, 9, false)).toBe(likes);
  });
});
