import { APP1, contentBegins, headerSegments } from '#src/platform/images/jpeg-segments.ts';
import { integersOf, openTiff, readIfd } from '#src/platform/images/tiff.ts';

/** How stored pixels become upright: mirrored left to right first, then turned clockwise. */
export type Upright = { mirrored: boolean; quarterTurns: 0 | 1 | 2 | 3 };

const ORIENTATION = 0x0112;

const UPRIGHT: readonly Upright[] = [
  { mirrored: false, quarterTurns: 0 },
  { mirrored: true, quarterTurns: 0 },
  { mirrored: false, quarterTurns: 2 },
  { mirrored: true, quarterTurns: 2 },
  { mirrored: true, quarterTurns: 3 },
  { mirrored: false, quarterTurns: 1 },
  { mirrored: true, quarterTurns: 1 },
  { mirrored: false, quarterTurns: 3 },
];

/**
 * What the file's own EXIF orientation (1-8; absent, broken or anything else counts as 1) and
 * the owner's clockwise quarter turns ask for together.
 */
export function uprightOf(bytes: Buffer, turns: number): Upright {
  const own = UPRIGHT[orientationIn(bytes) - 1] ?? { mirrored: false, quarterTurns: 0 };
  return { mirrored: own.mirrored, quarterTurns: ((own.quarterTurns + turns) & 3) as Upright['quarterTurns'] };
}

/** The orientation of the first readable EXIF block, 1-8. */
export function orientationIn(bytes: Buffer): number {
  for (const segment of headerSegments(bytes).segments) {
    if (segment.marker !== APP1 || !contentBegins(bytes, segment, 'Exif\0')) continue;
    const tiff = openTiff(bytes, segment.start + 6, segment.end);
    const entry = tiff && readIfd(tiff, tiff.firstIfd)?.entries.find(({ tag }) => tag === ORIENTATION);
    if (!tiff || !entry) continue;
    const [value = 1] = integersOf(tiff, entry, 1);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
