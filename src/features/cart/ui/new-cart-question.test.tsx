// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { CartBar } from '#src/features/cart/ui/cart-bar.tsx';
import { askForNewCart } from '#src/features/cart/ui/use-choice.ts';

const PHOTO = {
  id: 7,
  gallery_id: 4,
  organization_id: 3,
  organization_name: 'Tides Swim Team',
  organization_path: 'tides-swim',
  name: 'Relay',
  image_url: '/relay.jpg',
  sales_price: 2,
};

test.each([
  ['for another page with a cart', '/tides-swim'],
  ['for a page without one', '/tides-swim/dashboard'],
])(
  'the question about a new cart ends when its page is left %s, and stays on another address of the page',
  async (_what, before) => {
    const router = createMemoryRouter(
      [
        { path: '/tides-swim/dashboard', Component: () => <h1>Dashboard</h1> },
        { path: '*', Component: CartBar },
      ],
      { initialEntries: [before, '/tides-swim/gallery/4'] },
    );
    onTestFinished(() => {
      cleanup();
      askForNewCart(null);
    });
    render(<RouterProvider router={router} />);
    act(() => askForNewCart(PHOTO));
    await act(() => router.navigate('/tides-swim/gallery/4?search=goal', { replace: true }));
    await screen.findByRole('alertdialog', { name: 'Start a new cart?' });
    await act(() => router.navigate(-1));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await act(() => router.navigate(1));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  },
);
