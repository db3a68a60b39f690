// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { CartPhotos } from '#src/features/checkout/ui/cart-photos.tsx';
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

function Cart() {
  const [items, setItems] = useState([photo(1), photo(2), photo(3)]);
  return (
    <main id="main" tabIndex={-1}>
      <CartPhotos
        items={items}
        unavailable={new Map()}
        prices={new Map()}
        passes={[]}
        included={[]}
        onRemove={(item) => setItems((all) => all.filter(({ id }) => id !== item.id))}
      />
    </main>
  );
}

test('who removes photos by keyboard stays among them, and a second Enter removes nothing', async () => {
  const { user } = show(<Cart />);
  const focused = () => document.activeElement?.textContent;
  screen.getByRole('button', { name: 'Remove Goal 2' }).focus();
  await user.keyboard('{Enter}');
  expect(focused()).toContain('Goal 3');
  await user.keyboard('{Enter}');
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  screen.getByRole('button', { name: 'Remove Goal 3' }).focus();
  await user.keyboard('{Enter}');
  expect(focused()).toContain('Goal 1');
  screen.getByRole('button', { name: 'Remove Goal 1' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement?.id).toBe('main');
});
