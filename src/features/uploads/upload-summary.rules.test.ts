import { describe, expect, test } from 'vitest';
import {
  endOf,
  summarize,
  createUploadPace,
  paceWords,
  type UploadRow,
  type UploadStage,
} from '#src/features/uploads/upload-summary.rules.ts';

const rows = (stages: Partial<Record<UploadStage, number>>, problems: string[] = []): UploadRow[] => {
  let id = 0;
  return Object.entries(stages).flatMap(([stage, count]) =>
    Array.from({ length: count }, (): UploadRow => {
      const isTroubled = stage === 'refused' || stage === 'failed';
      const problem = isTroubled ? (problems.shift() ?? 'No JPEG.') : null;
      const paths = { upgradePath: null, editorPath: null };
      id++;
      return {
        id,
        galleryId: 1,
        name: `p${id}.jpg`,
        bytes: 1,
        sentBytes: 0,
        stage: stage as UploadStage,
        problem,
        ...paths,
      };
    }),
  );
};
const IDLE = { isPaused: false, hold: null, keepingTrouble: null, checking: 0, bytesPerSecond: null };

describe('an upload’s summary says what is in, what is not, and why', () => {
  test.each([
    ['all are in', rows({ added: 76 }), '76 photos are in', []],
    ['one is in', rows({ added: 1 }), '1 photo is in', []],
    ['one is not', rows({ refused: 1, added: 76 }), '76 photos are in', ['1 not uploaded: p1.jpg. No JPEG.']],
    ['several are not', rows({ failed: 4, added: 8 }), '8 photos are in', ['4 not uploaded. No JPEG.']],
    [
      'several are not, each for a reason of its own',
      rows({ refused: 2, added: 8 }, ['No JPEG.', 'Too large.']),
      '8 photos are in',
      ['2 not uploaded. Show the files to see why.'],
    ],
    ['most were there', rows({ known: 324, added: 176 }), '176 photos are in', ['324 already here, skipped']],
    ['all were there', rows({ known: 1_324 }), 'All 1,324 are already in this gallery', []],
    ['the only one was there', rows({ known: 1 }), 'This photo is already in this gallery', []],
    ['none is in', rows({ refused: 1 }), '1 not uploaded', ['p1.jpg. No JPEG.']],
    ['none of several is in', rows({ failed: 5 }), '5 not uploaded', ['No JPEG.']],
    [
      'some were there and one is not',
      rows({ known: 2, refused: 1 }),
      'All 2 are already in this gallery',
      ['1 not uploaded: p3.jpg. No JPEG.'],
    ],
  ])('when %s', (_when, some, headline, details) => {
    expect(endOf(summarize(some, IDLE))).toEqual({ headline, details });
  });
});

describe('the speed of an upload', () => {
  test('is shown after two seconds, and follows a connection that becomes slow', () => {
    const pace = createUploadPace();
    expect(pace.note(0, 0)).toBeNull();
    expect(pace.note(1_000, 1_000_000)).toBeNull();
    expect(pace.note(2_000, 2_000_000)).toBe(1_000_000);
    for (let second = 3; second <= 30; second++) pace.note(second * 1_000, 2_000_000 + second * 1_000);
    expect(pace.note(31_000, 2_031_000)).toBe(1_000);
  });

  test('does not count the time in which files are checked before the first byte', () => {
    const pace = createUploadPace();
    for (const now of [0, 1_000, 2_000, 3_000]) expect(pace.note(now, 0)).toBeNull();
    expect(pace.note(4_000, 200_000)).toBeNull();
    expect(pace.note(5_000, 2_000_000)).toBe(1_000_000);
  });

  test('restarts when photos leave the count, and is not shown for a stalled connection', () => {
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
])('at %s bytes a second with %s bytes left: “%s”', (speed, left, words) => {
  expect(paceWords(speed, left)).toBe(words);
});
