// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { useOpenPhoto } from '#src/ui/photos/use-open-photo.ts';

/** A page that keeps a parameter of its own, with the page before it in the history. */
function openPage(address: string) {
  let large: ReturnType<typeof useOpenPhoto> | undefined;
  function Page() {
    large = useOpenPhoto();
    const { pathname, search } = useLocation();
    return <p>{pathname + search}</p>;
  }
  const router = createMemoryRouter([{ path: '/:page', Component: Page }], { initialEntries: ['/before', address] });
  onTestFinished(cleanup);
  render(<RouterProvider router={router} />);
  return {
    do: (what: (photo: ReturnType<typeof useOpenPhoto>) => void) => act(async () => large && what(large)),
    back: () => act(() => router.navigate(-1)),
    forward: () => act(() => router.navigate(1)),
    address: () => screen.getByText(/^\//).textContent,
  };
}

test('a photo that was opened and closed leaves its page in the history once', async () => {
  const page = openPage('/order?gallery=4');
  await page.do((photo) => photo.open('7'));
  await page.do((photo) => photo.goTo('8'));
  expect(page.address()).toBe('/order?gallery=4&photo=8');
  await page.do((photo) => photo.close());
  expect(page.address()).toBe('/order?gallery=4');
  await page.back();
  expect(page.address()).toBe('/before');
});

test('a photo that is closed twice, before the page has followed, leaves the page open', async () => {
  const page = openPage('/order');
  await page.do((photo) => photo.open('7'));
  await page.do((photo) => expect([photo.close(), photo.close()]).toEqual([true, false]));
  expect(page.address()).toBe('/order');
  // By the browser's Forward it is open again, and can be closed again.
  await page.forward();
  expect(page.address()).toBe('/order?photo=7');
  await page.do((photo) => photo.close());
  expect(page.address()).toBe('/order');
});

test('a photo that was opened by its address closes to its page', async () => {
  const page = openPage('/order?photo=7');
  await page.do((photo) => photo.close());
  expect(page.address()).toBe('/order');
});
