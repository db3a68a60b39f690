/** Parses one row of a roster, with all its problems (athletes B.4). */
import { MAX_PHOTOS } from '#src/features/allowances/allowances.contract.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { PLAYER_NUMBER } from '#src/features/photos/photos.contract.ts';
import { MAX_EMAILS, MAX_EXTERNAL_ID, MAX_NAME } from '#src/features/roster/roster.contract.ts';
import { foldName } from '#src/features/roster/roster.rules.ts';
import { hasVisibleText, isEmail, tidyText } from '#src/shared/validators.ts';

export type Cells = Record<string, string>;
export type RosterRow = {
  firstName: string;
  lastName: string;
  foldedName: string;
  /** Null: the row has no value, and the existing one stays. */
  number: string | null;
  team: string;
  season: string;
  emails: string[];
  consent: Consent | null;
  externalId: string | null;
  /** Photos that are included with registration. */
  includedPhotos: number | null;
};

const CONSENTS: [consent: Consent, words: RegExp][] = [
  ['yes', /^(?:yes|y|true|1|ok|allowed|granted|si|oui|ja|vrai|wahr|verdadero)$/],
  ['no', /^(?:no|n|false|0|denied|never|non|nein|faux|falsch|falso|nie)$/],
  [
    'family',
    /^(?:(?:only )?(?:to )?(?:the )?family(?: only)?|(?:solo )?(?:la )?familia|(?:seulement )?(?:la )?famille|(?:nur )?(?:die )?familie)$/,
  ],
  ['unknown', /^(?:unknown|\?|not asked|desconocido|inconnu|unbekannt)$/],
];

/** Null for a blank cell; undefined for a text that is not a consent. */
export function consentOf(text: string): Consent | null | undefined {
  const word = foldName(text);
  if (word === '') return null;
  return CONSENTS.find(([, known]) => known.test(word))?.[0];
}

const oneLine = (text: string | undefined) => tidyText(text ?? '').replaceAll(/\s+/g, ' ');

/** "Rivera, Maya" and "Maya Rivera". */
function namesOf(cells: Cells): [first: string, last: string] {
  const [first, last, both] = [oneLine(cells['first_name']), oneLine(cells['last_name']), oneLine(cells['name'])];
  if (first !== '' || both === '') return [first, last];
  const [family = '', given = ''] = both.split(',', 2).map((part) => part.trim());
  if (given !== '') return [given, family];
  const [head = '', ...rest] = both.split(' ');
  return [head, [...rest, last].join(' ').trim()];
}

/** The values of a row, and its problems without "Row n: ". */
export function readRow(cells: Cells): { values: RosterRow; errors: string[] } {
  const [firstName, lastName] = namesOf(cells);
  const number = oneLine(cells['number']).replace(/^(?:#|no\.?|nr\.?)\s*/i, '');
  const emails = oneLine(cells['family_email'])
    .split(/[;,\s]+/)
    .filter((email) => email !== '')
    .map((email) => email.toLowerCase());
  const consent = consentOf(cells['consent'] ?? '');
  const externalId = oneLine(cells['external_id']);
  const included = oneLine(cells['included_photos']);
  const includedPhotos = /^0*\d{1,3}$/.test(included) ? Number(included) : null;
  const errors = [
    ...(hasVisibleText(firstName) ? [] : [words.FIRST_NAME_REQUIRED]),
    ...([firstName, lastName, oneLine(cells['team'])].some((name) => name.length > MAX_NAME)
      ? [words.NAME_TOO_LONG]
      : []),
    ...(number === '' || PLAYER_NUMBER.test(number) ? [] : [words.NUMBER_NOT_VALID]),
    ...(emails.every(isEmail) ? [] : [words.EMAIL_NOT_VALID]),
    ...(emails.length > MAX_EMAILS ? [words.TOO_MANY_EMAILS] : []),
    ...(consent === undefined ? [words.notAConsent(oneLine(cells['consent']))] : []),
    ...(included === '' || (includedPhotos !== null && includedPhotos <= MAX_PHOTOS) ? [] : [words.INCLUDED_NOT_VALID]),
    ...(externalId.length > MAX_EXTERNAL_ID ? [words.ID_TOO_LONG] : []),
  ];
  const values = {
    firstName,
    lastName,
    foldedName: foldName(firstName, lastName),
    number: number === '' ? null : number,
    team: oneLine(cells['team']),
    season: oneLine(cells['season']),
    emails: [...new Set(emails)],
    consent: consent ?? null,
    externalId: externalId === '' ? null : externalId,
    includedPhotos: includedPhotos === 0 ? null : includedPhotos,
  };
  return { values, errors };
}
