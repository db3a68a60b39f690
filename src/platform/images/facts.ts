import exifr from 'exifr';
import { cleanText } from '#src/platform/images/clean-text.ts';
import type { PictureFacts } from '#src/platform/images/images.ts';
import { readIptc } from '#src/platform/images/iptc.ts';

export type FileFacts = Pick<PictureFacts, 'capturedAt' | 'exif' | 'iptc' | 'keywords'>;

/** EXIF names and ours. Nothing else leaves this file: no GPS, serial numbers, owners, or camera notes (threat 54). */
const TEXTS = { Make: 'make', Model: 'model', LensModel: 'lens' } as const;
const NUMBERS = {
  /** Seconds. */
  ExposureTime: 'exposureTime',
  FNumber: 'fNumber',
  ISO: 'iso',
  /** Millimetres. */
  FocalLength: 'focalLength',
  FocalLengthIn35mmFormat: 'focalLength35mm',
} as const;
const TIMES = ['DateTimeOriginal', 'CreateDate', 'OffsetTimeOriginal', 'OffsetTimeDigitized'] as const;
const TEXT_LETTERS = 120;

/**
 * What the metadata of an uploaded file say: allow-listed camera facts (`takenAt` is the camera's local
 * time as ISO text without zone), IPTC facts and keywords. Read from the bytes only, never from what
 * a client claims (rule 4). Broken or odd metadata give fewer facts, never an error.
 */
export async function readFacts(bytes: Buffer): Promise<FileFacts> {
  const tags = await exifTags(bytes);
  const { facts: iptc, keywords } = readIptc(bytes);
  const exif: Record<string, string | number> = {};
  for (const [tag, name] of Object.entries(TEXTS)) {
    const text = typeof tags[tag] === 'string' ? cleanText(tags[tag], TEXT_LETTERS) : '';
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
  // Cameras with an empty clock write 0000:00:00; the 31st of June rolls over and is refused, too.
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(local)) return null;
  if (Number(year) < 1900 || Number(year) > 2100) return null;
  const zone = typeof offset === 'string' && /^[+-](?:0\d|1[0-4]):[0-5]\d/.test(offset) ? offset.slice(0, 6) : 'Z';
  return { local, instant: new Date(`${local}${zone}`) };
}

/** A camera is not exact to more than six digits: 1/80 s is stored as 0.012987012987. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
