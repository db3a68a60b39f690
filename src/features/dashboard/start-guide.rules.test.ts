import { expect, test } from 'vitest';
import { nextStep } from '#src/features/dashboard/start-guide.rules.ts';

test.each([
  ['without a gallery', { galleries: 0, photos: 0, isVisited: false }, 'create'],
  ['with an empty one', { galleries: 1, photos: 0, isVisited: false }, 'upload'],
  ['with photos that no one has seen', { galleries: 1, photos: 76, isVisited: false }, 'share'],
  ['with a gallery that was visited', { galleries: 1, photos: 76, isVisited: true }, null],
  ['with several galleries', { galleries: 2, photos: 0, isVisited: false }, null],
])('a club %s does next: %s', (_which, state, step) => {
  expect(nextStep(state)).toBe(step);
});
