/** Which consent for a child applies, and which of two (athletes specification B.5, B.7). */
import { expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import {
  consentAfter,
  consentAfterCard,
  strictestOf,
  stricterOf,
  type ConsentStatus,
} from '#src/features/consent/consent.rules.ts';

test.each<[club: Consent, card: Consent, holds: Consent]>([
  ['unknown', 'yes', 'yes'],
  ['yes', 'yes', 'yes'],
  ['yes', 'family', 'family'],
  ['family', 'yes', 'family'],
  ['family', 'no', 'no'],
  ['no', 'yes', 'no'],
  ['no', 'family', 'no'],
])('where the club says %s and a card %s, %s applies', (club, card, holds) => {
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

test.each<[one: Consent, other: Consent, meant: Consent, holds: Consent]>([
  ['yes', 'no', 'yes', 'no'],
  ['family', 'yes', 'yes', 'family'],
  ['unknown', 'unknown', 'no', 'unknown'],
  ['unknown', 'yes', 'yes', 'yes'],
  ['unknown', 'yes', 'family', 'unknown'],
  ['unknown', 'yes', 'no', 'unknown'],
  ['unknown', 'family', 'family', 'family'],
  ['unknown', 'family', 'no', 'no'],
  ['unknown', 'no', 'no', 'no'],
])('of "%s" and "%s", where "unknown" means %s, "%s" applies', (one, other, meant, holds) => {
  expect([stricterOf(one, other, meant), stricterOf(other, one, meant)]).toEqual([holds, holds]);
});

test.each<[families: Consent[], club: Consent, file: Consent, holds: Consent]>([
  // A stricter file wins, and a later one may loosen that, but never what the family said.
  [['family'], 'yes', 'no', 'no'],
  [['family'], 'no', 'yes', 'family'],
  [['family'], 'no', 'unknown', 'family'],
  [['no'], 'yes', 'family', 'no'],
  [['yes', 'family'], 'yes', 'yes', 'family'],
])(
  'where families said %j and the club %s, and then "%s" is in a file, "%s" applies',
  (families, clubConsent, file, holds) => {
    const consent = strictestOf([clubConsent, ...families]);
    expect(consentAfter({ consent, by: 'family', clubConsent, families }, file, 'import')).toBe(holds);
  },
);

test.each<[before: Consent, by: ConsentStatus['by'], file: Consent, holds: Consent]>([
  ['no', 'family', 'yes', 'no'],
  ['no', 'member', 'yes', 'no'],
  ['yes', 'member', 'family', 'family'],
  ['unknown', 'member', 'yes', 'yes'],
  ['no', 'import', 'yes', 'yes'],
  ['no', null, 'yes', 'yes'],
])('after "%s" by %s, and "%s" in a file, "%s" applies', (consent, by, file, holds) => {
  expect(consentAfter({ consent, by, clubConsent: null, families: [] }, file, 'import')).toBe(holds);
});
