import { describe, expect, test } from 'vitest';
import { readCarried, withoutCarried, withCarried } from '#src/features/cart/carried-photos.rules.ts';

const CHECKOUT = new URL('http://lakeside.test/hawks/checkout?photo=3');

describe('photos in an address', () => {
  test('are read as they were written', () => {
    const photos = [
      { id: 11, gallery_id: 7 },
      { id: 12, gallery_id: 8 },
    ];
    const url = withCarried(CHECKOUT, photos);
    expect(url.href).toBe('http://lakeside.test/hawks/checkout?photo=3&take=7.11-8.12');
    expect(readCarried(url.searchParams)).toEqual(photos);
    expect(withoutCarried(url.searchParams).toString()).toBe('photo=3');
  });

  test('leave an address without photos unchanged', () => {
    expect(withCarried(CHECKOUT, []).href).toBe(CHECKOUT.href);
    expect(readCarried(CHECKOUT.searchParams)).toEqual([]);
  });

  test.each(['x', '1', '1.', '.1', '1.0', '1.2.3', '-', '1.9999999999999999', '<script>.1'])(
    'are none in “%s”',
    (text) => {
      expect(readCarried(new URLSearchParams({ take: text }))).toEqual([]);
    },
  );

  test('are at most as many as a cart can have', () => {
    const take = Array.from({ length: 500 }, (_, index) => `1.${index + 1}`).join('-');
    expect(readCarried(new URLSearchParams({ take }))).toHaveLength(200);
  });
});
