import { createHash } from 'node:crypto';

/** A property whose name speaks of a position, whatever its namespace is called in this file. Bounded: no run-away matching. */
const NAME = String.raw`[\w.-]{1,64}:(?=[\w.-]{0,64}(?:gps|latitude|long(?:t?)itude|geotag)|(?:lat|long|lon)\b)[\w.-]{1,96}`;
const ATTRIBUTE = new RegExp(String.raw`(?<=\s)${NAME}\s{0,8}=\s{0,8}(?:"[^"]*"?|'[^']*'?)`, 'gi');
const ELEMENT = new RegExp(`<(${NAME})`, 'gi');

/** A run of bytes: the first and one after the last. */
export type Span = { from: number; to: number };

/** One piece of a packet: where its bytes are in the file. */
export type Piece = Span;

/**
 * Overwrites the positions in an XMP packet with spaces, in place: attributes and whole elements
 * `exif:GPS…`, `drone-dji:GpsLatitude`, `geo:lat` and their kind. City and country names stay. The
 * packet may lie in several pieces (extended XMP). True if anything was changed.
 */
export function blankXmpLocation(bytes: Buffer, pieces: readonly Piece[]): boolean {
  const text = pieces.map(({ from, to }) => bytes.toString('latin1', from, to)).join('');
  // JPEG allows only UTF-8 here; a packet in two-byte letters would slip through the patterns below.
  const spans = /g\0p\0s\0|\0g\0p\0s/i.test(text) ? [{ from: 0, to: text.length }] : locationSpans(text);
  for (const span of spans) blank(bytes, pieces, span);
  return spans.some(({ from, to }) => to > from);
}

/** Where a packet has positions. */
export function locationSpans(text: string): Span[] {
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
export function extendedPacketName(bytes: Buffer, pieces: readonly Piece[]): string {
  const hash = createHash('md5');
  for (const { from, to } of pieces) hash.update(bytes.subarray(from, to));
  return hash.digest('hex').toUpperCase();
}
