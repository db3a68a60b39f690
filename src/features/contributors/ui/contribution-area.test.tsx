// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { InvitedArea } from '#src/features/contributors/ui/contribution-area.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const inviteOf = (key: string, id: number) => ({
  key,
  gallery: { id, name: 'Cup', organization: { id: 3, name: 'Hawks', domain_name: 'hawks' } },
  contributor: null,
});

test('what was typed for an invite is there when its page is opened again, and not on the page of another invite', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/policy') ? new Promise<Response>(() => undefined) : Response.json({ photos: [], next: null }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const name = () => screen.getByLabelText<HTMLInputElement>(/^Name/);
  const { user } = show(<InvitedArea invite={inviteOf('a', 1)} />);
  await user.upload(screen.getByLabelText('Photos to upload'), new File(['x'], 'goal.jpg', { type: 'image/jpeg' }));
  await user.click(name());
  await user.paste('Ana');
  await user.click(screen.getByLabelText(/^Email/));
  await user.paste('ana@families.test');
  await user.click(screen.getByRole('button', { name: 'Send 1 photo' }));
  cleanup();

  show(<InvitedArea invite={inviteOf('b', 2)} />);
  // Fills in what there is, as on the next page.
  await act(async () => undefined);
  expect(name().value).toBe('');
  cleanup();

  show(<InvitedArea invite={inviteOf('a', 1)} />);
  await waitFor(() => expect(name().value).toBe('Ana'));
});
