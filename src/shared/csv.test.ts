import { expect, test } from 'vitest';
import { CSV_MARK, csvLine, writeCsv, type CsvCell } from './csv.ts';
import { cents } from './money.ts';

test.each<[CsvCell, string]>([
  ['Hawks', '"Hawks"'],
  ['Hawks, "the" best', '"Hawks, ""the"" best"'],
  ['two\nlines', '"two\nlines"'],
  ['Zoë 🏆', '"Zoë 🏆"'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@sum', `"'@sum"`],
  ['\tcmd', `"'\tcmd"`],
  ['\rcmd', `"'\rcmd"`],
  ['\0cmd', `"'\0cmd"`],
  ['a=b', '"a=b"'],
  ['', '""'],
  [12, '"12"'],
  [{ cents: cents(123_450) }, '"1234.50"'],
  [{ cents: cents(5) }, '"0.05"'],
  [{ cents: cents(-5) }, '"-0.05"'],
  [{ cents: cents(-123_499) }, '"-1234.99"'],
  [{ cents: cents(0) }, '"0.00"'],
  [{ cents: cents(9_007_199_254_740_991) }, '"90071992547409.91"'],
])('%j is written as %s', (cell, written) => {
  expect(writeCsv(['Head'], [[cell]])).toBe(`\uFEFF"Head"\r\n${written}\r\n`);
});

test('a file written line by line equals the file written as a whole', () => {
  const rows: CsvCell[][] = [
    ['=1', 7],
    ['two\nlines', { cents: cents(250) }],
  ];
  expect(CSV_MARK + csvLine(['Name', 'Amount']) + rows.map(csvLine).join('')).toBe(writeCsv(['Name', 'Amount'], rows));
});
