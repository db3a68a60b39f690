// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readCodes } from '#src/features/cart/typed-codes.client.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { AllPrices } from '#src/features/public-gallery/ui/all-prices.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const SELLER = { id: 3, name: 'Hawks Soccer Club', path: 'hawks-soccer' };
const OFFERS: NonNullable<GalleryAnswer['offers']> = {
  sheet_id: 70,
  version: 1,
  own_prices_take_part: false,
  offers: [
    { id: 1, kind: 'bundle', photos: 5, price: 15, text: 'any 5 for $15.00' },
    { id: 2, kind: 'gallery_pass', price: 40, text: 'The whole gallery for $40.00' },
    { id: 3, kind: 'athlete_pass', price: 25, text: 'All photos of my athlete for $25.00' },
  ],
  early_bird: { percent: 15, last_day: '2026-10-12', text: '15% off until 10.12.2026' },
  line: '$4.00 each · any 5 for $15.00',
};
const GALLERY = { id: 7, name: 'Cup final', is_private: false, photo_count: 184, price_per_photo: 4 } as GalleryAnswer;

function open(
  change: { isEmbedded?: boolean; gallery?: Partial<GalleryAnswer>; offers?: Partial<typeof OFFERS> } = {},
) {
  const onClose = vi.fn<() => void>();
  const gallery = { ...GALLERY, ...change.gallery };
  const { isEmbedded = false } = change;
  const offers = { ...OFFERS, ...change.offers };
  return { onClose, ...show(<AllPrices {...{ gallery, isEmbedded, onClose, offers }} seller={SELLER} />) };
}
const button = (name: string) => screen.queryByRole('button', { name });

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('all prices of a gallery', () => {
  test('are shown in sentences, with the early bird', () => {
    open();
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['$4.00 each', 'Any 5 for $15.00']);
    expect(screen.getByText('15% off until 10.12.2026')).toBeDefined();
  });

  test('have bundles that save nothing in this gallery, and count with photos of others', () => {
    open({ offers: { line: '$3.00 each' } });
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['$3.00 each', 'Any 5 for $15.00']);
  });

  test('put the whole gallery into the cart', async () => {
    const { user, onClose } = open();
    await user.click(screen.getByRole('button', { name: 'Get the whole gallery, $40.00' }));
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(JSON.parse(window.localStorage.getItem('cartItems') ?? '[]')).toMatchObject([
      { id: 7, pass: true, sales_price: 40, organization_id: 3 },
    ]);
    await user.click(screen.getByRole('button', { name: 'Remove the whole gallery from the cart' }));
    expect(window.localStorage.getItem('cartItems')).toBe('[]');
  });

  test('say where the photos of a pass are that was bought before', () => {
    open();
    expect(screen.getByRole('link', { name: 'Find my order' }).getAttribute('href')).toBe('/find-my-order');
  });

  test('link to the page of the child for all of its photos', () => {
    open();
    const link = screen.getByRole('link', { name: 'Get all photos of my athlete, $25.00' });
    expect(link.getAttribute('href')).toBe('/hawks-soccer/family');
  });

  test('have no pass if the gallery is private', () => {
    open({ gallery: { is_private: true } });
    expect(button('Get the whole gallery, $40.00')).toBeNull();
    expect(button('Use code')).not.toBeNull();
  });

  test('keep a code until the review', async () => {
    const { user } = open();
    await user.type(screen.getByLabelText('Have a code?'), ' hawks20{Enter}');
    expect(readCodes(3)).toEqual(['hawks20']);
    expect(screen.getByRole('status').textContent).toContain('hawks20 is kept.');
  });

  test('link from someone else’s page to the gallery’s own, the only one that keeps passes and codes', () => {
    open({ isEmbedded: true });
    const link = screen.getByRole('link', {
      name: 'The whole gallery for $40.00, and codes: open the gallery’s own page',
    });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/hawks-soccer/gallery/7', '_blank']);
    expect([button('Get the whole gallery, $40.00'), button('Use code')]).toEqual([null, null]);
  });
});
