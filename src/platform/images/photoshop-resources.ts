import { contentBegins, type Segment } from '#src/platform/images/jpeg-segments.ts';

const SIGNATURE = 'Photoshop 3.0\0';
/** IPTC facts. */
export const IPTC_RESOURCE = 0x0404;

/** One resource of an APP13 segment; `from` and `to` bound its content. */
export type PhotoshopResource = { id: number; from: number; to: number };

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
