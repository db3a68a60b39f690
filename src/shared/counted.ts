/** A number with its noun, for people: "1 photo", "1,200 photos". */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
