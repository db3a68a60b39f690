import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFacts } from '#src/platform/images/facts.ts';
import {
  exifSegment,
  gpsTags,
  iptcSegment,
  quartersJpeg,
  segment,
  withSegments,
  type Tags,
} from '#tests/support/pictures.ts';

const jpeg = await quartersJpeg(16, 12);

const CAMERA: Tags = [
  [0x010f, 'Canon'],
  [0x0110, 'Canon EOS R5'],
  [0x013b, 'A Private Person'],
];
const SHOT: Tags = [
  [0x829a, { fractions: [0.004] }],
  [0x829d, { fractions: [7.1] }],
  [0x8827, [1000]],
  [0x9003, '2026:05:09 14:30:05'],
  [0x9011, '-04:00'],
  [0x920a, { fractions: [500] }],
  [0xa430, 'A Private Person'],
  [0xa431, 'SN-123456'],
  [0xa434, 'RF 500mm F4'],
  [0xa435, 'LENS-SN-9'],
];

describe('Camera facts', () => {
  it.each([true, false])('are the allowed ones and nothing else, in either byte order (little: %s)', async (little) => {
    const facts = await readFacts(
      withSegments(jpeg, exifSegment({ little, main: CAMERA, exif: SHOT, gps: gpsTags(40.5, -73.9) })),
    );
    expect(facts).toEqual({
      capturedAt: new Date('2026-05-09T18:30:05Z'),
      exif: {
        make: 'Canon',
        model: 'Canon EOS R5',
        lens: 'RF 500mm F4',
        exposureTime: 0.004,
        fNumber: 7.1,
        iso: 1000,
        focalLength: 500,
        takenAt: '2026-05-09T14:30:05',
      },
      iptc: {},
      keywords: [],
    });
    expect(JSON.stringify(facts)).not.toMatch(/Private|SN-|40\.5|73\.9|GPS/i);
  });

  it.each([
    ['no offset counts as UTC', [[0x9003, '2026:05:09 14:30:05']], '2026-05-09T14:30:05.000Z'],
    [
      'an offset that is none counts as UTC',
      [
        [0x9003, '2026:05:09 14:30:05'],
        [0x9011, '+99:99'],
      ],
      '2026-05-09T14:30:05.000Z',
    ],
    [
      'the time of digitising stands in',
      [
        [0x9004, '2026:05:09 14:30:05'],
        [0x9012, '+02:00'],
      ],
      '2026-05-09T12:30:05.000Z',
    ],
    ['an empty clock is no time', [[0x9003, '0000:00:00 00:00:00']], null],
    ['a blank clock is no time', [[0x9003, '    :  :     :  :  ']], null],
    ['the 31st of June is no day', [[0x9003, '2026:06:31 10:00:00']], null],
    ['the year 9999 is no year of a camera', [[0x9003, '9999:01:01 10:00:00']], null],
    ['text is no time', [[0x9003, 'yesterday']], null],
  ] as [string, Tags, string | null][])('%s', async (_, exif, instant) => {
    const { capturedAt } = await readFacts(withSegments(jpeg, exifSegment({ exif })));
    expect(capturedAt?.toISOString() ?? null).toBe(instant);
  });

  it('text is cleaned: no control characters, no changed direction, no half characters, limited length', async () => {
    const odd = `Ca\u0001non\u202Eevil\u2066 ${'x'.repeat(500)}`;
    const { exif } = await readFacts(withSegments(jpeg, exifSegment({ main: [[0x010f, odd]] })));
    expect(exif.make).toMatch(/^Ca non ?evil x+$/);
    expect(String(exif.make).length).toBeLessThanOrEqual(120);
  });

  it('impossible numbers are left out', async () => {
    const { exif } = await readFacts(
      withSegments(
        jpeg,
        exifSegment({
          exif: [
            [0x829a, { fractions: [0] }],
            [0x8827, [0]],
          ],
        }),
      ),
    );
    expect(exif).toEqual({});
  });
});

describe('IPTC facts', () => {
  it('are read as UTF-8 and as Latin-1, the first of each counts, places are not read', async () => {
    const { iptc, keywords } = await readFacts(
      withSegments(
        jpeg,
        iptcSegment([
          [105, 'Ñandú gana 3–2'],
          [105, 'second headline'],
          [120, Buffer.from('Caf\xe9', 'latin1')],
          [80, 'Ana Pérez'],
          [90, 'Some City'],
          [92, '12 Home Street'],
          [25, ' Goal '],
          [25, 'goal'],
          [25, 'Nº 7'],
          [25, '\0'],
        ]),
      ),
    );
    expect(iptc).toEqual({ headline: 'Ñandú gana 3–2', caption: 'Café', byline: 'Ana Pérez' });
    expect(keywords).toEqual(['Goal', 'Nº 7']);
  });

  it('at most 50 keywords of 60 characters', async () => {
    const words = Array.from({ length: 80 }, (_, at): [number, string] => [25, `${at} ${'k'.repeat(100)}`]);
    const { keywords } = await readFacts(withSegments(jpeg, iptcSegment(words)));
    expect(keywords).toHaveLength(50);
    expect(keywords.every((word) => word.length === 60)).toBe(true);
  });
});

describe('Broken metadata give fewer facts, never an error', () => {
  const whole = exifSegment({ main: CAMERA, exif: SHOT, gps: gpsTags(1, 2) });

  it('for every single byte changed and every cut of an EXIF block', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 5), fc.nat(255), fc.nat(whole.length - 5), async (at, byte, length) => {
        const content = Buffer.from(whole.subarray(4));
        content[at] = byte;
        for (const block of [content, content.subarray(0, length)]) {
          expect(await readFacts(withSegments(jpeg, segment(0xe1, block)))).toMatchObject({ iptc: {}, keywords: [] });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('for random bytes where EXIF and IPTC should be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const noise = Buffer.from(bytes);
        const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0II*\0', 'latin1'), noise]));
        const iptc = segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\x008BIM\x04\x04', 'latin1'), noise]));
        const facts = await readFacts(withSegments(jpeg, exif, iptc));
        expect(JSON.stringify(facts)).not.toContain('\\u0000');
      }),
      { numRuns: 200 },
    );
  });

  it('and a file without any has none', async () => {
    expect(await readFacts(jpeg)).toEqual({ capturedAt: null, exif: {}, iptc: {}, keywords: [] });
  });
});
