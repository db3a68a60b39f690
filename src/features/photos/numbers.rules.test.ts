import { describe, expect, test } from 'vitest';
import { numberChips, typedNumber } from '#src/features/photos/numbers.rules.ts';

describe('a typed number', () => {
  test.each([
    ['10', { team: null, number: '10' }],
    [' #10 ', { team: null, number: '10' }],
    ['no. 7', { team: null, number: '7' }],
    ['00', { team: null, number: '00' }],
    ['Hawks 10', { team: 'Hawks', number: '10' }],
    ['12345', null],
    ['goal', null],
    ['goal10', null],
    ['', null],
  ])('%j is parsed as %j', (text, typed) => {
    expect(typedNumber(text)).toEqual(typed);
  });
});

const [HAWKS, TIDES] = [
  { teamId: 1, team: 'Hawks' },
  { teamId: 2, team: 'Tides' },
];
const goal = { name: 'goal', count: 3, search: 'goal' };

test('chips of tagged and typed numbers come in one ascending order, before keywords that are something else', () => {
  const numbers = ['12', '07', '7', '3'].map((number) => ({ ...HAWKS, number, photos: 2 }));
  const typed = ['#7', '#5', '99'].map((name) => ({ name, count: 1, search: name }));
  const names = numberChips(numbers, [...typed, goal]).map(({ name }) => name);
  expect(names).toEqual(['3', '#5', '7', '07', '12', '99', 'goal']);
});

test('with two teams each number has its team before it', () => {
  const numbers = [
    { ...TIDES, number: '10', photos: 1 },
    { ...HAWKS, number: '10', photos: 2 },
  ];
  expect(numberChips(numbers, [])).toEqual([
    { name: 'Hawks 10', count: 2, search: 'Hawks 10' },
    { name: 'Tides 10', count: 1, search: 'Tides 10' },
  ]);
});
