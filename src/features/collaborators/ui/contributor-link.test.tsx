// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ContributorLinkPart } from '#src/features/collaborators/ui/contributor-link.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test.each([
  ['America/New_York', '2030-07-05T04:00:00.000Z'],
  ['America/Los_Angeles', '2030-07-05T07:00:00.000Z'],
  ['Pacific/Honolulu', '2030-07-05T10:00:00.000Z'],
  ['Pacific/Guam', '2030-07-04T14:00:00.000Z'],
])('a link that works on the whole of July 4 in %s shows that day', (timeZone, end) => {
  const link = { contribute_key: 'k_1', url: 'https://club.test/contributor', expires_at: end, is_expired: false };
  const facts = { ...link, quota: null, used: 0 };
  show(<ContributorLinkPart galleryId={3} link={facts} timeZone={timeZone} isOnPage onChanged={() => {}} />);
  expect(screen.getByText('07.04.2030')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Works until').value).toBe('2030-07-04');
});
