// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { PriceMade } from '#src/features/checkout/ui/price-made.tsx';
import type { QuoteAnswer } from '#src/features/orders/orders.contract.ts';
import { show } from '#tests/support/shown-screen.tsx';

const photo = (id: number): CartItem => ({
  id,
  gallery_id: 7,
  organization_id: 3,
  organization_name: 'Hawks Soccer Club',
  organization_path: 'hawks-soccer',
  name: `Goal ${id}`,
  image_url: '/picture',
  sales_price: 4,
});
const QUOTE: QuoteAnswer = {
  subtotal: 15.2,
  tax: 0,
  donation: 0,
  total: 15.2,
  charge_needed: true,
  items: [],
  galleries: [],
};
const bundle = (openSlots: number) => ({
  id: 2,
  kind: 'bundle' as const,
  name: 'Any 5 for $15.00',
  photo_ids: [1, 2],
  open_slots: openSlots,
  price: 15,
  single_sum: 8,
  text: 'Any 5 for $15.00, 2 photos',
});
const pricing = [
  { text: 'Any 5 for $15.00, 2 photos', amount: 15 },
  { text: '1 photo at $4.00', amount: 4 },
  { text: 'Code HAWKS20, 20% off: −$3.80', amount: -3.8 },
];
const made = (quote: Partial<QuoteAnswer>) =>
  show(<PriceMade quote={{ ...QUOTE, ...quote }} items={[photo(1), photo(2), photo(3)]} sellerPath="hawks-soccer" />);

describe('how a price is made', () => {
  test('is not shown without an offer', () => {
    made({});
    expect(screen.queryByRole('heading')).toBeNull();
  });

  test('is one line for each offer, with its photos, and says each amount once', () => {
    made({ pricing, offers: [bundle(0)], notes: ['HAWKS20 saves you more.'] });
    const lines = [...document.querySelectorAll('section > ul > li')].map((line) => line.textContent);
    expect(lines).toEqual([
      'Any 5 for $15.00, 2 photos$15.00',
      '1 photo at $4.00$4.00',
      'Code HAWKS20, 20% off: −$3.80',
    ]);
    expect(screen.getAllByRole('img', { hidden: true }).map((image) => image.getAttribute('alt'))).toEqual([
      'Goal 1',
      'Goal 2',
    ]);
    expect(screen.getByText('HAWKS20 saves you more.')).toBeDefined();
    expect(document.querySelector('details')?.open).toBe(false);
  });

  test('shows a slot that is already paid for, with a link to the photos', () => {
    made({ pricing, offers: [bundle(1)] });
    const place = screen.getByRole('link', { name: 'Choose 1 more photo, it is already paid for' });
    expect(place.getAttribute('href')).toBe('/hawks-soccer/gallery/7');
    expect(document.querySelector('details')?.open).toBe(true);
  });
});
