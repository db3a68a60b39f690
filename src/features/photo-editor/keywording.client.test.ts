import { expect, test } from 'vitest';
import { lastUsed, missingIn, wordsSeen } from '#src/features/photo-editor/keywording.client.ts';

const tagged = (...names: string[]) => ({ keywords: names.map((name) => ({ name })) });

test('keywords just used come first, each once whatever its case, at most eight', () => {
  expect(lastUsed(['7', 'Goal'], ['goal', '12'])).toEqual(['7', 'Goal', '12']);
  expect(lastUsed([], 'abcdefghij'.split(''))).toHaveLength(8);
});

test('before anything was used, the most frequent keywords of the photos are offered', () => {
  expect(wordsSeen([tagged('7'), tagged('12', '7'), tagged()])).toEqual(['7', '12']);
});

test('what a photo has already is not sent again', () => {
  expect(missingIn(tagged('Goal'), ['goal', '7'])).toEqual(['7']);
});
