// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { CartMending, troubleOf } from '#src/features/checkout/ui/cart-mending.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const photo = (id: number, galleryId = 7): CartItem => ({
  id,
  gallery_id: galleryId,
  organization_id: 3,
  organization_name: 'Hawks Soccer Club',
  organization_path: 'hawks-soccer',
  name: `IMG_${id}.jpg`,
  image_url: '/picture',
  sales_price: 4,
});

function showTrouble(
  reasons: [photoId: number, reason: 'gone' | 'locked'][],
  prices: [photoId: number, dollars: number][] = [],
) {
  const trouble = troubleOf([photo(1), photo(2), photo(3, 8)], new Map(reasons), new Map(prices));
  const did = { onRemove: vi.fn<(...ids: number[]) => void>(), onAcceptPrices: vi.fn<() => void>() };
  return { ...did, ...show(<CartMending trouble={trouble} sellerPath="hawks-soccer" {...did} />) };
}
const words = () => screen.getByRole('status').textContent;
const press = (name: string) => screen.getByRole('button', { name });

describe('a cart', () => {
  test('that has not changed shows nothing', () => {
    showTrouble([], [[1, 4]]);
    expect(words()).toBe('');
  });

  test('names the photos that are gone and removes them with one click', async () => {
    const { user, onRemove } = showTrouble([
      [1, 'gone'],
      [2, 'gone'],
    ]);
    expect(words()).toContain('A photo in your cart is no longer available.IMG_1.jpg, IMG_2.jpg');
    await user.click(press('Remove these 2 photos'));
    expect(onRemove).toHaveBeenCalledWith(1, 2);
  });

  test('links to the gallery that requires a password now', async () => {
    const { user, onRemove } = showTrouble([[3, 'locked']]);
    const link = screen.getByRole('link', { name: 'Unlock the gallery' });
    expect(link.getAttribute('href')).toBe('/hawks-soccer/gallery/8');
    await user.click(press('Remove it'));
    expect(onRemove).toHaveBeenCalledWith(3);
  });

  test('shows both prices of a photo and waits until the new one is accepted', async () => {
    const { user, onAcceptPrices } = showTrouble([], [[2, 5.5]]);
    expect(words()).toContain('Prices have changed. Please review your cart.IMG_2.jpg: $4.00 before, $5.50 now');
    await user.click(press('Accept the new price'));
    expect(onAcceptPrices).toHaveBeenCalledTimes(1);
  });

  test('does not ask to accept the price of a photo that is gone', () => {
    showTrouble([[2, 'gone']], [[2, 5.5]]);
    expect(words()).not.toContain('Prices have changed');
  });
});
