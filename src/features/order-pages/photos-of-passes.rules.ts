type PassOnPage = {
  pass: { gallery_id: number | null };
  /** Its photos that the page shows. */
  first: { photos: readonly { id: number }[] };
};

/** Divides bought photos into those that a pass on their page includes, which it shows already, and the others. */
export function dividedByPass<Line extends { photo: { id: number; gallery_id: number } }>(
  lines: readonly Line[],
  passes: readonly PassOnPage[],
): { included: Line[]; others: Line[] } {
  const galleries = new Set(passes.map(({ pass }) => pass.gallery_id));
  const shown = new Set(passes.flatMap(({ first }) => first.photos.map(({ id }) => id)));
  const isIncluded = ({ photo }: Line) => galleries.has(photo.gallery_id) || shown.has(photo.id);
  return { included: lines.filter(isIncluded), others: lines.filter((line) => !isIncluded(line)) };
}
