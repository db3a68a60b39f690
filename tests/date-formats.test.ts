/** One format for dates (rule 55): no file formats a day or a time on its own. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = globSync('src/**/*.{ts,tsx}', { cwd: import.meta.dirname + '/..' }).filter(
  (file) => !/\.test\./.test(file),
);
const textOf = (file: string) => readFileSync(`${import.meta.dirname}/../${file}`, 'utf8');
const filesWith = (pattern: RegExp) => FILES.filter((file) => pattern.test(textOf(file))).toSorted();

test('days and times are formatted in one place', () => {
  expect(filesWith(/Intl\.DateTimeFormat|toLocale(Date|Time)String|toDateString|date-fns|dayjs/)).toEqual([
    // The offset of a time zone, never shown.
    'src/features/collaborators/collaborators.rules.ts',
    // "October 2026": a month is not a day.
    'src/features/statements/statements.rules.ts',
    'src/shared/dates.ts',
  ]);
});

test('only the platform’s admin report, its page and its file, writes dd-MM-yyyy', () => {
  expect(filesWith(/\breportDay\b/)).toEqual([
    'src/features/admin-reports/admin-report.page.tsx',
    'src/features/admin-reports/admin-report.rules.ts',
    'src/features/admin-reports/ui/seller-orders.tsx',
    'src/shared/day-range.ts',
  ]);
});
