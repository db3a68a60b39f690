import { describe, expect, test } from 'vitest';
import { chipsOf, hasKeywords, searchWords, textOfSearch } from '#src/features/photos/keyword-search.rules.ts';

describe('a search is read as words', () => {
  test.each([
    ['7', ['number 7']],
    ['#7', ['number 7']],
    ['# 7', ['number 7']],
    ['no. 7', ['number 7']],
    ['No.7', ['number 7']],
    ['nr 7', ['number 7']],
    ['Number 7', ['number 7']],
    ['Mia 1', ['part Mia', 'number 1']],
    ['mia, 1', ['part mia', 'number 1']],
    ['7 17', ['number 7', 'number 17']],
    ['number', ['part number']],
    ['no. seven', ['part no.', 'part seven']],
    ['#blue', ['part #blue']],
    ['100%_', ['part 100%_']],
    ['"corner kick" 11', ['exact corner kick', 'number 11']],
    ['"', ['part "']],
    [' , ', []],
    ['1 2 3 4 5 6 7 8 9 10', ['1', '2', '3', '4', '5', '6', '7', '8'].map((digit) => `number ${digit}`)],
  ])('%j', (text, words) => {
    expect(searchWords(text).map(({ match, text: word }) => `${match} ${word}`)).toEqual(words);
  });
});

test('of a long search the first 120 characters count', () => {
  expect(textOfSearch(null)).toBe('');
  expect(textOfSearch(` ${'x'.repeat(119)}y`)).toBe('x'.repeat(119));
  expect(textOfSearch(`7${' '.repeat(119)}y`)).toBe('7');
});

describe('a photo matches a search', () => {
  const photo = { keywords: ['17', 'Zoë', 'corner kick', '#4'] };
  test.each([
    ['17', true],
    ['7', false],
    ['1', false],
    ['4', true],
    ['zoe', true],
    ['ZO 17', true],
    ['zoe 7', false],
    ['kick corner', true],
    ['"corner"', false],
    ['"Corner Kick"', true],
  ])('%j: %s', (text, answer) => {
    expect(hasKeywords(photo, text)).toBe(answer);
  });
});

test('numbers come first in their order, then names by how many photos they have', () => {
  const names = chipsOf([
    { name: 'goal', count: 8 },
    { name: '10', count: 20 },
    { name: 'goalkeeper', count: 9 },
    { name: '7', count: 2 },
    { name: 'corner kick', count: 1 },
  ]);
  expect(names.map(({ name, search }) => `${name} ${search}`)).toEqual([
    '7 7',
    '10 10',
    'goalkeeper goalkeeper',
    'goal "goal"',
    'corner kick "corner kick"',
  ]);
});
