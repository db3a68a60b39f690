type PassOnPage = {
  pass: { gallery_id: number | null };
  /** Bought photos that an athlete's pass opens, on whichever page of its photos they are. */
  boughtIds: readonly number[];
};

/** Divides bought photos into those that a pass on their page includes, which it has already, and the others. */
export function dividedByPass<Line extends { photo: { id: number; gallery_id: number } }>(
  lines: readonly Line[],
  passes: readonly PassOnPage[],
): { included: Line[]; others: Line[] } {
  const galleries = new Set(passes.map(({ pass }) => pass.gallery_id));
  const opened = new Set(passes.flatMap(({ boughtIds }) => boughtIds));
  const isIncluded = ({ photo }: Line) => galleries.has(photo.gallery_id) || opened.has(photo.id);
  return { included: lines.filter(isIncluded), others: lines.filter((line) => !isIncluded(line)) };
}
