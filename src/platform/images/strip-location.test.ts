import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import exifr from 'exifr';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readFacts } from '#src/platform/images/facts.ts';
import { orientationIn } from '#src/platform/images/exif.ts';
import { withoutLocation } from '#src/platform/images/strip-location.ts';
import { CAMERA, fractionBytes, locationIn, PLACE, SHOT, stripped } from '#tests/support/location.ts';
import {
  exifSegment,
  gpsTags,
  iptcSegment,
  photoshopSegment,
  pictureData,
  quartersJpeg,
  segment,
  tiffBlock,
  withSegments,
  xmpSegment,
  type ExifTables,
} from '#tests/support/pictures.ts';

const PHOTOS = join(import.meta.dirname, '../../../../shared/photos');
const plain = await quartersJpeg(64, 48);
const severalScans = await sharp(plain).jpeg({ progressive: true }).toBuffer();

/** Where two buffers of the same length differ: first and last offset. */
function changedRange(a: Buffer, b: Buffer): [number, number] {
  let [first, last] = [-1, -1];
  for (let at = 0; at < a.length; at++) {
    if (a[at] === b[at]) continue;
    if (first < 0) first = at;
    last = at;
  }
  return [first, last];
}

describe('EXIF', () => {
  it.each([true, false])('loses its GPS; every other byte is unchanged (little: %s)', async (little) => {
    const exif = exifSegment({ little, main: CAMERA, exif: SHOT, gps: PLACE, thumbnail: [[0x0103, [6]]] });
    const original = withSegments(
      plain,
      segment(0xe0, Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\0\0', 'latin1')),
      exif,
    );
    expect(await exifr.gps(original)).toBeDefined();
    expect(locationIn(original)).toBe(true);

    const result = stripped(original);
    expect(await exifr.gps(result)).toBeUndefined();
    for (const value of [26_000, 49_099, 59_000, 8_401, 73_000, 40_000]) {
      const bytes = fractionBytes(value, little);
      expect([original.includes(bytes), result.includes(bytes)]).toEqual([original.includes(bytes), false]);
    }
    expect(result.includes('2026:05:09\0')).toBe(false);
    expect(result.includes('MAKER NOTES, kept as they are')).toBe(true);
    expect(await readFacts(result)).toEqual(await readFacts(original));
    expect(orientationIn(result)).toBe(6);
    expect(await exifr.parse(result, { ifd1: true, gps: true, mergeOutput: false })).toMatchObject({
      ifd1: { Compression: 6 },
    });
    const [first, last] = changedRange(original, result);
    expect(first).toBeGreaterThan(original.indexOf('Exif'));
    expect(last).toBeLessThan(original.indexOf('Exif') + exif.length);
  });

  it.each([
    ['behind the scan', plain],
    ['behind the last of several scans', severalScans],
  ])('loses its GPS %s, where programs put it', async (_where, jpeg) => {
    // The picture's data may contain what looks like an end inside the metadata itself.
    const exif = exifSegment({ main: [[0x010f, { bytes: Buffer.from([0xff, 0xd9, 0xff, 0xda, 1, 2]) }]], gps: PLACE });
    const original = Buffer.concat([jpeg.subarray(0, -2), exif, jpeg.subarray(-2), Buffer.from('a trailer')]);
    expect(locationIn(original)).toBe(true);
    const result = withoutLocation(original);
    expect(result).toHaveLength(original.length);
    expect([original, result].map((bytes) => bytes.includes(fractionBytes(49_099, true)))).toEqual([true, false]);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect((await pixels(result)).equals(await pixels(jpeg))).toBe(true);
    expect(locationIn(result)).toBe(false);
    const [first, last] = changedRange(original, result);
    expect(first).toBeGreaterThan(jpeg.length - 2);
    expect(last).toBeLessThan(jpeg.length + exif.length);
  });

  it('of a file without GPS is returned as the same buffer', () => {
    const original = withSegments(plain, exifSegment({ main: CAMERA, exif: SHOT }));
    expect(withoutLocation(original)).toBe(original);
    expect(locationIn(original)).toBe(false);
  });

  it('loses coordinates in an ordinary table, too', () => {
    const original = withSegments(
      plain,
      exifSegment({ main: [...PLACE.slice(0, 4), ...CAMERA], exif: [...PLACE.slice(0, 4), ...SHOT] }),
    );
    const result = stripped(original);
    expect(result.includes(fractionBytes(26_000, true))).toBe(false);
    expect(orientationIn(result)).toBe(6);
  });

  it('is cleaned in a second segment, and in one of Kodak', () => {
    const block = tiffBlock({ main: CAMERA, gps: PLACE });
    const kodak = segment(0xe3, Buffer.concat([Buffer.from('Meta\0\0'), block]));
    const original = withSegments(plain, exifSegment({ main: CAMERA }), exifSegment({ gps: PLACE }), kodak);
    expect(stripped(original).includes(fractionBytes(26_000, true))).toBe(false);
  });

  it('that cannot be read but seems to point to GPS is blanked; otherwise it stays', () => {
    const good = exifSegment({ little: false, main: CAMERA, gps: PLACE });
    const broken = Buffer.from(good);
    broken.writeUInt16BE(43, 4 + 6 + 2);
    const original = withSegments(plain, broken);
    expect(stripped(original).includes(fractionBytes(26_000, false))).toBe(false);
    const harmless = withSegments(plain, segment(0xe1, Buffer.from('Exif\0\0 nothing here that can be read')));
    expect(withoutLocation(harmless)).toBe(harmless);
  });

  it('with tables that point at each other, at themselves and outside is read without a loop', () => {
    const exif = exifSegment({ main: CAMERA, exif: SHOT, gps: PLACE });
    const tiff = 10;
    for (const [from, to] of [
      [0x8769, 8],
      [0x8825, 8],
      [0x8769, 0xfffffff0],
      [0x8825, 0xfffffff0],
    ] as const) {
      const crafted = Buffer.from(exif);
      const entry = crafted.indexOf(Buffer.from([from & 0xff, from >> 8, 4, 0]), tiff);
      crafted.writeUInt32LE(to, entry + 8);
      const original = withSegments(plain, crafted);
      expect(stripped(original)).toHaveLength(original.length);
    }
  });
});

describe('Other places', () => {
  it("include Photoshop's copies of EXIF and XMP; IPTC with its city stays", async () => {
    const original = withSegments(
      plain,
      photoshopSegment(0x0422, tiffBlock({ main: CAMERA, gps: PLACE })),
      photoshopSegment(0x0424, Buffer.from('<a exif:GPSLatitude="40,26.8N"/>')),
      iptcSegment([
        [90, 'Springfield'],
        [120, 'Caption'],
      ]),
    );
    const result = stripped(original);
    expect(result.includes('40,26')).toBe(false);
    expect(result.includes(fractionBytes(26_000, true))).toBe(false);
    expect(result.includes('Springfield')).toBe(true);
    expect((await readFacts(result)).iptc).toEqual({ caption: 'Caption' });
  });

  it('include the pictures after the main one (MPF, gain maps) and the thumbnail in it; their offsets stay valid', async () => {
    const second = withSegments(
      await quartersJpeg(32, 24),
      exifSegment({ little: false, main: CAMERA, gps: PLACE }),
      xmpSegment('<a exif:GPSLatitude="40,26.8N"/>'),
    );
    const thumbnail = withSegments(await quartersJpeg(16, 12), exifSegment({ gps: PLACE }));
    const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiffBlock({ main: CAMERA }), thumbnail]));
    const mpf = segment(0xe2, Buffer.from('MPF\0II*\0 offsets'));
    const main = withSegments(plain, exif, mpf);
    const result = stripped(Buffer.concat([main, second]));
    expect(result.includes('40,26')).toBe(false);
    for (const little of [true, false]) expect(result.includes(fractionBytes(26_000, little))).toBe(false);
    const secondResult = result.subarray(main.length);
    expect(pictureData(secondResult).equals(pictureData(second))).toBe(true);
    expect((await sharp(secondResult).metadata()).width).toBe(32);
    expect(await exifr.gps(secondResult)).toBeUndefined();
  });

  it('include the video of a moving photo: ISO 6709 text and location boxes', () => {
    const place = Buffer.from('\0\0\0\0\x15\xc7Home\0\0\0\x12\x34\x56\x78\x12\x34', 'latin1');
    const box = Buffer.concat([Buffer.from([0, 0, 0, 8 + place.length]), Buffer.from('loci'), place]);
    const film = Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypmp42\0\0\0\0isommp42'),
      Buffer.from([0, 0, 0, 30, 0xa9]),
      Buffer.from('xyz\0\x12\x15\xc7+40.4470-073.9857+8.5/', 'latin1'),
      box,
      Buffer.from('frames'),
    ]);
    const result = stripped(Buffer.concat([plain, film])).toString('latin1');
    expect(result).not.toMatch(/40\.4|73\.98|Home/);
    expect(result).toContain('+00.0000-000.0000+0.0/');
    expect(result.endsWith('frames')).toBe(true);
  });

  it('do not include the picture data, which stay unchanged whatever they contain', () => {
    const jpeg = Buffer.concat([
      plain.subarray(0, -2),
      Buffer.from('Exif\0\0II*\0 ftyp +40.4470-073.9857/ exif:GPSLatitude="4"'),
      plain.subarray(-2),
    ]);
    expect(withoutLocation(jpeg)).toBe(jpeg);
  });

  it('do not include other files, which stay unchanged', () => {
    const bytes = Buffer.from('no picture exif:GPSLatitude="40"');
    expect(withoutLocation(bytes)).toBe(bytes);
    expect(locationIn(bytes)).toBe(false);
  });
});

describe('For any metadata', () => {
  const tag = fc.integer({ min: 0x0100, max: 0x02ff }).filter((value) => value < 0x0200 || value > 0x0210);
  const value = fc.oneof(
    fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\0', '')),
    fc.array(fc.nat(65_535), { minLength: 1, maxLength: 6 }),
    fc.record({ fractions: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 2 }) }),
  );
  const tags = fc.array(fc.tuple(tag, value), { maxLength: 8 });
  const tables: fc.Arbitrary<ExifTables> = fc.record(
    {
      little: fc.boolean(),
      main: tags,
      exif: tags,
      gps: fc
        .tuple(fc.double({ min: -89, max: 89, noNaN: true }), fc.double({ min: -179, max: 179, noNaN: true }))
        .map(([a, b]) => gpsTags(a, b)),
      thumbnail: tags,
    },
    { requiredKeys: ['little', 'main', 'gps'] },
  );

  it('GPS is removed, every other tag stays readable with its value', async () => {
    const options = {
      ifd1: true,
      mergeOutput: false,
      translateKeys: false,
      translateValues: false,
      reviveValues: false,
    } as const;
    await fc.assert(
      fc.asyncProperty(tables, async (block) => {
        const original = withSegments(plain, exifSegment(block));
        const result = stripped(original);
        expect(await exifr.gps(result)).toBeUndefined();
        const read = async (bytes: Buffer): Promise<Record<string, Record<number, unknown>>> =>
          (await exifr.parse(bytes, options)) ?? {};
        const [before, after] = [await read(original), await read(result)];
        const { gps: _gone, ...kept } = before;
        delete kept.ifd0?.[0x8825];
        if (Object.keys(kept.ifd0 ?? {}).length === 0) delete kept.ifd0;
        expect(after).toEqual(kept);
      }),
      { numRuns: 150 },
    );
  });

  it('bytes changed at random cause no exception, and the picture data never change', () => {
    const whole = exifSegment({ main: CAMERA, exif: SHOT, gps: PLACE, thumbnail: [[0x0103, [6]]] });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length - 11), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const crafted = Buffer.from(whole);
        for (const [at, byte] of changes) crafted[10 + at] = byte;
        const original = withSegments(plain, crafted);
        expect(stripped(original)).toHaveLength(original.length);
      }),
      { numRuns: 400 },
    );
  });

  it('any truncation of a file causes no exception', () => {
    const file = withSegments(
      plain,
      exifSegment({ main: CAMERA, gps: PLACE }),
      xmpSegment('<a exif:GPSLatitude="40"/>'),
    );
    for (let length = 0; length < file.length; length += 3) {
      expect(withoutLocation(file.subarray(0, length))).toHaveLength(length);
    }
  });
});

describe.skipIf(!existsSync(PHOTOS))('Real photographs (skipped where ../shared/photos is missing)', () => {
  const files = existsSync(PHOTOS)
    ? ['cameras', 'nature', 'orientation', 'phones'].flatMap((folder) =>
        readdirSync(join(PHOTOS, folder)).map((name) => join(PHOTOS, folder, name)),
      )
    : [];

  it.each(['HMD_Nokia_8.3_5G', 'iphone_hdr_YES'])('phones/%s: GPS is removed, facts and pixels stay', async (name) => {
    const original = readFileSync(join(PHOTOS, `phones/${name}.jpg`));
    expect(await exifr.gps(original)).toMatchObject({ latitude: expect.any(Number) });
    const result = stripped(original);
    expect(await exifr.gps(result)).toBeUndefined();
    expect(await readFacts(result)).toEqual(await readFacts(original));
  });

  it('every file keeps its picture data and its facts, and contains no position', async () => {
    for (const file of files) {
      const original = readFileSync(file);
      const result = stripped(original);
      expect(await exifr.gps(result).catch(() => undefined)).toBeUndefined();
      expect(await readFacts(result)).toEqual(await readFacts(original));
    }
  });
});
