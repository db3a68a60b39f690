// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BoughtPhotoList } from '#src/features/downloads/ui/bought-photo.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const photo = { id: 1, gallery_id: 7, name: 'Goal 1', image_url: '/x' };
const paid = { refundable: true } as const;
const GONE = "This photo was withdrawn at a family's wish. It cannot be downloaded.";
const ASK = `${GONE} To ask for your money back, write to the contact at the end of this page, with your order number.`;

const CASES = [
  ['paid', paid, ASK],
  ['refunded or free', {}, GONE],
] as const;

test.each(CASES)('a withdrawn photo that was %s says whether its buyer asks for money', (_what, line, said) => {
  show(<BoughtPhotoList name="bought" lines={[{ id: 1, order_key: null, withdrawn: true, ...line, photo }]} />);
  screen.getByText(said);
});

test('a refunded photo says so, also if its family withdrew it', () => {
  const refunded = { id: 1, order_key: null, refunded: true, photo } as const;
  show(<BoughtPhotoList name="bought" lines={[refunded, { ...refunded, id: 2, withdrawn: true }]} />);
  expect(screen.getAllByText('This photo was refunded. It can no longer be downloaded.')).toHaveLength(2);
});

test.each(CASES)('so does one that was %s and is withdrawn while its page is open', async (_what, line, said) => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 410 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<BoughtPhotoList name="bought" lines={[{ id: 1, order_key: 'key', ...line, photo }]} />);
  await user.click(screen.getByRole('link', { name: 'Download Goal 1' }));
  expect((await screen.findByText(said)).getAttribute('role')).toBe('status');
});

test('a photo whose file the server cannot read says so, and not that it is safe', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 503 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<BoughtPhotoList name="bought" lines={[{ id: 1, order_key: 'key', photo }]} />);
  await user.click(screen.getByRole('link', { name: 'Download Goal 1' }));
  await screen.findByText('This photo can’t be loaded. Please try again later, or ask the organization.');
  expect(screen.queryByText(/is safe/)).toBeNull();
});
