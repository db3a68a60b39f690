import { expect, test } from 'vitest';
import { withRefused } from '#src/features/contributors/left-files.rules.ts';

const HEIC = 'Not a JPEG.';
const EMPTY = 'Empty.';
const left = (name: string, why: string) => ({ name, why });

test.each([
  ['is listed', [], [left('1.heic', HEIC)], [], [left('1.heic', HEIC)]],
  ['is listed once if it is chosen again', [left('1.heic', HEIC)], [left('1.heic', HEIC)], [], [left('1.heic', HEIC)]],
  [
    'is listed once if a choice has it twice',
    [],
    [left('1.heic', HEIC), left('1.heic', HEIC)],
    [],
    [left('1.heic', HEIC)],
  ],
  [
    'is listed with each of its reasons',
    [left('1.jpg', EMPTY)],
    [left('1.jpg', HEIC)],
    [],
    [left('1.jpg', EMPTY), left('1.jpg', HEIC)],
  ],
  [
    'is no longer listed when a file of its name is accepted',
    [left('1.jpg', EMPTY), left('2.jpg', EMPTY)],
    [],
    [{ name: '1.jpg' }],
    [left('2.jpg', EMPTY)],
  ],
  [
    'is listed if the same choice has an accepted file of its name',
    [],
    [left('1.jpg', EMPTY)],
    [{ name: '1.jpg' }],
    [left('1.jpg', EMPTY)],
  ],
])('a refused file %s', (_when, before, refused, accepted, after) => {
  expect(withRefused(before, refused, accepted)).toEqual(after);
});
