import { expect, test } from 'vitest';
import { chosenFile, notStartedMessages, sendFile } from '#src/features/bulk-imports/ui/use-csv-import.ts';

const fileOf = (name: string, bytes = 1) => new File([new Uint8Array(bytes)], name);

test.each([
  ['nothing', [], 'No file selected.'],
  ['another kind', [fileOf('rows.xlsx')], 'Please upload a CSV file only.'],
  ['a hidden ending', [fileOf('rows.csv.txt')], 'Please upload a CSV file only.'],
  ['one byte too many', [fileOf('rows.csv', 20_971_521)], 'File size exceeds 20MB.'],
  ['two', [fileOf('a.csv'), fileOf('b.csv')], 'Please upload one CSV file at a time.'],
])('%s is reported immediately', (_name, files, problem) => {
  expect(chosenFile(files)).toEqual({ problem });
});

test.each([
  ['small', fileOf('rows.csv')],
  ['as large as may be', fileOf('ROWS.CSV', 20_971_520)],
])('a file that is %s is accepted', (_name, file) => {
  expect(chosenFile([file])).toEqual({ file });
});

test.each([
  ['users', 'Error saving user'],
  ['galleries', 'Error creating gallery'],
] as const)('%s that were checked and could not be saved: the message, then the reason', (kind, words) => {
  expect(notStartedMessages(kind, ['Please log in.'])).toEqual([words, 'Please log in.']);
});

test('a file that was moved, or a folder, is reported before anything is sent', async () => {
  const gone = Object.assign(fileOf('rows.csv'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
  });
  expect(await sendFile('users', gone)).toEqual({ ok: false, messages: ['Failed to read file.'], importId: null });
});
