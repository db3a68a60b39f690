import { describe, expect, test } from 'vitest';
import {
  addDays,
  callDay,
  daysIn,
  daysOf,
  lastDays,
  readCallDay,
  readMachineDay,
  reportDay,
  shownDay,
} from './day-range.ts';

describe('a day', () => {
  test.each([
    ['02/28/2026', '2026-02-28'],
    ['02/29/2024', '2024-02-29'],
    ['02/29/2026', null],
    ['13/01/2026', null],
    ['00/10/2026', null],
    ['04/31/2026', null],
    ['2026-02-01', null],
    ['2/1/2026', null],
    ['02/01/0000', null],
    [' 02/01/2026', null],
    ['02/01/2026\n', null],
    ['', null],
  ])('that a call sends as %j is %s', (text, day) => {
    expect(readCallDay(text)).toBe(day);
  });

  test.each([
    ['2026-02-28', '2026-02-28'],
    ['2026-02-30', null],
    ['26-02-28', null],
    ['02/28/2026', null],
    ['', null],
    [null, null],
  ])('in an address, %j, is %s', (text, day) => {
    expect(readMachineDay(text)).toBe(day);
  });

  test('is shown and sent in the specification’s format', () => {
    expect(shownDay('2026-02-28')).toBe('02.28.2026');
    expect(reportDay('2026-02-28')).toBe('28-02-2026');
    expect(callDay('2026-02-28')).toBe('02/28/2026');
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});

test('a range has both its ends', () => {
  expect(daysIn({ from: '2026-03-08', to: '2026-03-08' })).toBe(1);
  // The clocks of New York change in this week.
  expect(daysIn({ from: '2026-03-05', to: '2026-03-11' })).toBe(7);
  expect(daysIn({ from: '2026-03-02', to: '2026-03-01' })).toBe(0);
  expect(daysOf({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  expect(lastDays('2026-11-21', 7)).toEqual({ from: '2026-11-15', to: '2026-11-21' });
});
