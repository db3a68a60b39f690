import { expect, test } from 'vitest';
import { resultFileName } from '#src/features/bulk-imports/import-answers.rules.ts';
import { NAME_DELETED } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { FILE_NAME_ERASED } from '#src/features/erasures/erasures.contract.ts';

test.each([
  ['Fall Clubs.csv', 'fall-clubs-results'],
  ['fall-clubs-failed-rows.csv', 'fall-clubs-results'],
  ['erased.csv', 'erased-results'],
  [NAME_DELETED, 'import-7-results'],
  [FILE_NAME_ERASED, 'import-7-results'],
  ['.csv', 'import-7-results'],
])('the results of "%s" are called %s', (sent, name) => {
  expect(resultFileName({ id: 7, sent })).toBe(name);
});
