/** One format for dates (rule 55): no file formats a day or a time on its own. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ALL = globSync('{src,tests}/**/*.{ts,tsx}', { cwd: import.meta.dirname + '/..' });
const FILES = ALL.filter((file) => file.startsWith('src/') && !/\.test\./.test(file));
const textOf = (file: string) => readFileSync(`${import.meta.dirname}/../${file}`, 'utf8');
const filesWith = (pattern: RegExp, files = FILES) => files.filter((file) => pattern.test(textOf(file))).toSorted();

test('days and times are formatted in one place', () => {
  expect(filesWith(/Intl\.DateTimeFormat|toLocale(Date|Time)String|toDateString|date-fns|dayjs/)).toEqual([
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

// In the evening of New York, UTC has the next day, and on the last day of a month the next month.
test('the day or month of a moment is that of a time zone (`machineDay`), in tests, too', () => {
  expect(filesWith(/toISOString\(\)\.(slice|split|substr)\w*\((?!0, (19|-1))/, ALL)).toEqual(
    [
      // The job's schedule is in UTC.
      'src/features/statements/statement-emails.service.ts',
      // Arithmetic with days.
      'src/features/order-offers/sold-passes.rules.ts',
      'src/shared/day-range.ts',
      // Rows of years, for the time that statements take.
      'tests/load/hot-statements.ts',
    ].toSorted(),
  );
});
