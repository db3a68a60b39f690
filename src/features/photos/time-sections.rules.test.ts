import { describe, expect, test } from 'vitest';
import { takenText, timeSections, type TimeRun } from '#src/features/photos/time-sections.rules.ts';

const runs = (...quarters: (string | null)[]): TimeRun[] =>
  quarters.map((quarter, index) => ({ at: index * 10, quarter }));
const sectionsOf = (list: TimeRun[], total: number) =>
  timeSections(list, total).map(({ at, label, count }) => `${at} ${label} (${count})`);

describe('a large gallery has sections by capture time', () => {
  test('of a quarter of an hour if there are few', () => {
    expect(sectionsOf(runs('2026-05-16T09:00', '2026-05-16T12:15', null), 120)).toEqual([
      '0 9:00 AM (10)',
      '10 12:15 PM (10)',
      '20 Without a time (100)',
    ]);
  });

  test('with the day if there are several days', () => {
    expect(sectionsOf(runs('2026-05-16T23:45', '2026-05-17T00:00'), 120)).toEqual([
      '0 05.16.2026 11:45 PM (10)',
      '10 05.17.2026 12:00 AM (110)',
    ]);
  });

  test('even if photos uploaded together are slightly out of order', () => {
    const jumbled: TimeRun[] = [
      { at: 0, quarter: '2026-05-16T17:00' },
      { at: 51, quarter: '2026-05-16T16:45' },
      { at: 52, quarter: '2026-05-16T17:00' },
      { at: 55, quarter: '2026-05-16T16:45' },
      { at: 100, quarter: '2026-05-16T16:30' },
      { at: 109, quarter: '2026-05-16T16:45' },
    ];
    expect(sectionsOf(jumbled, 120)).toEqual([
      '0 5:00 PM (55)',
      '55 4:45 PM (45)',
      '100 4:30 PM (9)',
      '109 4:45 PM (11)',
    ]);
  });

  test('of longer times if there would be too many', () => {
    const many = runs(
      ...Array.from(
        { length: 40 },
        (_, quarter) =>
          `2026-05-16T${String(8 + Math.floor(quarter / 4)).padStart(2, '0')}:${['00', '15', '30', '45'][quarter % 4]}`,
      ),
    );
    const sections = timeSections(many, 400);
    expect(sections.map(({ label }) => label).slice(0, 3)).toEqual(['8:00 AM', '8:30 AM', '9:00 AM']);
    expect(sections.reduce((sum, { count }) => sum + count, 0)).toBe(400);
  });

  test.each([
    ['a small gallery', runs('2026-05-16T09:00', '2026-05-16T12:15'), 100],
    ['one time only', runs('2026-05-16T09:00'), 300],
    [
      'an order that does not follow the time',
      runs(...Array.from({ length: 60 }, (_, at) => `2026-05-${10 + (at % 2) * 7}T09:00`)),
      600,
    ],
    ['more runs than are read', runs(...Array.from({ length: 1_000 }, () => '2026-05-16T09:00')), 50_000],
  ])('but none with %s', (_, list, total) => {
    expect(timeSections(list, total)).toEqual([]);
  });
});

test.each([
  ['2026-05-16T07:12:30', '05.16.2026, 7:12 AM'],
  ['2026-05-16T00:05:00', '05.16.2026, 12:05 AM'],
  ['yesterday', null],
  [null, null],
])('a capture time %j is shown as %j', (takenAt, text) => {
  expect(takenText(takenAt)).toBe(text);
});
