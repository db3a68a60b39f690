/** Where the segments of a JPEG file begin and end, including those after its header. */
import { EOI, headerSegments, MAX_SEGMENTS, type Segment, SOS, standsAlone } from '#src/shared/jpeg-header.ts';

export const APP1 = 0xe1;
export const APP13 = 0xed;

/**
 * All segments of one picture, including those between and after its scans, and where it ends (after its end-of-image
 * marker): editors sometimes put metadata after the picture data. Never throws; each byte is read once.
 */
export function pictureSegments(bytes: Buffer): { segments: Segment[]; end: number } {
  const { segments, scanAt } = headerSegments(bytes);
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

/** The next marker outside of picture data, where 0xFF is followed by zero, by another 0xFF or by a restart; -1 at the end. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length;) {
    const next = bytes[at + 1] as number;
    if (next === 0xff) at += 1;
    else if (next === 0x00 || (next >= 0xd0 && next <= 0xd7)) at = bytes.indexOf(0xff, at + 2);
    else return at;
  }
  return -1;
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
