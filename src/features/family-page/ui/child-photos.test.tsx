// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import { ChildPhotos } from '#src/features/family-page/ui/child-photos.tsx';

const HAWKS = { id: 3, name: 'Hawks', path: 'hawks' };
const PAGE = {
  photos: [],
  next: null,
  total: 0,
  price_per_photo: null,
  unpublished: 0,
  included: null,
  pass: null,
  offers: [],
};

type Page = Parameters<typeof ChildPhotos>[0]['page'];
type Child = Pick<Page['child'], 'consent' | 'hidden'>;

async function showPage({ consent, hidden }: Child, more: Partial<Page> = {}) {
  const child = { id: 4, label: 'Maya R.', team: null, number: '10', consent, hidden };
  const Shown = createRoutesStub([
    {
      path: '/',
      Component: () => <ChildPhotos page={{ ...PAGE, child, ...more }} affiliate={HAWKS} hasSiblings={false} />,
    },
  ]);
  onTestFinished(cleanup);
  render(<Shown />);
  await screen.findByRole('heading', { level: 1 });
}

test.each([
  ['only its family may see', 'family', true, 1],
  ['was never asked about, and whose photos are hidden meanwhile', 'unknown', true, 1],
  ['everybody may see', 'yes', false, 0],
  ['no one may see, not even here', 'no', true, 0],
] as const)('a child that %s has the sentence about it', async (_name, consent, hidden, sentences) => {
  await showPage({ consent, hidden });
  expect(screen.queryAllByText('Photos of Maya are hidden from everybody but this page.').length).toBe(sentences);
});

test.each([
  ['has no photos yet', { consent: 'yes', hidden: false }, 0, 'No photos of Maya yet. We can tell you when there are.'],
  [
    'has photos that wait',
    { consent: 'yes', hidden: false },
    3,
    'You will see them here if your team publishes them. We can tell you then.',
  ],
] as const)('a child that %s can be watched', async (_name, child, unpublished, why) => {
  await showPage(child, { unpublished });
  screen.getByText(why);
  await screen.findByLabelText('Your email');
});

test('after "no" the page says once that nobody sees the photos and what changes it, and offers no emails', async () => {
  await showPage({ consent: 'no', hidden: true }, { unpublished: 3 });
  screen.getByText('3 photos are not published');
  screen.getByText(/^No one can see photos of Maya, .* choose “Show photos of Maya again” in the menu\.$/);
  expect(screen.queryByText(/No photos of Maya yet/)).toBeNull();
  expect(screen.queryByLabelText('Your email')).toBeNull();
  expect(screen.queryByText('Loading...')).toBeNull();
});
