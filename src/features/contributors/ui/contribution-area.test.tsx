// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { InvitedArea } from '#src/features/contributors/ui/contribution-area.tsx';
import { HEIC_HELP } from '#src/features/uploads/uploads.contract.ts';
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

const itemsOfAlerts = () =>
  screen
    .getAllByRole('alert')
    .flatMap((alert) => [...alert.querySelectorAll('li')].map((item) => item.textContent))
    .toSorted();
const paste = async (user: ReturnType<typeof show>['user'], label: RegExp, text: string) => {
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
};
/** Also files that the browser's own dialog would not offer. */
const choose = (file: File) =>
  userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('Photos to upload'), file);

test('all missing fields are named together, and then what is wrong in those that were filled in', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ photos: [], next: null }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<InvitedArea invite={inviteOf('c', 3)} />);
  await user.click(screen.getByRole('button', { name: 'Send photos' }));
  await screen.findByText('Please correct the following error(s):');
  expect(itemsOfAlerts()).toEqual(['Email is required.', 'Name is required.', 'Please add at least one photo.']);
  await paste(user, /^Name/, 'Ana');
  await paste(user, /^Email/, 'nobody');
  await paste(user, /^Website/, 'javascript:alert(1)');
  await choose(new File(['x'], 'notes.txt', { type: 'text/plain' }));
  await screen.findByText(/Only JPEG images can be uploaded\./);
  await choose(new File(['x'], 'IMG_1.HEIC', { type: 'image/heic' }));
  await screen.findByText(HEIC_HELP);
  await user.click(screen.getByRole('button', { name: 'Send photos' }));
  await screen.findAllByText('Invalid email address');
  await screen.findAllByText('Please enter a valid web address.');
});
