import { emptyGpsTables } from '#src/platform/images/exif-location.ts';
import {
  APP1,
  APP13,
  contentBegins,
  headerSegments,
  looksLikeJpeg,
  pictureSegments,
  type Segment,
} from '#src/platform/images/jpeg-segments.ts';
import { photoshopResources } from '#src/platform/images/photoshop-resources.ts';
import { blankVideoLocation } from '#src/platform/images/video-location.ts';
import { blankXmpLocation, extendedPacketName, type Piece } from '#src/platform/images/xmp-location.ts';

const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0';
/** After the extended marker: name of the packet (32), its length (4), offset of this piece (4). */
const EXTENDED_HEADER = EXTENDED_XMP.length + 40;
const APP3 = 0xe3;
const PHOTOSHOP_EXIF = new Set([0x0422, 0x0423]);
const PHOTOSHOP_XMP = 0x0424;
/** A phone stores two or three pictures after the main one. */
const MAX_EMBEDDED = 64;

/**
 * The file without any position (rule 9), and otherwise as it was uploaded: same length, every
 * byte of picture data, tables, color profile, camera notes and secondary pictures in its place.
 * GPS is taken out of EXIF (before, between and after the scans), XMP (also in several pieces), Photoshop's copies of both, the pictures
 * after the main one (MPF, gain maps) and the video of a motion photo. Never throws. Returns the
 * same buffer if there is nothing to take out; the given buffer is never changed.
 */
export function withoutLocation(original: Buffer): Buffer {
  if (!looksLikeJpeg(original)) return original;
  const bytes = Buffer.from(original);
  return removeLocation(bytes) ? bytes : original;
}

/** True if the file says where it was taken, in any of the places above. */
export function locationIn(bytes: Buffer): boolean {
  return looksLikeJpeg(bytes) && removeLocation(Buffer.from(bytes));
}

function removeLocation(bytes: Buffer): boolean {
  const { segments, end: pictureEnd } = pictureSegments(bytes);
  let changed = cleanHeader(bytes, segments);
  // Thumbnails carry metadata of their own: in EXIF of the main picture, and in the pictures after it.
  for (const { start, end } of segments) {
    if (end - start > 100) changed = cleanEmbedded(bytes, start, end) || changed;
  }
  changed = cleanEmbedded(bytes, pictureEnd, bytes.length) || changed;
  return blankVideoLocation(bytes, pictureEnd) || changed;
}

function cleanEmbedded(bytes: Buffer, from: number, to: number): boolean {
  const start = Buffer.from([0xff, 0xd8, 0xff]);
  let changed = false;
  let at = bytes.indexOf(start, from);
  for (let count = 0; at >= 0 && at < to && count < MAX_EMBEDDED; count++) {
    changed = cleanHeader(bytes, headerSegments(bytes.subarray(0, to), at).segments) || changed;
    at = bytes.indexOf(start, at + 3);
  }
  return changed;
}

/** Cleans the metadata segments of one picture. */
function cleanHeader(bytes: Buffer, segments: readonly Segment[]): boolean {
  let changed = false;
  for (const segment of segments) changed = cleanSegment(bytes, segment) || changed;
  return cleanExtendedXmp(bytes, segments) || changed;
}

function cleanSegment(bytes: Buffer, segment: Segment): boolean {
  const { marker, start, end } = segment;
  if (marker === APP1 && contentBegins(bytes, segment, 'Exif\0')) return emptyGpsTables(bytes, start + 6, end);
  if (marker === APP1 && contentBegins(bytes, segment, XMP)) {
    return blankXmpLocation(bytes, [{ from: start + XMP.length, to: end }]);
  }
  // Kodak keeps a second EXIF-like block here.
  if (marker === APP3 && /^meta\0\0/i.test(bytes.toString('latin1', start, start + 6)))
    return emptyGpsTables(bytes, start + 6, end);
  if (marker === APP13) return cleanPhotoshop(bytes, segment);
  return false;
}

function cleanPhotoshop(bytes: Buffer, segment: Segment): boolean {
  let changed = false;
  for (const { id, from, to } of photoshopResources(bytes, segment)) {
    if (PHOTOSHOP_EXIF.has(id)) changed = emptyGpsTables(bytes, from, to) || changed;
    if (id === PHOTOSHOP_XMP) changed = blankXmpLocation(bytes, [{ from, to }]) || changed;
  }
  return changed;
}

/** Extended packets are joined by name and offset before they are searched: a property may begin in one piece and end in the next. */
function cleanExtendedXmp(bytes: Buffer, segments: readonly Segment[]): boolean {
  const extended = segments.filter(
    (segment) =>
      segment.marker === APP1 &&
      contentBegins(bytes, segment, EXTENDED_XMP) &&
      segment.end - segment.start >= EXTENDED_HEADER,
  );
  const nameOf = ({ start }: Segment): string =>
    bytes.toString('latin1', start + EXTENDED_XMP.length, start + EXTENDED_XMP.length + 32);
  let changed = false;
  for (const name of new Set(extended.map(nameOf))) {
    const own = extended.filter((segment) => nameOf(segment) === name);
    const pieces = own.toSorted((a, b) => offsetOf(bytes, a) - offsetOf(bytes, b)).map(contentOf);
    if (!blankXmpLocation(bytes, pieces)) continue;
    changed = true;
    rename(bytes, segments, name, extendedPacketName(bytes, pieces));
  }
  return changed;
}

function offsetOf(bytes: Buffer, { start }: Segment): number {
  return bytes.readUInt32BE(start + EXTENDED_XMP.length + 36);
}

function contentOf({ start, end }: Segment): Piece {
  return { from: start + EXTENDED_HEADER, to: end };
}

/** The name is in each piece and in the main packet (`xmpNote:HasExtendedXMP`). */
function rename(bytes: Buffer, segments: readonly Segment[], name: string, newName: string): void {
  if (!/^[0-9A-Fa-f]{32}$/.test(name)) return;
  for (const segment of segments.filter(({ marker }) => marker === APP1)) {
    if (!contentBegins(bytes, segment, EXTENDED_XMP) && !contentBegins(bytes, segment, XMP)) continue;
    const window = bytes.subarray(segment.start, segment.end);
    const at = window.indexOf(name, 0, 'latin1');
    if (at >= 0) window.write(newName, at, 'latin1');
  }
}
