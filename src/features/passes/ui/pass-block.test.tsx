// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PassAnswer } from '#src/features/order-offers/sold-passes.contract.ts';
import { PassBlock } from '#src/features/passes/ui/pass-block.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const PASS: PassAnswer = {
  id: 5,
  kind: 'gallery_pass',
  name: 'The whole gallery “Cup final”',
  gallery_id: 7,
  until: '2027-06-30',
  text: '62 photos today. New ones appear here until 06.30.2027.',
  photo_count: 62,
  new_since_download: 12,
  order_key: 'key',
};
const news = () => screen.queryByRole('link', { name: 'Download the 12 new ones' });

test.each(['Download all', 'Download the 12 new ones'])(
  'after “%s” the new photos are not offered a second time, and a line says what to do if it stops',
  async (pressed) => {
    const { user } = show(<PassBlock vanityId="v" pass={PASS} first={{ photos: [], next: null }} />);
    expect(news()?.getAttribute('href')).toBe('/api/v1/orders/v/download.zip?pass=5&new=true');
    await user.click(screen.getByRole('link', { name: pressed }));
    await screen.findByText('Your download has begun. If it stops, reload this page and start it again.');
    expect(news()).toBeNull();
    expect(screen.getByRole('link', { name: 'Download all' })).toBeDefined();
  },
);
