import { frameOf, headerSegments, looksLikeJpeg, sidesOf, SOS } from '#src/shared/jpeg-header.ts';
import { DAMAGED, dimensionsProblem } from '#src/shared/photo-limits.ts';

/** What the header of a JPEG says; sides as stored, before orientation. */
export type JpegHeader = {
  width: number;
  height: number;
  components: number;
  progressive: boolean;
};

type HeaderCheck = { ok: true; header: JpegHeader } | { ok: false; problem: string };

export const NOT_A_JPEG = 'This file is not a JPEG image.';
export const UNUSUAL = 'This kind of JPEG cannot be shown by web browsers. Please save it as a standard 8-bit JPEG.';

const PNG_BEGINNING = '89504e470d0a1a0a0000000d49484452';

/** The sides of a PNG by its first bytes; null for anything else. */
export function pngSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 33 || bytes.toString('hex', 0, 16) !== PNG_BEGINNING) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Each scan of a progressive file is a pass over the whole picture; encoders write about ten. */
const MAX_SCANS = 100;

/**
 * Reads the markers of an uploaded file without decoding it. Refuses, with a message for the owner, a file that is not
 * a picture, cannot be shown, or would cost too much to decode. Never throws; costs well under a millisecond on any
 * bytes.
 */
export function checkHeader(bytes: Buffer): HeaderCheck {
  if (!looksLikeJpeg(bytes)) return refuse(NOT_A_JPEG);
  const { segments, scanAt } = headerSegments(bytes);
  const frame = frameOf(segments);
  if (!frame || scanAt < 0) return refuse(DAMAGED);
  if (frame.marker > 0xc2 || bytes[frame.start] !== 8) return refuse(UNUSUAL);
  const header: JpegHeader = { ...sidesOf(bytes, frame), components: bytes[frame.start + 5] ?? 0 };
  const refusal = refusalOf(header, bytes);
  return refusal === null ? { ok: true, header } : refuse(refusal);
}

function refuse(problem: string): HeaderCheck {
  return { ok: false, problem };
}

function refusalOf({ width, height, components, progressive }: JpegHeader, bytes: Buffer): string | null {
  const wrongSides = dimensionsProblem({ width, height, progressive });
  if (wrongSides !== null) return wrongSides;
  if (components !== 1 && components !== 3 && components !== 4) return UNUSUAL;
  if (progressive && hasTooManyScans(bytes)) return UNUSUAL;
  // Every block of 8 x 8 takes at least two bits: a shorter file claims a false size or was cut off.
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  if (!progressive && bytes.length < blocks / 4) return DAMAGED;
  return null;
}

function hasTooManyScans(bytes: Buffer): boolean {
  const scan = Buffer.from([0xff, SOS]);
  let scans = 0;
  for (let at = bytes.indexOf(scan); at >= 0; at = bytes.indexOf(scan, at + 2)) {
    scans += 1;
    if (scans > MAX_SCANS) return true;
  }
  return false;
}
