/** Selects the photos of real galleries for the marketing pages. */

type Shown<Photo> = { photoCount: number; preview: readonly Photo[] };

/**
 * At most `most` photos, taken in turn from every gallery and starting with the largest, so that one club does not fill the
 * page; `skip` leaves out the first ones, which are elsewhere on the page.
 */
export function photosInTurn<Photo>(galleries: readonly Shown<Photo>[], most: number, skip = 0): Photo[] {
  const largestFirst = galleries.toSorted((one, other) => other.photoCount - one.photoCount);
  const longest = Math.max(0, ...largestFirst.map(({ preview }) => preview.length));
  const rounds = Array.from({ length: longest }, (_, round) => largestFirst.map(({ preview }) => preview[round]));
  return rounds
    .flat()
    .filter((photo) => photo !== undefined)
    .slice(skip, skip + most);
}
