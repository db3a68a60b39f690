// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SecretDialog } from '#src/ui/secret-dialog.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test.each([
  ['Token copied', true],
  ['Copying failed. Please select the token and copy it.', false],
])('the dialog of a secret says itself how copying it went: %s', async (words, works) => {
  const { user } = show(
    <SecretDialog title="Copy your token now" name="Token" secret="sideline_7" onClose={() => {}}>
      Keep it like a password.
    </SecretDialog>,
  );
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  onTestFinished(() => write.mockRestore());
  if (!works) write.mockRejectedValue(new Error('not allowed'));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Copy token' }));
  expect((await dialog.findByText(words)).getAttribute('role')).toBe('status');
  if (works) expect(await navigator.clipboard.readText()).toBe('sideline_7');
});
