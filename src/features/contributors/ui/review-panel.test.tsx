// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { WaitingPage } from '#src/features/contributors/contributors.contract.ts';
import { useReview } from '#src/features/contributors/review.client.ts';
import { ReviewPanel } from '#src/features/contributors/ui/review-panel.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const photo = (id: number, contributor: number): WaitingPage['photos'][number] => ({
  id,
  contributor_id: contributor,
  name: `photo-${id}.jpg`,
  image_url: '/x?v=1',
  width: 3,
  height: 2,
  thumbhash: null,
  status: 'ready',
  taken_at: null,
  is_blurry: false,
  similar_to: null,
});
const person = (id: number, name: string, email: string): WaitingPage['contributors'][number] => ({
  id,
  name,
  email,
  site: null,
  instagram: null,
  waiting: 1,
  sent_at: '2026-11-20T12:00:00Z',
});
/** Ana sent twice, Ben once. */
const WAITING: WaitingPage = {
  photos: [photo(11, 1), photo(12, 1), photo(13, 2), photo(14, 3)],
  contributors: [
    person(1, 'Ana Flores', 'ana@families.test'),
    person(2, 'Ana Flores', 'ANA@families.test'),
    person(3, 'Ben Otieno', 'ben@families.test'),
  ],
  next: null,
  total: 4,
};

function Screen() {
  const review = useReview(7, WAITING);
  return (
    <>
      <p>{review.left} wait</p>
      {review.current && <ReviewPanel review={review} current={review.current} />}
    </>
  );
}

test('one photo is rejected after a question in the words of its button', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({ ids: [11] });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<Screen />);
  await user.click(screen.getByRole('button', { name: 'Reject' }));
  const question = within(screen.getByRole('alertdialog', { name: 'Reject this photo?' }));
  question.getByText('photo-11.jpg');
  await user.click(question.getByRole('button', { name: 'Reject' }));
  expect(await screen.findByText('3 wait')).toBeTruthy();
  expect(sent).toEqual([{ decision: 'reject', ids: [11] }]);
});

test('all photos of one person are rejected at once, after a question, and those of others still wait', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({ ids: [11, 12, 13] });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<Screen />);
  await user.click(screen.getByRole('button', { name: 'Reject all of Ana Flores' }));
  const question = () => within(screen.getByRole('alertdialog', { name: 'Reject all photos of this person?' }));
  await user.click(question().getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await user.keyboard('{Shift>}R{/Shift}');
  question().getByText(
    /^All waiting photos that were sent as Ana Flores \(ana@families\.test\) are removed, also those/,
  );
  await user.click(question().getByRole('button', { name: 'Reject all' }));
  expect(await screen.findByText('1 wait')).toBeTruthy();
  expect(sent).toEqual([{ decision: 'reject', contributor_id: 1, up_to: 2 }]);
  expect(screen.getByRole('heading', { name: 'photo-14.jpg' })).toBeTruthy();
  expect(screen.queryByText('Ana Flores')).toBeNull();
});

test('after the photos of a person are removed, the focus is on the next person', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ ids: [11, 12, 13] }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = show(<Screen />);
  await user.click(screen.getByRole('button', { name: 'Reject all of Ana Flores' }));
  await user.click(screen.getByRole('button', { name: 'Reject all' }));
  await screen.findByText('1 wait');
  await expect.poll(() => document.activeElement?.textContent).toBe('Ben Otieno');
});
