// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { OwnPhoto } from '#src/features/contributors/contributors.contract.ts';
import { OwnPhotoList } from '#src/features/contributors/ui/own-photos.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const photo = (id: number): OwnPhoto => ({
  id,
  name: `fence-${id}.jpg`,
  state: 'waiting',
  problem: null,
  image_url: `/picture/${id}?own=proof`,
  width: 30,
  height: 20,
  thumbhash: null,
  may_withdraw: true,
  numbers: [],
});
const nothing = () => undefined;

/** Opens the first of two photos large. Returns what is sent, and the large photo. */
async function openFirst() {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
    sent.push([address, JSON.parse(body)]);
    return Response.json(JSON.parse(body));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const photos = [photo(1), photo(2)];
  const own = { photos, state: 'there', problem: null, hasMore: false, isLoadingMore: false } as const;
  const { user } = show(
    <OwnPhotoList own={{ ...own, more: nothing, refresh: nothing }} galleryId={3} contributeKey="key" />,
  );
  await user.click(screen.getByRole('button', { name: 'Open fence-1.jpg' }));
  const stage = within(await screen.findByRole('dialog', { name: 'Photos' }));
  return { user, stage, sent };
}

test('a number that is typed on the large photo is saved when a swipe takes its field away', async () => {
  const { user, stage, sent } = await openFirst();
  await user.type(stage.getByLabelText('Numbers on it fence-1.jpg'), '23');
  // Unlike a press on the arrow, a swipe leaves the focus in the field.
  fireEvent.click(stage.getByRole('link', { name: 'Next photo' }));
  await stage.findByLabelText('Numbers on it fence-2.jpg');
  await waitFor(() =>
    expect(sent).toEqual([['/api/v1/contributor/photos/1/numbers?gallery_id=3', { numbers: ['23'] }]]),
  );
});

test('Enter saves and opens the next photo, and after the last one ends the typing instead of beginning again', async () => {
  const { user, stage, sent } = await openFirst();
  await user.type(stage.getByLabelText('Numbers on it fence-1.jpg'), '23{Enter}');
  const last = await stage.findByLabelText('Numbers on it fence-2.jpg');
  expect(last.getAttribute('enterkeyhint')).toBe('done');
  await user.type(last, '7{Enter}');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(stage.getByLabelText('Numbers on it fence-2.jpg')).toBe(last);
  expect(document.activeElement).not.toBe(last);
});
