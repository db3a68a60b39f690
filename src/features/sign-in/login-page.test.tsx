// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NO_AUTH_HEADER } from '#src/features/accounts/accounts.contract.ts';
import LoginPage from '#src/features/sign-in/login.page.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const LOADED = { wanted: null, baseDomain: 'sideline.test', email: '', problems: [], isUpdated: false };

test('a login leads to the part of the page that the link named', async () => {
  const answer = [{ organizations: [{ domain_name: 'hawks', parent_organization_id: 1 }], role_id: 1 }];
  vi.stubGlobal('fetch', async () => Response.json(answer, { headers: { authorization: 'Bearer token' } }));
  const went = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  window.location.hash = '#billing';
  onTestFinished(() => {
    vi.unstubAllGlobals();
    went.mockRestore();
    window.location.hash = '';
  });
  const loaderData = { ...LOADED, wanted: '/hawks/settings' };
  const { user } = show(<LoginPage {...({ loaderData } as unknown as Parameters<typeof LoginPage>[0])} />);
  await user.type(screen.getByLabelText('Email'), 'coach@hawks.test');
  await user.type(screen.getByLabelText('Password'), 'sideline-demo');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await vi.waitFor(() => expect(went).toHaveBeenCalledWith('/hawks/settings#billing'));
});

test('a login response without its header is not a login', async () => {
  vi.stubGlobal('fetch', async () => Response.json([]));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<LoginPage {...({ loaderData: LOADED } as unknown as Parameters<typeof LoginPage>[0])} />);
  await user.type(screen.getByLabelText('Email'), 'coach@hawks.test');
  await user.type(screen.getByLabelText('Password'), 'sideline-demo');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByText(NO_AUTH_HEADER);
  expect(JSON.parse(localStorage.getItem('auth') ?? '')).toEqual({ user: null, error: NO_AUTH_HEADER, loading: false });
  screen.getByRole('button', { name: 'Login' });
});
