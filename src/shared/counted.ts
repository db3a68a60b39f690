/** A number for people: "1,200". */
export const formatCount = (count: number): string =>
  // A page has thirty of them, and most need no separator.
  count < 1_000 ? String(count) : count.toLocaleString('en-US');

/** A number with its noun, for people: "1 photo", "1,200 photos". */
export const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
