/** One marker segment of a JPEG file. `start` and `end` bound its content, without marker and length. */
export type Segment = { marker: number; /** Offset of the marker's 0xFF. */ at: number; start: number; end: number };

type SegmentList = {
  segments: Segment[];
  /** Offset of the first start-of-scan marker, or -1 where the header ends before one. */
  scanAt: number;
};

export const SOS = 0xda;
const EOI = 0xd9;
export const APP1 = 0xe1;
export const APP13 = 0xed;

/** Real files have 5-100; a crafted file can have millions of empty ones. */
const MAX_SEGMENTS = 5_000;

/** True for bytes that begin like a JPEG file, whatever its name says. */
export function looksLikeJpeg(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/**
 * The marker segments from `from` (a start-of-image marker) to the first scan, as decoders read
 * them: fill bytes before a marker and stray bytes between segments are skipped. Never throws;
 * the work is bounded by the header's length.
 */
export function headerSegments(bytes: Buffer, from = 0): SegmentList {
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
      const end = at + 2 + bytes.readUInt16BE(at + 2);
      if (end > bytes.length || end < at + 4) break;
      segments.push({ marker, at, start: at + 4, end });
      at = end;
    }
  }
  return { segments, scanAt: -1 };
}

/**
 * All segments of one picture, also those between and after its scans, and where it ends (after its end-of-image
 * marker). Editors sometimes put metadata after the picture data. Never throws; each byte is read once.
 */
export function pictureSegments(bytes: Buffer, from = 0): { segments: Segment[]; end: number } {
  const { segments, scanAt } = headerSegments(bytes, from);
  let at = scanAt;
  while (at >= 0 && segments.length < MAX_SEGMENTS) {
    const marker = bytes[at + 1] as number;
    if (marker === EOI) return { segments, end: at + 2 };
    if (standsAlone(marker)) {
      at = nextMarker(bytes, at + 2);
      continue;
    }
    const end = at + 4 > bytes.length ? Number.NaN : at + 2 + bytes.readUInt16BE(at + 2);
    if (!(end >= at + 4 && end <= bytes.length)) break;
    if (marker !== SOS) segments.push({ marker, at, start: at + 4, end });
    at = nextMarker(bytes, end);
  }
  // Without an end: the first bytes that look like one, else the end of the file.
  const end = scanAt < 0 ? -1 : bytes.indexOf(Buffer.from([0xff, EOI]), Math.max(at, scanAt));
  return { segments, end: end < 0 ? bytes.length : end + 2 };
}

/**
 * The next marker outside of picture data, where 0xFF is followed by zero, by another 0xFF or by a restart; -1 at the
 * end.
 */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length;) {
    const next = bytes[at + 1] as number;
    if (next === 0xff) at += 1;
    else if (next === 0x00 || (next >= 0xd0 && next <= 0xd7)) at = bytes.indexOf(0xff, at + 2);
    else return at;
  }
  return -1;
}

/** Markers without a length: TEM, restarts, and a second start of image. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** True if the segment's content begins with this text (Latin-1). */
export function contentBegins(bytes: Buffer, segment: Segment, text: string): boolean {
  return (
    segment.start + text.length <= segment.end &&
    bytes.toString('latin1', segment.start, segment.start + text.length) === text
  );
}

const SIGNATURE = 'Photoshop 3.0\0';
/** IPTC facts. */
export const IPTC_RESOURCE = 0x0404;

/** One resource of an APP13 segment; `from` and `to` bound its content. */
type PhotoshopResource = { id: number; from: number; to: number };

/** The resources of a Photoshop segment, as far as they can be read; none for another segment. */
export function photoshopResources(bytes: Buffer, segment: Segment): PhotoshopResource[] {
  const resources: PhotoshopResource[] = [];
  if (!contentBegins(bytes, segment, SIGNATURE)) return resources;
  let at = segment.start + SIGNATURE.length;
  while (at + 12 <= segment.end && bytes.toString('latin1', at, at + 4) === '8BIM') {
    const id = bytes.readUInt16BE(at + 4);
    // A name with its length before it, padded to an even number of bytes.
    const sizeAt = at + 6 + (((bytes[at + 6] ?? 0) + 2) & ~1);
    if (sizeAt + 4 > segment.end) break;
    const from = sizeAt + 4;
    const to = Math.min(segment.end, from + bytes.readUInt32BE(sizeAt));
    resources.push({ id, from, to });
    at = to + ((to - from) & 1);
  }
  return resources;
}
