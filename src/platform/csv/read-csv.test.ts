import { describe, expect, test } from 'vitest';
import { readCsv, UnreadableCsv, type CsvRecord } from '#src/platform/csv/read-csv.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

async function read(bytes: Uint8Array | string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const record of readCsv(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)) records.push(record);
  return records;
}
const cellsOf = async (bytes: Uint8Array | string) => (await read(bytes)).map(({ cells }) => cells);
const swap = (bytes: Buffer) => Buffer.from(bytes).swap16();

const WORDS = [
  ['name', 'städt'],
  ['Zoë', 'Ñandú “x”'],
];
const TEXT = 'name,städt\nZoë,Ñandú “x”\n';

describe('a file in any encoding', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 LE with its mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16 BE with its mark', swap(Buffer.from(`\uFEFF${TEXT}`, 'utf16le'))],
    ['UTF-16 LE without', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 BE without', swap(Buffer.from(TEXT, 'utf16le'))],
    ['Windows-1252', Buffer.from('name,st\xe4dt\nZo\xeb,\xd1and\xfa \x93x\x94\n', 'latin1')],
  ])('%s', async (_name, bytes) => {
    expect(await cellsOf(bytes)).toEqual(WORDS);
  });

  test('in two pieces keeps a character that they share', async () => {
    const name = 'ä'.repeat(30_000);
    expect(await cellsOf(`a${name},b\nc,${name}`)).toEqual([
      [`a${name}`, 'b'],
      ['c', name],
    ]);
  });
});

test.each([
  ['comma', 'a,"b;\t1"\n2,3'],
  ['semicolon', 'a;"b,\t1"\n2;3'],
  ['tab', 'a\t"b;,1"\n2\t3'],
])('%s between the cells', async (_name, text) => {
  expect((await cellsOf(text)).map(({ length }) => length)).toEqual([2, 2]);
});

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('%s between the rows', async (_name, end) => {
  expect(await cellsOf(['a,b', '1,2', '3,4'].join(end) + end)).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('rows are counted like in a spreadsheet: blank lines count, lines within quotes do not', async () => {
  expect(await read('a,b\n\n"1\n1",2\n,\n5,6')).toEqual([
    { row: 1, cells: ['a', 'b'] },
    { row: 2, cells: [''] },
    { row: 3, cells: ['1\n1', '2'] },
    { row: 4, cells: ['', ''] },
    { row: 5, cells: ['5', '6'] },
  ]);
});

test('doubled quotes, empty and formula cells are text', async () => {
  expect(await cellsOf('"a ""x""",,"=1+1"')).toEqual([['a "x"', '', '=1+1']]);
});

test('an empty file has no rows', async () => {
  expect(await read('')).toEqual([]);
});

test.each([
  ['a quote that is never closed', 'a,b\n1,"2\n3,4', 'From row 2 on, a quotation mark is opened and never closed.'],
  ['something after a quote', 'a,b\n1,"2"3\n', 'Row 2 has a misplaced quotation mark.'],
  ['a quote within a word', 'a,b\n1,2"3\n', 'Row 2 has a misplaced quotation mark.'],
  ['one behind many rows', `a,b\n${'1,2\n'.repeat(3_000)}1,2"3\n`, 'Row 3002 has a misplaced quotation mark.'],
  ['U+0000', 'a,b\n1,2\0\n', 'This file is not a text file.'],
  ['a zip', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 8, 0, 1, 2]), 'This file is not a text file.'],
  ['5,000 columns', `${'a,'.repeat(4_999)}b\n`, 'Row 1 has 5,000 columns.'],
  ['a cell of 10 MB', `a,b\n1,${'x'.repeat(10_000_000)}`, 'Row 2 is longer than any account or gallery needs.'],
  ['a quoted one', `a,b\n1,"${'x'.repeat(10_000_000)}"`, 'Row 2 is longer than any account or gallery needs.'],
  ['half a character', Buffer.from('\uFEFFa,b\n1,\uD800', 'utf16le'), 'This file is not a text file.'],
])('%s is refused with a message', async (_name, bytes, sentence) => {
  const refuse = async () => {
    await expect(read(bytes)).rejects.toThrow(UnreadableCsv);
    await expect(read(bytes)).rejects.toThrow(sentence);
  };
  expect(await processorMsOf(refuse)).toBeLessThan(2_000);
});

test('20 MB of empty lines at the end cost nothing', async () => {
  const text = `a,b\n1,2\n${'\r\n'.repeat(10_000_000)}`;
  const readAll = async () =>
    expect(await cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  expect(await processorMsOf(readAll)).toBeLessThan(2_000);
});

test('more lines than any of our files has are refused before they are all read', async () => {
  await expect(read(`a,b\n${','.repeat(3)}${'\n'.repeat(1_000_000)}1,2`)).rejects.toThrow(
    'This file has more than 50,000 lines.',
  );
});

test('reading only the first rows of a large file is quick, and does not block other work', async () => {
  const large = Buffer.from(`a,b\n${'1,2\n'.repeat(1_000_000)}`);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  let seen = 0;
  for await (const { row } of readCsv(large)) {
    seen = row;
    if (row === 40_000) break;
  }
  clearInterval(timer);
  expect(seen).toBe(40_000);
  expect(turns).toBeGreaterThan(3);
});
