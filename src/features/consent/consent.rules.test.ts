/** Whose word about a child holds, as tables. */
import { expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { consentAfter, consentAfterCard } from '#src/features/consent/consent.rules.ts';

test.each<[club: Consent, card: Consent, holds: Consent]>([
  ['unknown', 'yes', 'yes'],
  ['yes', 'yes', 'yes'],
  ['yes', 'family', 'family'],
  ['family', 'yes', 'family'],
  ['family', 'no', 'no'],
  ['no', 'yes', 'no'],
  ['no', 'family', 'no'],
])('where the club says %s and a card %s, %s holds', (club, card, holds) => {
  const first = { consent: club, by: 'import', clubConsent: null, families: [card] } as const;
  expect(consentAfter(first, card, 'family')).toBe(holds);
  expect(consentAfter({ ...first, consent: 'no', by: 'family', clubConsent: club }, card, 'family')).toBe(holds);
});

test.each<[now: Consent, club: Consent | null, others: Consent[], holds: Consent]>([
  ['yes', 'unknown', [], 'unknown'],
  ['yes', null, [], 'unknown'],
  ['yes', 'yes', [], 'yes'],
  ['yes', 'unknown', ['yes'], 'yes'],
  ['yes', 'family', ['yes'], 'family'],
  ['no', 'yes', [], 'no'],
  ['family', 'yes', ['yes'], 'family'],
])(
  'when a card ends, %s with the club’s %s and the other cards’ %j becomes %s',
  (consent, clubConsent, families, holds) => {
    expect(consentAfterCard({ consent, by: 'family', clubConsent, families })).toBe(holds);
    expect(consentAfterCard({ consent, by: 'member', clubConsent: null, families: [] })).toBe(consent);
  },
);
