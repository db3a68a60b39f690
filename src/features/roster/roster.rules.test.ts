import { expect, test } from 'vitest';
import { shortNamesOf } from '#src/features/roster/roster.rules.ts';

test.each<[names: string[], taken: string[], short: string[]]>([
  [['Hawks U12', 'Tides U12'], [], ['Hawks', 'Tides']],
  [['Hawks U12', 'Hawks U14'], [], ['Hawks U12', 'Hawks U14']],
  [['Hawks U14'], ['Hawks'], ['Hawks U14']],
  [['hawks Girls Blue U14'], ['Hawks'], ['hawks U14']],
  [['Lakeside Hawks U12', 'Lakeside Hawks U14'], [], ['Lakeside U12', 'Lakeside U14']],
  [['Thunderstrikers', 'Thunderstrikers B'], [], ['Thunderstrik', 'B']],
  [['Hawks'], ['Hawks'], ['Hawks']],
])('of the teams %j beside %j are %j', (names, taken, short) => {
  expect(shortNamesOf(names, taken)).toEqual(short);
});
