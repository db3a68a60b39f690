import { describe, expect, test } from 'vitest';
import {
  EXPIRY_PAST,
  EXPIRY_TOO_LATE,
  INVITE,
  INVITE_REVERT_MS,
  INVITE_SENT,
  INVITING,
} from '#src/features/collaborators/collaborators.contract.ts';
import {
  collaboratorPath,
  contributorPath,
  hiddenCollaboratorPath,
  readCollabKey,
} from '#src/features/contributors/contributor-paths.rules.ts';
import { endOf, refusalOfEnd } from '#src/features/collaborators/collaborators.rules.ts';
import {
  ownStateOf,
  readContributionPlace,
  writeContributionPlace,
} from '#src/features/contributors/contribution-answers.rules.ts';

test('the invite button says what the specification requires (A§4, 9)', () => {
  expect([INVITE, INVITING, INVITE_SENT, INVITE_REVERT_MS]).toEqual(['Invite', 'Inviting...', 'Invite sent!', 1_000]);
});

describe('the expiration of a link', () => {
  test.each([
    ['2030-07-04', 'America/New_York', '2030-07-05T04:00:00.000Z'],
    ['2030-01-04', 'America/New_York', '2030-01-05T05:00:00.000Z'],
    ['2030-01-04', 'Pacific/Auckland', '2030-01-04T11:00:00.000Z'],
    // The night when the clocks change.
    ['2030-03-09', 'America/New_York', '2030-03-10T05:00:00.000Z'],
    ['2030-03-10', 'America/New_York', '2030-03-11T04:00:00.000Z'],
    ['2030-11-02', 'America/New_York', '2030-11-03T04:00:00.000Z'],
    ['2030-07-04T18:00:00-04:00', 'America/New_York', '2030-07-04T22:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, moment) => {
    expect(endOf(text, zone).toISOString()).toBe(moment);
  });

  const now = new Date('2026-11-21T12:00:00Z');
  test.each([
    ['2026-11-21T12:00:00Z', EXPIRY_PAST],
    ['2026-11-21T12:00:01Z', null],
    ['2031-11-01T00:00:00Z', null],
    ['2032-01-01T00:00:00Z', EXPIRY_TOO_LATE],
  ])('at %s: %s', (end, refusal) => expect(refusalOfEnd(new Date(end), now)).toBe(refusal));
});

describe('addresses', () => {
  test('of the contributor page and of the editor by a key', () => {
    expect(contributorPath('k_1')).toBe('/contributor?contributeKey=k_1');
    expect(collaboratorPath({ affiliate: 'hawks', id: 7 }, 'k_1')).toBe('/hawks/gallery/7/edit?collabKey=k_1');
    expect(hiddenCollaboratorPath('/hawks/gallery/7/edit')).toBe('/hawks/gallery/7/edit?collabKey=kept');
  });

  test.each<[string, { key: string | null } | null]>([
    ['', null],
    ['?area=share', null],
    ['?collabKey=kept', { key: null }],
    ['?collabKey=', { key: '' }],
    ['?collabKey=AAAA', { key: 'AAAA' }],
  ])('%j is parsed as %j', (search, read) => expect(readCollabKey(new URLSearchParams(search))).toEqual(read));
});

describe('a contributor’s own photo', () => {
  const FACTS = {
    status: 'ready',
    showInGallery: false,
    isReviewed: false,
    isRemoved: false,
    isWithdrawn: false,
  } as const;
  test.each([
    ['waiting', {}],
    ['processing', { status: 'processing' }],
    ['failed', { status: 'failed' }],
    ['shown', { showInGallery: true, isReviewed: true }],
    ['processing', { showInGallery: true, status: 'processing' }],
    ['not_chosen', { isReviewed: true }],
    ['not_chosen', { isRemoved: true }],
    ['withdrawn', { isWithdrawn: true, isReviewed: true }],
  ] as const)('is %s with %j', (state, more) => expect(ownStateOf({ ...FACTS, ...more })).toBe(state));
});

describe('the cursor of a list of contributions', () => {
  test('is written and read again', () => {
    const place = { contributorId: 12, orderKey: 'Zz0aV', id: 9_007_199_254_740_991 };
    expect(readContributionPlace(writeContributionPlace(place))).toEqual(place);
  });
  test.each(['', 'x', '1.2', '1.2.', '0.1.a', '1.2.a;b', `1.2.${'a'.repeat(201)}`])('%j is invalid', (text) =>
    expect(readContributionPlace(text)).toBeNull(),
  );
});
