import { expect, test } from 'vitest';
import {
  favoritesPath,
  MAX_CHOSEN,
  readChosen,
  writeChosen,
} from '#src/features/public-gallery/chosen-photos.rules.ts';

test('an address lists photos, at most a hundred', () => {
  const ids = [7, 9_007_199_254_740_991, 36];
  expect(readChosen(writeChosen(ids))).toEqual(ids);
  const many = Array.from({ length: 300 }, () => 9_007_199_254_740_991);
  expect(readChosen(writeChosen(many))).toHaveLength(MAX_CHOSEN);
  expect(favoritesPath('hawks', many).length).toBeLessThan(1_500);
  expect(favoritesPath('hawks')).toBe('/hawks/favorites');
});

test.each(['', '.', 'A', '-1', '0', 'zzzzzzzzzzzzz', '1e9%', '<script>'])('%j is not a photo', (text) => {
  expect(readChosen(text)).toEqual([]);
});
