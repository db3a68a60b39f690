// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  CHOOSE_GALLERY,
  movedBackWords,
  movedWords,
  OTHERS_NOT_MOVED,
  stayedWords,
} from '#src/features/photo-editor/photo-editor.contract.ts';
import { MovePhotos } from '#src/features/photo-editor/ui/move-photos.tsx';
import { show } from '#tests/support/shown-screen.tsx';

/** What was sent to move, and the server's answers to it. */
let sent: { ids: number[]; gallery_id: number }[] = [];
let answers: Response[] = [];
const onDone = vi.fn<(news: string) => void>();
const onClose = vi.fn<() => void>();
const pages = {
  galleryId: 3,
  remove: vi.fn<(ids: readonly number[]) => void>(),
  refresh: vi.fn<(ids?: readonly number[]) => void>(),
};

beforeEach(() => {
  sent = [];
  vi.resetAllMocks();
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string }) => {
    if (address.includes('other_galleries')) return Response.json([{ id: 7, name: 'Cup Final', photo_count: 12 }]);
    sent.push(JSON.parse(body ?? '') as (typeof sent)[number]);
    return answers.shift();
  });
});
afterEach(() => vi.unstubAllGlobals());

async function moveToCupFinal(ids: readonly number[]) {
  const { user } = show(<MovePhotos pages={pages} ids={ids} onClose={onClose} onDone={onDone} />);
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /Gallery/ }));
  const button = screen.getByRole('button', { name: /^Move / });
  await user.click(button);
  expect([screen.getByText(CHOOSE_GALLERY).textContent, sent]).toEqual([CHOOSE_GALLERY, []]);
  await user.click(screen.getByRole('combobox', { name: /Gallery/ }));
  await user.click(await screen.findByRole('option', { name: /Cup Final/ }));
  expect(screen.queryByText(CHOOSE_GALLERY)).toBeNull();
  await user.click(button);
  return user;
}
const moved = (from: number, to: number, stayed: number[] = []) =>
  Response.json({
    moved: Array.from({ length: to - from }, (_, at) => ({ id: from + at, new_id: 9_000 + from + at })),
    stayed,
  });

test('moves the chosen photos to the chosen gallery, says how many stay, and leads there', async () => {
  answers = [moved(1, 3, [3])];
  const user = await moveToCupFinal([1, 2, 3]);
  await screen.findByRole('dialog', { name: movedWords(2, 'Cup Final') });
  expect(sent).toEqual([{ ids: [1, 2, 3], gallery_id: 7 }]);
  expect(screen.getByText(stayedWords(1)).textContent).toBe(stayedWords(1));
  expect(screen.getByRole('link', { name: 'Open gallery' }).getAttribute('href')).toBe('/7/edit');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect([pages.remove.mock.calls, pages.refresh.mock.calls]).toEqual([[[[1, 2]]], []]);
  expect(onDone.mock.calls).toEqual([[`${movedWords(2, 'Cup Final')} ${stayedWords(1)}`]]);
});

test('moves them back, where they come first', async () => {
  answers = [moved(1, 3), Response.json({ error: 'Please try again.' }, { status: 503 }), moved(9_001, 9_003)];
  const user = await moveToCupFinal([1, 2]);
  const back = await screen.findByRole('button', { name: 'Move back' });
  await user.click(back);
  await screen.findByText('Please try again.');
  await user.click(back);
  await waitFor(() => expect(onDone.mock.calls).toEqual([[movedBackWords(2)]]));
  expect(sent.slice(1)).toEqual([
    { ids: [9_001, 9_002], gallery_id: 3 },
    { ids: [9_001, 9_002], gallery_id: 3 },
  ]);
  expect([pages.remove.mock.calls, pages.refresh.mock.calls]).toEqual([[[[1, 2]]], [[[18_001, 18_002]]]]);
});

test('says why if nothing was moved, and loads the list again: the answer may be lost only', async () => {
  answers = [Response.json({ error: 'This gallery was deleted and can no longer be changed.' }, { status: 403 })];
  const user = await moveToCupFinal([1]);
  await screen.findByText('This gallery was deleted and can no longer be changed.');
  expect([onDone.mock.calls, pages.refresh.mock.calls]).toEqual([[], []]);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect([onClose.mock.calls, pages.refresh.mock.calls]).toEqual([[[]], [[[1]]]]);
});

test('many move in portions, and those that moved leave the list although a later portion failed', async () => {
  answers = [moved(1, 501), Response.json({ error: 'Please try again.' }, { status: 503 })];
  const ids = Array.from({ length: 600 }, (_, at) => at + 1);
  const user = await moveToCupFinal(ids);
  await screen.findByText(OTHERS_NOT_MOVED);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(sent.map((call) => call.ids.length)).toEqual([500, 100]);
  expect([pages.remove.mock.calls, pages.refresh.mock.calls]).toEqual([[[ids.slice(0, 500)]], [[ids]]]);
  expect(onDone.mock.calls).toEqual([[`${movedWords(500, 'Cup Final')} ${OTHERS_NOT_MOVED}`]]);
});
