// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  PASSWORD_REQUIRED_TO_LOG_IN,
  SESSION_HAS_ENDED,
  WRONG_EMAIL_OR_PASSWORD,
  WRONG_PASSWORD,
} from '#src/features/accounts/accounts.contract.ts';
import { AUTH_KEY, LOGOUTS, useAuthState } from '#src/features/accounts/auth-state.client.ts';
import { SessionKeeper } from '#src/features/accounts/ui/session-keeper.tsx';
import { LOG_IN_FIRST, VIEWER_HEADER } from '#src/features/tenancy/actor.rules.ts';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { callApi } from '#src/web/api-client.ts';
import { session } from '#src/web/ended-session.ts';
import { useRepeated } from '#src/web/use-load.ts';

const COACH: UserAnswer = {
  id: 7,
  first_name: 'Cory',
  last_name: 'Coach',
  email: 'coach@hawks.test',
  role_id: 1,
  email_proven: true,
  organizations: [],
};
const PASSWORD = 'nine fine pines';

const refusal = (error: string) => Response.json({ error, errors: {} }, { status: 401 });

/** A server: `here` is the id of who is logged in. */
function serve(start: number | null) {
  const server = { here: start, after: COACH.id, sent: [] as string[] };
  type Sent = { method: string; body?: string; headers: Record<string, string>; signal?: AbortSignal };
  vi.stubGlobal('fetch', async (path: string, { method, body, headers, signal }: Sent) => {
    signal?.throwIfAborted();
    server.sent.push(`${method} ${path}`);
    if (path === '/login') {
      const { user } = JSON.parse(body ?? '') as { user: { email: string; password: string } };
      if (user.email !== COACH.email || user.password !== PASSWORD) return refusal(WRONG_EMAIL_OR_PASSWORD);
      server.here = server.after;
      return Response.json([{ ...COACH, id: server.after }], { headers: { authorization: 'Bearer token' } });
    }
    if (path === '/wrong') return refusal(WRONG_PASSWORD);
    // As the server does: of another user's page it knows no session (`http/caller.test.ts`).
    const isHere = server.here !== null && String(server.here) === (headers[VIEWER_HEADER] ?? String(server.here));
    if (!isHere) return refusal(LOG_IN_FIRST);
    return Response.json(path === '/users/current' ? [{ ...COACH, id: server.here }] : 'saved');
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
  });
  return server;
}

/** A page with this element; `loaded` is called when it is loaded again. */
function show(element: ReactNode) {
  const loaded = vi.fn<() => null>(() => null);
  const router = createMemoryRouter([{ path: '/', loader: loaded, element }], {
    hydrationData: { loaderData: { '0': null } },
  });
  onTestFinished(cleanup);
  render(<RouterProvider router={router} />);
  return { loaded, user: userEvent.setup() };
}

const dialog = () => screen.queryByRole('alertdialog', { name: SESSION_HAS_ENDED });
const save = () => callApi<string>('PUT', '/settings', { body: { city: 'Ely' } });

async function typePassword(user: ReturnType<typeof show>['user'], password: string) {
  const field = await screen.findByLabelText('Password');
  await user.clear(field);
  if (password !== '') await user.type(field, password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

test('a call without a session is sent again when the viewer has logged in, and says what is wrong until then', async () => {
  const server = serve(null);
  const { user } = show(<SessionKeeper viewer={COACH} />);
  const [first, second] = [save(), save()];
  await typePassword(user, '');
  await screen.findByText(PASSWORD_REQUIRED_TO_LOG_IN);
  await typePassword(user, 'not it');
  await screen.findByText(WRONG_EMAIL_OR_PASSWORD);
  screen.getByText(COACH.email);
  await typePassword(user, PASSWORD);
  expect([await first, await second]).toMatchObject([
    { ok: true, data: 'saved' },
    { ok: true, data: 'saved' },
  ]);
  expect(dialog()).toBeNull();
  expect(server.sent.filter((call) => call === 'PUT /settings')).toHaveLength(4);
  expect(JSON.parse(localStorage.getItem(AUTH_KEY) ?? '')).toMatchObject({ user: { first_name: 'Cory' }, error: null });
});

test('a call that was canceled is refused, and the next one asks again', async () => {
  serve(null);
  const { user } = show(<SessionKeeper viewer={COACH} />);
  for (let time = 0; time < 2; time++) {
    const saving = save();
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await saving).toMatchObject({ ok: false, status: 401, error: LOG_IN_FIRST });
    expect(dialog()).toBeNull();
  }
});

test.each([
  ['a wrong password of something else', '/wrong', true, {}],
  ['a page without a viewer', '/settings', false, {}],
  ['work in the background', '/settings', true, { inBackground: true }],
] as const)('%s opens no dialog', async (_case, path, hasViewer, how) => {
  serve(null);
  show(hasViewer && <SessionKeeper viewer={COACH} />);
  expect(await callApi('PUT', path, how)).toMatchObject({ ok: false, status: 401 });
  expect(dialog()).toBeNull();
});

test('a login as someone who has got the address meanwhile loads the page anew', async () => {
  serve(null).after = 8;
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  onTestFinished(() => reload.mockRestore());
  const { user } = show(<SessionKeeper viewer={COACH} />);
  void save();
  await typePassword(user, PASSWORD);
  await expect.poll(() => reload.mock.calls).toHaveLength(1);
});

function Repeated({ work }: { work: () => unknown }) {
  useRepeated(1_000, work);
  return null;
}

test('what asks again and again waits after Cancel until someone has logged in', async () => {
  const server = serve(null);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  show(
    <>
      <SessionKeeper viewer={COACH} />
      <Repeated work={() => callApi('GET', '/progress')} />
    </>,
  );
  const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const polls = () => server.sent.filter((call) => call === 'GET /progress').length;
  await pass(1);
  press('Cancel');
  await pass(60);
  expect(polls()).toBe(1);
  void save();
  await pass(0);
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: PASSWORD } });
  press('Login');
  await pass(1);
  expect(polls()).toBe(2);
});

/** A page that notices other windows, with a dialog in which something can be typed. */
function Page({ isTyping }: { isTyping: boolean }) {
  useAuthState(COACH);
  return (
    <>
      {isTyping && (
        <dialog open aria-label="A code">
          <form />
        </dialog>
      )}
      <SessionKeeper viewer={COACH} />
    </>
  );
}

const showPage = (isTyping: boolean) => show(<Page isTyping={isTyping} />);
const otherWindow = () => act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: AUTH_KEY })));

test('a session that is missed in another window keeps a page on which something is typed, and a login there closes the dialog', async () => {
  const server = serve(null);
  const { loaded } = showPage(true);
  await otherWindow();
  await expect.poll(dialog).not.toBeNull();
  server.here = 8;
  await otherWindow();
  expect(dialog()).not.toBeNull();
  server.here = COACH.id;
  await otherWindow();
  await expect.poll(dialog).toBeNull();
  expect(loaded).not.toHaveBeenCalled();
});

test('where someone else has logged in meanwhile, a page on which something is typed asks, and saves nothing after Cancel', async () => {
  const server = serve(8);
  showPage(true);
  await otherWindow();
  await expect.poll(dialog).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  const saving = save();
  await expect.poll(dialog).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await saving).toMatchObject({ ok: false, status: 401 });
  expect(server.here).toBe(8);
});

test('after Cancel a login in another window lets go on what repeats, also where nothing is typed', async () => {
  const server = serve(null);
  showPage(false);
  const saving = save();
  await expect.poll(dialog).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await saving;
  expect(session.keeper?.pause).toBeDefined();
  server.here = COACH.id;
  await otherWindow();
  await expect.poll(() => session.keeper?.pause).toBeUndefined();
});

test('“Log Out” in another window loads a page again, whatever is typed there', async () => {
  serve(null);
  const { loaded } = showPage(true);
  const other = new BroadcastChannel(LOGOUTS);
  onTestFinished(() => other.close());
  other.postMessage('logged out');
  await expect.poll(() => loaded.mock.calls).toHaveLength(1);
});

test('a call with a limit of time is sent again without it, if it has passed while the password was typed', async () => {
  serve(null);
  const { user } = show(<SessionKeeper viewer={COACH} />);
  const saving = callApi<string>('PUT', '/settings', { signal: AbortSignal.timeout(50) });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await typePassword(user, PASSWORD);
  expect(await saving).toMatchObject({ ok: true, data: 'saved' });
});

test('another window’s logout loads a page again on which nothing is typed', async () => {
  serve(null);
  const { loaded } = showPage(false);
  await otherWindow();
  await expect.poll(() => loaded.mock.calls).toHaveLength(1);
  expect(dialog()).toBeNull();
});
