import { describe, expect, test } from 'vitest';
import { readRange } from '#src/http/send-download.ts';

const WHOLE = { kind: 'whole' };
const OUTSIDE = { kind: 'outside' };

describe('a range of a file of 1,000 bytes', () => {
  test.each([
    [undefined, WHOLE],
    ['bytes=0-', { kind: 'part', start: 0, end: 999 }],
    ['bytes=0-0', { kind: 'part', start: 0, end: 0 }],
    ['bytes=200-299', { kind: 'part', start: 200, end: 299 }],
    ['bytes=900-5000', { kind: 'part', start: 900, end: 999 }],
    ['bytes=-1', { kind: 'part', start: 999, end: 999 }],
    ['bytes=-5000', { kind: 'part', start: 0, end: 999 }],
    ['bytes=-0', OUTSIDE],
    ['bytes=1000-', OUTSIDE],
    ['bytes=999999999-', OUTSIDE],
    ['bytes=5-4', WHOLE],
    ['bytes=-', WHOLE],
    ['bytes=a-b', WHOLE],
    ['lines=1-2', WHOLE],
    [`bytes=${Array.from({ length: 100 }, (_, index) => `${index}-${index}`).join(',')}`, WHOLE],
  ])('%s', (header, expected) => {
    expect(readRange(header, 1_000)).toEqual(expected);
  });
});
