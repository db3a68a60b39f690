import { createHash } from 'node:crypto';
import { emptyGpsTables } from '#src/platform/images/exif.ts';
import { APP1, APP13, contentBegins, pictureSegments, photoshopResources } from '#src/platform/images/jpeg-segments.ts';
import { headerSegments, looksLikeJpeg, type Segment } from '#src/shared/jpeg-header.ts';

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
 * The file without any position (rule 9), and otherwise as it was uploaded: same length, with every byte of picture
 * data, tables, color profile, camera notes and secondary pictures in its place. GPS is removed from EXIF (before,
 * between and after the scans), from XMP (also in several pieces), and from Photoshop's copies of both. It is also
 * removed from the pictures after the main one (MPF, gain maps) and from the video of a motion photo. Never throws. Returns the same buffer if there is nothing to
 * remove; the given buffer is never changed.
 */
export function withoutLocation(original: Buffer): Buffer {
  if (!looksLikeJpeg(original)) return original;
  const bytes = Buffer.from(original);
  return removeLocation(bytes) ? bytes : original;
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

/** A property whose name refers to a position, whatever prefix its namespace has in this file. Bounded: no runaway matching. */
const NAME = String.raw`[\w.-]{1,64}:(?=[\w.-]{0,64}(?:gps|latitude|long(?:t?)itude|geotag)|(?:lat|long|lon)\b)[\w.-]{1,96}`;
const ATTRIBUTE = new RegExp(String.raw`(?<=\s)${NAME}\s{0,8}=\s{0,8}(?:"[^"]*"?|'[^']*'?)`, 'gi');
const ELEMENT = new RegExp(`<(${NAME})`, 'gi');

/** A run of bytes: the first and one after the last. */
type Span = { from: number; to: number };

/** One piece of a packet: where its bytes are in the file. */
type Piece = Span;

/**
 * Overwrites the positions in an XMP packet with spaces, in place: attributes and whole elements such as `exif:GPS…`,
 * `drone-dji:GpsLatitude` and `geo:lat`. City and country names stay. The packet may consist of several pieces
 * (extended XMP). True if anything was changed.
 */
function blankXmpLocation(bytes: Buffer, pieces: readonly Piece[]): boolean {
  const text = pieces.map(({ from, to }) => bytes.toString('latin1', from, to)).join('');
  // JPEG allows only UTF-8 here; a packet in UTF-16 would evade the patterns below.
  const spans = /g\0p\0s\0|\0g\0p\0s/i.test(text) ? [{ from: 0, to: text.length }] : locationSpans(text);
  for (const span of spans) blank(bytes, pieces, span);
  return spans.some(({ from, to }) => to > from);
}

/** Where a packet has positions. */
function locationSpans(text: string): Span[] {
  if (!/gps|latitude|longt?itude|geotag|:lat|:lon/i.test(text)) return [];
  const attributes = [...text.matchAll(ATTRIBUTE)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
  const elements: Span[] = [];
  for (const match of text.matchAll(ELEMENT)) {
    if (match.index < (elements.at(-1)?.to ?? 0)) continue;
    elements.push({ from: match.index, to: endOfElement(text, match.index, match[1] ?? '') });
  }
  return [...attributes, ...elements];
}

/** The index after the element that begins at `from`; the end of the packet if it is never closed. */
function endOfElement(text: string, from: number, name: string): number {
  const open = text.indexOf('>', from);
  if (open < 0) return text.length;
  if (text[open - 1] === '/') return open + 1;
  const close = text.indexOf(`</${name}`, open);
  const end = close < 0 ? -1 : text.indexOf('>', close);
  return end < 0 ? text.length : end + 1;
}

function blank(bytes: Buffer, pieces: readonly Piece[], span: Span): void {
  let before = 0;
  for (const { from, to } of pieces) {
    const start = Math.max(span.from, before);
    const end = Math.min(span.to, before + to - from);
    if (start < end) bytes.fill(0x20, from + start - before, from + end - before);
    before += to - from;
  }
}

/** The name of an extended packet is the MD5 of its text (Adobe XMP part 3); readers may check it. */
function extendedPacketName(bytes: Buffer, pieces: readonly Piece[]): string {
  const hash = createHash('md5');
  for (const { from, to } of pieces) hash.update(bytes.subarray(from, to));
  return hash.digest('hex').toUpperCase();
}

/** Digits of an ISO 6709 position such as `+27.5916+086.5640+8850/`, as videos contain it in plain text. */
const POSITION = /[+-]\d{2}(?:\d{2}){0,2}\.\d{2,10}[+-]\d{3}(?:\d{2}){0,2}\.\d{2,10}(?:[+-]\d{1,6}(?:\.\d{1,10})?)?/g;
/** A 3GPP location box: size, name, then version, language, place name, role, and three 16.16 numbers. */
const LOCATION_BOX = Buffer.from('loci');

/**
 * Overwrites positions in the video that phones append to a photo ("motion photo"), in place. Searched only after the
 * picture and only if there is a video. True if anything was changed.
 */
function blankVideoLocation(bytes: Buffer, from: number): boolean {
  const film = bytes.indexOf('ftyp', from, 'latin1');
  if (film < 0) return false;
  let changed = false;
  for (const match of bytes.toString('latin1', film, bytes.length).matchAll(POSITION)) {
    const start = film + match.index;
    for (let at = start; at < start + match[0].length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte <= 0x30 || byte > 0x39) continue;
      bytes[at] = 0x30;
      changed = true;
    }
  }
  return blankLocationBoxes(bytes, film) || changed;
}

function blankLocationBoxes(bytes: Buffer, film: number): boolean {
  let changed = false;
  for (let at = bytes.indexOf(LOCATION_BOX, film); at >= 0; at = bytes.indexOf(LOCATION_BOX, at + 4)) {
    const end = at - 4 + bytes.readUInt32BE(at - 4);
    if (end <= at + 4 || end > bytes.length || end - at > 1_000) continue;
    changed = changed || bytes.subarray(at + 4, end).some((byte) => byte !== 0);
    bytes.fill(0, at + 4, end);
  }
  return changed;
}
