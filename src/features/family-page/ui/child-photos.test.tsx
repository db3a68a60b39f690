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

test.each([
  ['only its family may see', 'family', true, 1],
  ['was never asked about, and whose photos are hidden meanwhile', 'unknown', true, 1],
  ['everybody may see', 'yes', false, 0],
  ['no one may see, not even here', 'no', true, 0],
] as const)('a child that %s has the sentence about it', async (_name, consent, hidden, sentences) => {
  const child = { id: 4, label: 'Maya R.', team: null, number: '10', consent, hidden };
  const Page = createRoutesStub([
    { path: '/', Component: () => <ChildPhotos page={{ ...PAGE, child }} affiliate={HAWKS} hasSiblings={false} /> },
  ]);
  onTestFinished(cleanup);
  render(<Page />);
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryAllByText('Photos of Maya are hidden from everybody but this page.').length).toBe(sentences);
});
