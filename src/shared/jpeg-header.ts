/** Reads the markers before the picture data of a JPEG: the browser before it uploads a file, the worker afterwards. */

/** One marker segment of a JPEG file. `start` and `end` bound its content, without marker and length. */
export type Segment = { marker: number; /** Offset of the marker's 0xFF. */ at: number; start: number; end: number };

type SegmentList = {
  segments: Segment[];
  /** Offset of the first start-of-scan marker, or -1 where the header ends before one. */
  scanAt: number;
};

export const SOS = 0xda;
export const EOI = 0xd9;

/** Real files have 5-100; a crafted file can have millions of empty ones. */
export const MAX_SEGMENTS = 5_000;

/** True for bytes that begin like a JPEG file, whatever its name says. */
export function looksLikeJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/**
 * The marker segments from `from` (a start-of-image marker) to the first scan, as decoders read
 * them: fill bytes before a marker and stray bytes between segments are skipped. Never throws;
 * the work is bounded by the header's length.
 */
export function headerSegments(bytes: Uint8Array, from = 0): SegmentList {
  const segments: Segment[] = [];
  let at = from + 2;
  while (segments.length < MAX_SEGMENTS) {
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) break;
    const marker = bytes[at + 1] as number;
    if (marker === 0xff || marker === 0x00) at += 1;
    else if (marker === SOS) return { segments, scanAt: at };
    else if (marker === EOI) break;
    else if (standsAlone(marker)) at += 2;
    else {
      if (at + 4 > bytes.length) break;
      const end = at + 2 + uint16(bytes, at + 2);
      if (end > bytes.length || end < at + 4) break;
      segments.push({ marker, at, start: at + 4, end });
      at = end;
    }
  }
  return { segments, scanAt: -1 };
}

/** Markers without a length: TEM, restarts, and a second start of image. */
export function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** The frame header; none in a file without a picture. */
export function frameOf(segments: readonly Segment[]): Segment | null {
  return segments.find((segment) => isFrame(segment) && segment.end - segment.start >= 6) ?? null;
}

/** Start-of-frame markers are C0-CF without the tables DHT (C4), JPG (C8) and DAC (CC). */
function isFrame({ marker }: Segment): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Sides as stored, before orientation. */
export function sidesOf(bytes: Uint8Array, { marker, start }: Segment) {
  return { height: uint16(bytes, start + 1), width: uint16(bytes, start + 3), progressive: marker === 0xc2 };
}

const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
