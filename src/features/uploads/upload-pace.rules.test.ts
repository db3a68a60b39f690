import { describe, expect, test } from 'vitest';
import { createUploadPace, paceWords } from '#src/features/uploads/upload-pace.rules.ts';

describe('the speed of an upload', () => {
  test('is shown after two seconds, and follows a line that becomes slow', () => {
    const pace = createUploadPace();
    expect(pace.note(0, 0)).toBeNull();
    expect(pace.note(1_000, 1_000_000)).toBeNull();
    expect(pace.note(2_000, 2_000_000)).toBe(1_000_000);
    for (let second = 3; second <= 30; second++) pace.note(second * 1_000, 2_000_000 + second * 1_000);
    expect(pace.note(31_000, 2_031_000)).toBe(1_000);
  });

  test('restarts when photos leave the count, and is not shown for a stalled line', () => {
    const pace = createUploadPace();
    pace.note(0, 5_000_000);
    expect(pace.note(5_000, 1_000)).toBeNull();
    expect(pace.note(10_000, 1_000)).toBeNull();
    expect(pace.note(11_000, 7_000)).toBe(1_000);
  });
});

test.each([
  [null, 5_000_000, ''],
  [3_240_000, 388_800_000, '3.2 MB/s · 2 min left'],
  [1_000_000, 20_000_000, '1.0 MB/s · under 1 min left'],
  [42_000, 1_000_000_000, '42 kB/s · 7 h left'],
])('at %s bytes a second with %s bytes to go: “%s”', (speed, left, words) => {
  expect(paceWords(speed, left)).toBe(words);
});
