// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { CartPhotos, Totals } from '#src/features/checkout/ui/cart-photos.tsx';
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

function Cart({ count }: { count: number }) {
  const [items, setItems] = useState(Array.from({ length: count }, (_, index) => photo(index + 1)));
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
  const { user } = show(<Cart count={3} />);
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

test('who removes the last photo that is shown gets the focus on the one that takes its place', async () => {
  const { user } = show(<Cart count={7} />);
  const focused: string[] = [];
  document.addEventListener('focusin', ({ target }) => {
    // Browsers give no focus to what is not shown.
    if (target instanceof HTMLLIElement && !target.classList.contains('hidden')) focused.push(target.textContent);
  });
  screen.getByRole('button', { name: 'Remove Goal 6' }).focus();
  await user.keyboard('{Enter}');
  expect(focused).toEqual([expect.stringContaining('Goal 7')]);
});

test('a tax says what it is for', () => {
  const totals = { label: '3 photos', subtotal: 12, subtotalBefore: null, donation: 0, tax: 0.83, total: 12.83 };
  show(<Totals totals={{ ...totals, tax_text: 'Minnesota sales tax, 6.875%' }} />);
  expect(screen.getByText('Minnesota sales tax, 6.875%').closest('div')?.textContent).toBe(
    'TaxesMinnesota sales tax, 6.875%$0.83',
  );
});
