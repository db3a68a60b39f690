import exifr from 'exifr';
import type { PictureFacts } from '#src/platform/images/images.ts';
import { APP13, IPTC_RESOURCE, photoshopResources } from '#src/platform/images/jpeg-segments.ts';
import { headerSegments } from '#src/shared/jpeg-header.ts';
import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS } from '#src/shared/photo-limits.ts';

type FileFacts = Pick<PictureFacts, 'capturedAt' | 'exif' | 'iptc' | 'keywords'>;

/** EXIF names and ours. Nothing else leaves this file: no GPS, serial numbers, owners, or camera notes (threat 54). */
const TEXTS = { Make: 'make', Model: 'model', LensModel: 'lens' } as const;
const NUMBERS = {
  /** Seconds. */
  ExposureTime: 'exposureTime',
  FNumber: 'fNumber',
  ISO: 'iso',
  /** Millimeters. */
  FocalLength: 'focalLength',
  FocalLengthIn35mmFormat: 'focalLength35mm',
} as const;
const TIMES = ['DateTimeOriginal', 'CreateDate', 'OffsetTimeOriginal', 'OffsetTimeDigitized'] as const;
const TEXT_CHARACTERS = 120;

/**
 * The metadata of an uploaded file: some camera facts (`takenAt` is the camera's local time as ISO text without
 * zone), IPTC facts and keywords. Read from the bytes only, never from what a client claims (rule 4). Broken or odd
 * metadata give fewer facts, never an error.
 */
export async function readFacts(bytes: Buffer): Promise<FileFacts> {
  const tags = await exifTags(bytes);
  const { facts: iptc, keywords } = readIptc(bytes);
  const exif: Record<string, string | number> = {};
  for (const [tag, name] of Object.entries(TEXTS)) {
    const text = typeof tags[tag] === 'string' ? cleanText(tags[tag], TEXT_CHARACTERS) : '';
    if (text !== '') exif[name] = text;
  }
  for (const [tag, name] of Object.entries(NUMBERS)) {
    const number = Array.isArray(tags[tag]) ? tags[tag][0] : tags[tag];
    if (typeof number === 'number' && Number.isFinite(number) && number > 0 && number < 1e7)
      exif[name] = rounded(number);
  }
  const taken = capturedAt(tags);
  if (taken) exif.takenAt = taken.local;
  return { capturedAt: taken?.instant ?? null, exif, iptc, keywords };
}

async function exifTags(bytes: Buffer): Promise<Record<string, unknown>> {
  try {
    const tags: unknown = await exifr.parse(bytes, {
      pick: [...Object.keys(TEXTS), ...Object.keys(NUMBERS), ...TIMES],
      gps: false,
      interop: false,
      ifd1: false,
      xmp: false,
      icc: false,
      iptc: false,
      jfif: false,
      translateValues: false,
      reviveValues: false,
    });
    return typeof tags === 'object' && tags !== null ? (tags as Record<string, unknown>) : {};
  } catch {
    // A photo is worth showing without its facts.
    return {};
  }
}

/** When the shutter opened: the camera's local time, and the instant (its own offset if it has one, else UTC). */
function capturedAt(tags: Record<string, unknown>): { local: string; instant: Date } | null {
  return (
    moment(tags.DateTimeOriginal, tags.OffsetTimeOriginal) ??
    moment(tags.CreateDate, tags.OffsetTimeDigitized ?? tags.OffsetTimeOriginal)
  );
}

function moment(time: unknown, offset: unknown): { local: string; instant: Date } | null {
  const parts = typeof time === 'string' ? /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(time) : null;
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const asUtc = new Date(`${local}Z`);
  // Cameras whose clock is not set write 0000:00:00; the 31st of June would roll over and is refused, too.
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(local)) return null;
  if (Number(year) < 1900 || Number(year) > 2100) return null;
  const zone = typeof offset === 'string' && /^[+-](?:0\d|1[0-4]):[0-5]\d/.test(offset) ? offset.slice(0, 6) : 'Z';
  return { local, instant: new Date(`${local}${zone}`) };
}

/** A camera is not exact to more than six digits: 1/80 s is stored as 0.012987012987. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** IPTC record numbers of the facts that members see, with their maximum lengths. Places are not included. */
const FACTS = new Map([
  [5, { name: 'title', most: 200 }],
  [80, { name: 'byline', most: 200 }],
  [105, { name: 'headline', most: 300 }],
  [110, { name: 'credit', most: 200 }],
  [116, { name: 'copyright', most: 300 }],
  [120, { name: 'caption', most: 2_000 }],
]);
const KEYWORD = 25;
const MAX_VALUES = 1_000;

type Iptc = { facts: Record<string, string>; keywords: string[] };

/**
 * IPTC facts of an uploaded file: allow-listed and cleaned, as far as the block can be read. Files that do not declare
 * UTF-8 often use it anyway, so it is tried first. (exifr reads all of it as Latin-1.) Keywords are trimmed and unique
 * ignoring case. Never throws.
 */
function readIptc(bytes: Buffer): Iptc {
  const facts: Record<string, string> = {};
  const keywords = new Map<string, string>();
  for (const { dataset, value } of values(bytes)) {
    const fact = FACTS.get(dataset);
    const text = fact && cleanText(decoded(value), fact.most);
    if (fact && text && facts[fact.name] === undefined) facts[fact.name] = text;
    if (dataset === KEYWORD) addKeyword(keywords, cleanText(decoded(value), MAX_KEYWORD_CHARACTERS));
  }
  return { facts, keywords: [...keywords.values()] };
}

function addKeyword(keywords: Map<string, string>, word: string): void {
  const key = word.toLowerCase();
  if (word !== '' && keywords.size < MAX_KEYWORDS && !keywords.has(key)) keywords.set(key, word);
}

function* values(bytes: Buffer): Generator<{ dataset: number; value: Buffer }> {
  let count = 0;
  for (const segment of headerSegments(bytes).segments) {
    if (segment.marker !== APP13) continue;
    for (const { id, from, to } of photoshopResources(bytes, segment)) {
      for (let at = from; id === IPTC_RESOURCE && at + 5 <= to && bytes[at] === 0x1c;) {
        const size = bytes.readUInt16BE(at + 3);
        const end = at + 5 + size;
        // The highest bit announces a longer size field; no fact that we read is that long.
        if (size > 0x7fff || end > to || ++count > MAX_VALUES) return;
        if (bytes[at + 1] === 2) yield { dataset: bytes[at + 2] ?? 0, value: bytes.subarray(at + 5, end) };
        at = end;
      }
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(value: Buffer): string {
  try {
    return utf8.decode(value);
  } catch {
    return value.toString('latin1');
  }
}

/**
 * Control characters, and the characters that change the direction of the surrounding text (they can disguise one name
 * as another).
 */
const UNWANTED = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFFFD\uFEFF]+/gu;

/** Text of an untrusted file as one tidy line: no control characters or half characters, at most `most` characters. */
function cleanText(text: string, most: number): string {
  const tidy = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(UNWANTED, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...tidy].slice(0, most).join('').trim();
}
