import { expect, test } from 'vitest';
import { stepOfSwipe } from '#src/ui/photos/live-stage.ts';

const start = { clientX: 200, clientY: 400, timeStamp: 0 };

test.each([
  ['a fast swipe to the left is the next photo', { clientX: 120, clientY: 410, timeStamp: 100 }, 1],
  ['a fast swipe to the right is the photo before', { clientX: 280, clientY: 390, timeStamp: 100 }, -1],
  ['a long one may take longer', { clientX: 20, clientY: 400, timeStamp: 590 }, 1],
  ['a finger that wanders slowly does not ask for anything', { clientX: 20, clientY: 400, timeStamp: 610 }, 0],
  ['a touch that slips a little does not', { clientX: 165, clientY: 400, timeStamp: 20 }, 0],
  ['a swipe down does not', { clientX: 120, clientY: 490, timeStamp: 100 }, 0],
])('%s', (_name, end, step) => {
  expect(stepOfSwipe(start, end)).toBe(step);
});
