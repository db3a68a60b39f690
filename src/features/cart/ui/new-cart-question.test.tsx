// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { NewCartQuestion } from '#src/features/cart/ui/new-cart-question.tsx';
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

test('the question about a new cart ends when its page is left, and stays on another address of the page', async () => {
  const router = createMemoryRouter([{ path: '*', Component: NewCartQuestion }], {
    initialEntries: ['/tides-swim', '/tides-swim/gallery/4'],
  });
  onTestFinished(() => {
    askForNewCart(null);
    cleanup();
  });
  render(<RouterProvider router={router} />);
  act(() => askForNewCart(PHOTO));
  await act(() => router.navigate('/tides-swim/gallery/4?search=goal', { replace: true }));
  screen.getByRole('alertdialog', { name: 'Start a new cart?' });
  await act(() => router.navigate(-1));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
