import { afterEach, expect, test, vi } from 'vitest';
import { setPhotosShown } from '#src/features/photo-editor/showing.client.ts';

afterEach(() => vi.unstubAllGlobals());

test.each<[string, Response, number | null, string[]]>([
  ['all of them', Response.json({ updated: 3 }), 3, ['shown']],
  ['those that another window has left in the gallery', Response.json({ updated: 1 }), 1, ['shown', 'refreshed']],
  ['none, if all were moved away', Response.json({ updated: 0 }), 0, ['shown', 'refreshed']],
  ['none, if it was refused', Response.json({ error: 'No.', errors: {} }, { status: 403 }), null, []],
])('hiding three photos hides %s', async (_which, answer, count, wanted) => {
  vi.stubGlobal('fetch', async () => answer);
  const done: string[] = [];
  const pages = {
    galleryId: 5,
    setShown: () => void done.push('shown'),
    refresh: () => void done.push('refreshed'),
  };
  expect(await setPhotosShown(pages, [1, 2, 3], false)).toBe(count);
  expect(done).toEqual(wanted);
});
