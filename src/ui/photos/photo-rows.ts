/**
 * The arithmetic of the photo grid. The style sheet makes the rows (photo-grid.css). On wide screens a tile starts with
 * its share of a row's height and grows in proportion to its ratio. So all tiles of a row are equally high and none is
 * cropped, at any width and without JavaScript. On phones two photos share a row, and their shares are computed here.
 */

/** The row height at which tiles start; rows grow from there until they fill the width. Also in photo-grid.css. */
export const ROW_PX = { medium: 210, wide: 270 } as const;
/** How much a row grows on average, measured over mixed photos. */
const GROWTH = 1.14;
/**
 * What fills the first row of a desktop and most of a phone's first screen is loaded before the scripts. On the slow
 * phone of docs/performance.md the largest picture is painted after 1.6 s; with 2 instead of 6 after 2.8.
 */
const URGENT = 6;
/** These are loaded before the scripts, too, at normal priority: most first screens show no more. */
const SOON = 10;
/** Panoramas have a row of their own on a phone: another photo next to one would be too small to tap. */
const PANORAMA = 2.1;
/** A portrait photo alone in its row takes this share of it; at full width it would be too high for a phone. */
const ALONE = 0.55;

/** Each photo's share of its row on a phone, 0..1: two share a row in proportion to their ratios; 1 is alone. */
export function phoneShares(ratios: readonly number[]): number[] {
  const shares: number[] = [];
  while (shares.length < ratios.length) {
    const own = ratios[shares.length] ?? 1;
    const next = ratios[shares.length + 1];
    if (own < PANORAMA && next !== undefined && next < PANORAMA) {
      const share = Math.round((own / (own + next)) * 10_000) / 10_000;
      shares.push(share, 1 - share);
    } else shares.push(own >= 1 ? 1 : ALONE);
  }
  return shares;
}

/** As `phoneShares`, where headings before the photos at `starts` end a row. */
export function sharesInSections(ratios: readonly number[], starts: readonly number[]): number[] {
  const cuts = [...starts.filter((at) => at > 0 && at < ratios.length), ratios.length];
  return cuts.flatMap((end, index) => phoneShares(ratios.slice(index === 0 ? 0 : cuts[index - 1], end)));
}

/** The `sizes` of a tile's image: exact on phones, the usual width elsewhere (lazy ones say `auto`, too). */
export function tileSizes(ratio: number, share: number): string {
  const width = (row: number) => `${Math.round(ratio * row * GROWTH)}px`;
  return `(width < 600px) ${Math.round(share * 1000) / 10}vw, (width < 1100px) ${width(ROW_PX.medium)}, ${width(ROW_PX.wide)}`;
}

/** How eagerly the image at `index` of the whole gallery is fetched. */
export function urgencyOf(index: number): { loading: 'eager' | 'lazy'; fetchPriority: 'high' | 'auto' | 'low' } {
  if (index < URGENT) return { loading: 'eager', fetchPriority: 'high' };
  return { loading: 'lazy', fetchPriority: index < SOON ? 'auto' : 'low' };
}
