// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  CHOOSE_GALLERY,
  movedWords,
  OTHERS_NOT_MOVED,
  stayedWords,
} from '#src/features/photo-editor/photo-editor.contract.ts';
import { MovePhotos } from '#src/features/photo-editor/ui/move-photos.tsx';
import { show } from '#tests/support/shown-screen.tsx';

/** What was sent to move, and the server's answers to it. */
let sent: { ids: number[]; gallery_id: number }[] = [];
let answers: Response[] = [];
const onDone = vi.fn<(moved: readonly number[], news: string) => void>();

beforeEach(() => {
  sent = [];
  onDone.mockReset();
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string }) => {
    if (address.includes('other_galleries')) return Response.json([{ id: 7, name: 'Cup Final', photo_count: 12 }]);
    sent.push(JSON.parse(body ?? '') as (typeof sent)[number]);
    return answers.shift();
  });
});
afterEach(() => vi.unstubAllGlobals());

async function moveToCupFinal(ids: readonly number[]) {
  const { user } = show(<MovePhotos pages={{ galleryId: 3 }} ids={ids} onClose={() => undefined} onDone={onDone} />);
  const button = screen.getByRole('button', { name: /^Move / });
  await user.click(button);
  expect([screen.getByText(CHOOSE_GALLERY).textContent, sent]).toEqual([CHOOSE_GALLERY, []]);
  await user.click(screen.getByRole('combobox', { name: /Gallery/ }));
  await user.click(await screen.findByRole('option', { name: /Cup Final/ }));
  expect(screen.queryByText(CHOOSE_GALLERY)).toBeNull();
  await user.click(button);
}
const moved = (from: number, to: number, stayed: number[] = []) =>
  Response.json({
    moved: Array.from({ length: to - from }, (_, at) => ({ id: from + at, new_id: 9_000 + from + at })),
    stayed,
  });

test('moves the chosen photos to the chosen gallery, and says how many stay', async () => {
  answers = [moved(1, 3, [3])];
  await moveToCupFinal([1, 2, 3]);
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(sent).toEqual([{ ids: [1, 2, 3], gallery_id: 7 }]);
  expect(onDone.mock.calls).toEqual([[[1, 2], `${movedWords(2, 'Cup Final')} ${stayedWords(1)}`]]);
});

test('leaves the list as it is and says why if nothing was moved', async () => {
  answers = [Response.json({ error: 'This gallery was deleted and can no longer be changed.' }, { status: 403 })];
  await moveToCupFinal([1]);
  await screen.findByText('This gallery was deleted and can no longer be changed.');
  expect(onDone).not.toHaveBeenCalled();
});

test('many move in portions, and those that moved leave the list although a later portion failed', async () => {
  answers = [moved(1, 501), Response.json({ error: 'Please try again.' }, { status: 503 })];
  const ids = Array.from({ length: 600 }, (_, at) => at + 1);
  await moveToCupFinal(ids);
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(sent.map((call) => call.ids.length)).toEqual([500, 100]);
  expect(onDone.mock.calls).toEqual([[ids.slice(0, 500), `${movedWords(500, 'Cup Final')} ${OTHERS_NOT_MOVED}`]]);
});
