// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { SelectionBar } from '#src/features/photo-editor/ui/selection-bar.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const NOTHING = () => undefined;
const GONE = 'These photos are no longer in this gallery.';

/** Three chosen photos, of which the gallery still has `count`: the others were moved or removed in another window. */
function chooseThree(count: number) {
  vi.stubGlobal('fetch', async () => Response.json({ updated: count, removed: count }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const pages: Partial<EditorPhotos> = {
    galleryId: 3,
    cells: [],
    view: { show: 'default', sort: 'custom', keyword: '' },
    refresh: vi.fn<EditorPhotos['refresh']>(),
    renew: vi.fn<EditorPhotos['renew']>(),
    remove: vi.fn<EditorPhotos['remove']>(),
  };
  const selection = {
    ids: new Set([1, 2, 3]),
    toggle: NOTHING,
    extend: NOTHING,
    all: NOTHING,
    isChoosingAll: false,
    clear: NOTHING,
  };
  const onNews = vi.fn<(words: string) => void>();
  const { user } = show(
    <SelectionBar pages={pages as EditorPhotos} selection={selection} onChanged={NOTHING} onNews={onNews} />,
  );
  return { user, pages, onNews };
}

test.each([
  [3, 'Keywords added to 3 photos.', 0],
  [1, 'Keywords added to 1 photo.', 1],
  [0, GONE, 1],
])('keywords are added to the photos that are still in the gallery: %i', async (count, news, reloads) => {
  const { user, pages, onNews } = chooseThree(count);
  await user.click(screen.getByRole('button', { name: 'Keywords' }));
  await user.type(screen.getByLabelText('Keywords for 3 photos'), 'final');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add keywords' }));
  await vi.waitFor(() => expect(onNews.mock.calls).toEqual([[news]]), { timeout: 20_000 });
  expect(pages.refresh).toHaveBeenCalledTimes(reloads);
});

test.each([
  [3, '3 photos removed.'],
  [1, '1 photo removed.'],
  [0, GONE],
])('only photos that are still in the gallery are said to be removed: %i', async (count, news) => {
  const { user, pages, onNews } = chooseThree(count);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getByRole('button', { name: 'Remove 3 photos' }));
  await vi.waitFor(() => expect(onNews.mock.calls).toEqual([[news]]), { timeout: 20_000 });
  expect(pages.remove).toHaveBeenCalledWith([1, 2, 3]);
});
