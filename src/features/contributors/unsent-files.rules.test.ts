import { expect, test } from 'vitest';
import { withRefused } from '#src/features/contributors/unsent-files.rules.ts';

const HEIC = 'Not a JPEG.';
const EMPTY = 'Empty.';
const unsent = (name: string, why: string) => ({ name, why });

test.each([
  ['is listed', [], [unsent('1.heic', HEIC)], [], [unsent('1.heic', HEIC)]],
  [
    'is listed once if it is chosen again',
    [unsent('1.heic', HEIC)],
    [unsent('1.heic', HEIC)],
    [],
    [unsent('1.heic', HEIC)],
  ],
  [
    'is listed once if a choice has it twice',
    [],
    [unsent('1.heic', HEIC), unsent('1.heic', HEIC)],
    [],
    [unsent('1.heic', HEIC)],
  ],
  [
    'is listed with each of its reasons',
    [unsent('1.jpg', EMPTY)],
    [unsent('1.jpg', HEIC)],
    [],
    [unsent('1.jpg', EMPTY), unsent('1.jpg', HEIC)],
  ],
  [
    'is no longer listed when a file of its name is accepted',
    [unsent('1.jpg', EMPTY), unsent('2.jpg', EMPTY)],
    [],
    [{ name: '1.jpg' }],
    [unsent('2.jpg', EMPTY)],
  ],
  [
    'is listed if the same choice has an accepted file of its name',
    [],
    [unsent('1.jpg', EMPTY)],
    [{ name: '1.jpg' }],
    [unsent('1.jpg', EMPTY)],
  ],
])('a refused file %s', (_when, before, refused, accepted, after) => {
  expect(withRefused(before, refused, accepted)).toEqual(after);
});
