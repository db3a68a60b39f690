// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { IssuedCode, Redemptions } from '#src/features/codes/issued-codes.contract.ts';
import { CodeUses } from '#src/features/codes/ui/code-dialogs.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const code: IssuedCode = {
  id: 7,
  organization: { id: 2, name: 'Club', domain_name: 'club', time_zone: 'America/New_York' },
  code: 'WELCOME1',
  uses: 1,
  max_uses: 5,
  last_day: null,
  state: 'active',
  created_at: '2026-01-01T00:00:00.000Z',
  ended_at: null,
};
const page: Redemptions = {
  redemptions: [{ id: 1, redeemed_at: '2026-01-02T12:00:00.000Z', account: { id: 3, name: 'North Club' } }],
  next: null,
};

/** Calls are answered when the test says so. */
function heldCalls() {
  const calls: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => void calls.push(resolve)));
  onTestFinished(() => void vi.unstubAllGlobals());
  return calls;
}

test('accounts are listed once, also when the first page was requested twice', async () => {
  const calls = heldCalls();
  onTestFinished(cleanup);
  // React mounts twice only if its strict mode is outermost.
  render(
    <StrictMode>
      <CodeUses code={code} onClose={() => undefined} />
    </StrictMode>,
  );
  expect(calls).toHaveLength(2);
  for (const answer of calls) answer(Response.json(page));
  await screen.findByText('North Club');
  expect(screen.getAllByText('North Club')).toHaveLength(1);
});

test('the button stays while it tries again', async () => {
  const calls = heldCalls();
  const { user } = show(<CodeUses code={code} onClose={() => undefined} />);
  expect(screen.getByText('Loading...').tagName).toBe('P');
  calls[0]?.(Response.json({ error: 'Not now.' }, { status: 503 }));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  const busy = screen.getByRole('button', { name: 'Loading...' });
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  calls[1]?.(Response.json(page));
  await screen.findByText('North Club');
});
