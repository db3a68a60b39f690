// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TELL_ME, YOUR_EMAIL } from '#src/features/watches/watches.contract.ts';
import { WatchForm } from '#src/features/watches/ui/watch-form.tsx';
import { show } from '#tests/support/shown-screen.tsx';

afterEach(() => void vi.unstubAllGlobals());

test('the answer takes the place of the form and its focus', async () => {
  const message = 'We sent an email to a@b.test.';
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ message })));
  const { user } = show(<WatchForm target={{ child: 4 }} />);
  await user.type(screen.getByLabelText(YOUR_EMAIL), 'a@b.test');
  await user.click(screen.getByRole('button', { name: TELL_ME }));
  const answer = await screen.findByRole('status');
  expect(answer.textContent).toBe(message);
  expect(document.activeElement).toBe(answer);
});
