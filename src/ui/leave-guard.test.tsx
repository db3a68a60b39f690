// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Dialog } from '#src/ui/dialog.tsx';
import { hasUnsaved, LeaveGuard, StickySaveBar } from '#src/ui/leave-guard.tsx';
import { show } from '#tests/support/shown-screen.tsx';

function Form() {
  const [changed, setChanged] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setChanged(false);
      }}
    >
      <input aria-label="Name" onChange={() => setChanged(true)} />
      <StickySaveBar changed={changed} onDiscard={() => setChanged(false)} />
    </form>
  );
}

test.each([
  ['Save', true],
  ['Discard', true],
  ['Save', false],
])(
  'after %s the changed field has the focus again with a mouse (%s), not where that opens a keyboard',
  async (name, hasMouse) => {
    vi.stubGlobal('matchMedia', () => ({ matches: hasMouse }));
    const { user } = show(<Form />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    await user.type(field, 'A');
    await user.click(screen.getByRole('button', { name }));
    expect(screen.queryByRole('button', { name })).toBeNull();
    expect(document.activeElement === field).toBe(hasMouse);
    vi.unstubAllGlobals();
  },
);

function Settings() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <Dialog open={open} title="Your password" onClose={() => setOpen(false)}>
        <form />
      </Dialog>
      <LeaveGuard isUnsaved={() => true} question="Your changes are not saved." />
    </>
  );
}

test('Back closes the dialog above unsaved changes first, and asks the next time; a link asks at once', async () => {
  const routes = [
    { path: '/', element: null },
    { path: '/settings', element: <Settings /> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/', '/settings'], initialIndex: 1 });
  onTestFinished(cleanup);
  render(<RouterProvider router={router} />);
  const go = (to: '/' | -1) => act(() => (to === -1 ? router.navigate(-1) : router.navigate(to)));
  const names = () => screen.getAllByRole('heading', { hidden: true }).map(({ textContent }) => textContent);
  await go('/');
  expect(names()).toEqual(['Your password', 'Leave without saving?']);
  await act(async () => screen.getByRole('button', { name: 'Stay' }).click());
  await go(-1);
  expect(screen.queryAllByRole('heading', { hidden: true })).toEqual([]);
  await go(-1);
  expect(names()).toEqual(['Leave without saving?']);
  expect(router.state.location.pathname).toBe('/settings');
});

const guarded = (isChanged: boolean) => <LeaveGuard isUnsaved={() => isChanged} question="" />;
const opened = (content: ReactNode) => (
  <Dialog open title="A code" onClose={() => undefined}>
    {content}
  </Dialog>
);

test.each([
  ['a guarded form that was changed', guarded(true), true],
  ['a guarded form that was not', guarded(false), false],
  ['a form in a dialog', opened(<form />), true],
  ['a dialog without a form', opened(null), false],
])('%s is unsaved: %#', (_case, element, expected) => {
  onTestFinished(cleanup);
  const { unmount } = render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);
  expect(hasUnsaved()).toBe(expected);
  unmount();
  expect(hasUnsaved()).toBe(false);
});
