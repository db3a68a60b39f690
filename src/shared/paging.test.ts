import { expect, test } from 'vitest';
import { readPages } from '#src/shared/paging.ts';

/** Reads the numbers from 1 to `count`, two at a time; `asked` has the row after which each page was read. */
function list(count: number) {
  const asked: (number | null)[] = [];
  const pages = readPages(2, async (last: number | null) => {
    asked.push(last);
    const first = (last ?? 0) + 1;
    return [first, first + 1].filter((number) => number <= count);
  });
  return { asked, pages };
}

test.each([
  [0, [], [null]],
  [1, [[1]], [null]],
  [2, [[1, 2]], [null, 2]],
  [3, [[1, 2], [3]], [null, 2]],
  [
    4,
    [
      [1, 2],
      [3, 4],
    ],
    [null, 2, 4],
  ],
])('a list of %i rows is read to its end, and no further', async (count, wanted, after) => {
  const { asked, pages } = list(count);
  const read: (readonly number[])[] = [];
  for await (const page of pages) read.push(page);
  expect(read).toEqual(wanted);
  expect(asked).toEqual(after);
});

test('a page is read when it is needed', async () => {
  const { asked, pages } = list(4);
  expect(asked).toEqual([]);
  await pages.next();
  expect(asked).toEqual([null]);
});
