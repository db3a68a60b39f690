// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Line } from '#src/features/downloads/ui/download-photo.ts';
import { SaveButton } from '#src/features/downloads/ui/save-all.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const line = (id: number): Line => ({
  id,
  order_key: 'key',
  photo: { id, gallery_id: 7, name: `Goal ${id}`, image_url: '/x' },
});
const photoOf = (address: string) => Number(/gallery_photos\/(\d+)/.exec(address)?.[1]);

test('downloads skip a photo that is gone, and continue after a broken connection where they stopped', async () => {
  let isBroken = true;
  vi.stubGlobal('fetch', async (address: string) => {
    const id = photoOf(address);
    if (id === 3 && isBroken) throw new TypeError('no network');
    return id === 1 ? Response.json({}, { status: 404 }) : new Response('jpeg');
  });
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  onTestFinished(() => {
    click.mockRestore();
    vi.unstubAllGlobals();
  });
  const { user } = show(<SaveButton lines={[1, 2, 3].map(line)} way="download" />);
  await user.click(screen.getByRole('button', { name: 'Download all 3 photos' }));
  await screen.findByText(/^The connection was lost\..* 1 photo is no longer available\.$/);
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Save the other 1' }));
  await screen.findByText('Done. All 2 photos are in your downloads. 1 photo is no longer available.');
  expect(saved).toEqual(['Goal 2.jpg', 'Goal 3.jpg']);
});

test('a photo whose file cannot be read does not keep the others from being saved, and is tried again with them', async () => {
  let isLost = true;
  vi.stubGlobal('fetch', async (address: string) =>
    photoOf(address) === 1 && isLost ? Response.json({}, { status: 503 }) : new Response('jpeg'),
  );
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  onTestFinished(() => {
    click.mockRestore();
    vi.unstubAllGlobals();
  });
  const { user } = show(<SaveButton lines={[1, 2].map(line)} way="download" />);
  await user.click(screen.getByRole('button', { name: 'Download all 2 photos' }));
  await screen.findByText(
    'Done. Your photo is in your downloads. 1 photo can’t be loaded. Please try again later, or ask the organization.',
  );
  isLost = false;
  await user.click(screen.getByRole('button', { name: 'Save it again' }));
  await user.click(screen.getByRole('button', { name: 'Download all 2 photos' }));
  await screen.findByText('Done. All 2 photos are in your downloads.');
});

test('a phone saves the rest after a batch with photos that are gone', async () => {
  const shared: string[] = [];
  const share = async ({ files }: { files: File[] }) => void shared.push(...files.map(({ name }) => name));
  Object.assign(navigator, { share });
  vi.stubGlobal('fetch', async (address: string) =>
    [1, 20, 22].includes(photoOf(address)) ? Response.json({}, { status: 404 }) : new Response('jpeg'),
  );
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'share');
    vi.unstubAllGlobals();
  });
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);
  const { user } = show(<SaveButton lines={ids.map(line)} way="share" />);
  await user.click(screen.getByRole('button', { name: 'Save all 30 to my phone' }));
  await screen.findByText('20 of 27 are saved. Press again for the others. 3 photos are no longer available.');
  await user.click(screen.getByRole('button', { name: 'Save the other 7' }));
  await screen.findByText('Done. All 27 photos went to the place you chose. 3 photos are no longer available.');
  expect(shared).toEqual(ids.filter((id) => ![1, 20, 22].includes(id)).map((id) => `Goal ${id}.jpg`));
});
