// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { OwnPhotos } from '#src/features/contributors/contribution.client.ts';
import { OwnPhotoList } from '#src/features/contributors/ui/own-photos.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test('a short list that could not be loaded again says so, and "Try again" loads the same again', async () => {
  const photo = {
    id: 1,
    name: 'Goal 1',
    state: 'waiting',
    image_url: null,
    thumbhash: null,
    problem: null,
    width: null,
    height: null,
    may_withdraw: false,
  } as const;
  const own: OwnPhotos = {
    photos: [photo],
    state: 'there',
    problem: 'Not now.',
    hasMore: false,
    isLoadingMore: false,
    more: vi.fn(),
    refresh: vi.fn(),
  };
  const { user } = show(<OwnPhotoList own={own} galleryId={1} contributeKey="key" />);
  expect(screen.getByRole('alert').textContent).toBe('Not now.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(own.more).toHaveBeenCalledOnce();
});
