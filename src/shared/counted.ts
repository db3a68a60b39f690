/** A number for people: "1,200". */
export const formatCount = (count: number): string =>
  // `toLocaleString` took 0.4-0.6 s of a browser's time while an editor of 50,000 photos was scrolled.
  String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A number with its noun, for people: "1 photo", "1,200 photos". */
export const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
