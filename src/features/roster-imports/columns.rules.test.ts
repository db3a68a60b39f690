import { expect, test } from 'vitest';
import { cellsOf, guessColumns, readColumns } from '#src/features/roster-imports/columns.rules.ts';
import { sampleFile } from '#src/features/roster/sample-file.rules.ts';
import { COLUMN_TWICE } from '#src/features/roster-imports/roster-imports.contract.ts';

const NONE: string[][] = [];

test.each<[string, string[], (string | null)[]]>([
  [
    'English',
    ['First Name', 'LAST NAME', 'Jersey #', 'Team', 'Parent 1 Email', 'Photo Consent'],
    ['first_name', 'last_name', 'number', 'team', 'family_email', 'consent'],
  ],
  [
    'Spanish',
    ['Nombre', 'Apellidos', 'Dorsal', 'Equipo', 'Correo electrónico', 'Autorización'],
    ['first_name', 'last_name', 'number', 'team', 'family_email', 'consent'],
  ],
  [
    'French',
    ['Prénom', 'Nom', 'N°', 'Équipe', 'Courriel des parents', 'Droit à l’image'],
    ['first_name', 'last_name', 'number', 'team', 'family_email', 'consent'],
  ],
  [
    'German',
    ['Vorname', 'Name', 'Rückennummer', 'Mannschaft', 'E-Mail Eltern', 'Einwilligung'],
    ['first_name', 'last_name', 'number', 'team', 'family_email', 'consent'],
  ],
  [
    'German compounds with hyphens',
    ['Vor-Name', 'Nach-Name', 'Rücken-Nummer', 'Team', 'Eltern-E-Mail', 'Foto-Erlaubnis'],
    ['first_name', 'last_name', 'number', 'team', 'family_email', 'consent'],
  ],
  [
    'our own names',
    ['first_name', 'last_name', 'number', 'team', 'season', 'family_email', 'consent', 'external_id'],
    ['first_name', 'last_name', 'number', 'team', 'season', 'family_email', 'consent', 'external_id'],
  ],
  ['one column for the name', ['Player', 'No.', 'Squad', 'Shoe size'], ['name', 'number', 'team', null]],
  ['a family name alone', ['Nom', 'Dossard'], ['name', 'number']],
  ['several addresses', ['Name', 'Mother Email', 'Father email'], ['name', 'family_email', 'family_email']],
  ['a heading that comes twice', ['First name', 'First name'], ['first_name', null]],
])('columns are recognized by their headings: %s', (_language, headings, fields) => {
  expect(guessColumns(headings, NONE)).toEqual(fields);
});

test.each<[string, string[], (string | null)[]]>([
  ['email', ['a@b.test', 'c@d.test; e@f.test', ''], ['name', 'family_email']],
  ['digits', ['10', '7', '00'], ['name', 'number']],
  // "Paid" says nothing about photos.
  ['paid', ['yes', 'no', 'yes'], ['name', null]],
  ['Photo OK?', ['yes', 'no', 'Family'], ['name', 'consent']],
  // Yes here means no.
  ['No photos', ['yes', 'no', 'yes'], ['name', null]],
  ['Opt out of photos', ['yes', 'no', 'yes'], ['name', null]],
  ['remarks', ['late', '10', 'a@b.test'], ['name', null]],
  ['empty', ['', '', ''], ['name', null]],
])(
  'a column with an unknown heading is recognized by its content, where that is safe: %s',
  (heading, cells, fields) => {
    expect(
      guessColumns(
        ['Player', heading],
        cells.map((cell) => ['Maya', cell]),
      ),
    ).toEqual(fields);
  },
);

test('the user’s choice of columns applies; only addresses may be in several', () => {
  expect(readColumns('first_name:2,family_email:0,family_email:1', 3)).toEqual([
    'family_email',
    'family_email',
    'first_name',
  ]);
  expect(readColumns('first_name:0,first_name:1', 3)).toEqual({ error: COLUMN_TWICE });
  expect(readColumns('first_name:7', 3)).toEqual([null, null, null]);
  expect(cellsOf(['family_email', 'family_email', 'first_name'], ['a@b.test', 'c@d.test', ' Maya '])).toEqual({
    family_email: 'a@b.test; c@d.test',
    first_name: 'Maya',
  });
});

test('the sample file is read correctly', () => {
  const [head = ''] = sampleFile().text.split('\r\n');
  const headings = head.replaceAll(/["\uFEFF]/g, '').split(',');
  expect(guessColumns(headings, NONE)).toEqual([
    'first_name',
    'last_name',
    'number',
    'team',
    'family_email',
    'consent',
    'external_id',
  ]);
});
