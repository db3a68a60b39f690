import { expect, test } from 'vitest';
import { dividedByPass } from '#src/features/order-pages/photos-of-passes.rules.ts';

const line = (id: number, galleryId: number) => ({ id, photo: { id, gallery_id: galleryId } });
const LINES = [line(1, 7), line(2, 7), line(3, 8)];
const pass = (galleryId: number | null, boughtIds: readonly number[] = []) => ({
  pass: { gallery_id: galleryId },
  boughtIds,
});

test.each([
  ['without a pass', [], []],
  ['with the pass of their gallery', [pass(7)], [1, 2]],
  ['with an athlete’s pass that opens some of them', [pass(null, [2, 9])], [2]],
  ['with both', [pass(8), pass(null, [1])], [1, 3]],
])('bought photos are included %s', (_what, passes, included) => {
  const divided = dividedByPass(LINES, passes);
  expect(divided.included.map(({ id }) => id)).toEqual(included);
  expect(divided.others).toEqual(LINES.filter(({ id }) => !included.includes(id)));
});
