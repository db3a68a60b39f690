import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressed, compressOnce, encodingFor, readySheet, withSheet } from '#src/http/compression.ts';

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['*', 'identity'],
  [undefined, 'identity'],
])('accept-encoding %s is answered with %s', (header, expected) => {
  expect(encodingFor({ headers: header === undefined ? {} : { 'accept-encoding': header } })).toBe(expected);
});

describe('the style sheet of a page', () => {
  const css = '.photo-tile { color: red } '.repeat(900);
  const sheet = readySheet(css);
  const page = (head = 'Größe', tail = 'Ende') => Buffer.from(`<p>${head}<style>${sheet.mark}</style>${tail}`);
  const whole = (head = 'Größe', tail = 'Ende') => `<p>${head}<style>${css}</style>${tail}`;
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
  const accepting = (header: string) => ({ headers: { 'accept-encoding': header } });

  const read = async (body: Readable | Buffer) => (Buffer.isBuffer(body) ? body : buffer(body));

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['', 'identity'],
  ] as const)('is included for a browser that accepts "%s": %s', async (header, expected) => {
    for (const [head, tail] of [
      [undefined, undefined],
      ['', ''],
      ['x'.repeat(200_000), 'y'.repeat(200_000)],
    ]) {
      const { body, encoding } = await compressed(accepting(header), page(head, tail), sheet);
      expect(encoding).toBe(expected);
      expect(unpack[encoding](await read(body)).toString() === whole(head, tail)).toBe(true);
    }
  });

  test.each(['br', 'gzip', ''])(
    'is included in a page that arrives in parts, wherever they end (%s)',
    async (header) => {
      for (const size of [1, 7, 4_096]) {
        const bytes = page();
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const { body, encoding } = await compressed(accepting(header), Readable.from(parts), sheet);
        expect(unpack[encoding](await read(body)).toString() === whole()).toBe(true);
      }
    },
  );

  test('is left out of a page that has no place for it', async () => {
    for (const body of [Buffer.from('plain'), Readable.from([Buffer.from('plain')])]) {
      const sent = await compressed(accepting('gzip'), body, sheet);
      expect(gunzipSync(await read(sent.body)).toString()).toBe('plain');
    }
    expect(withSheet(Buffer.from('plain'), sheet).toString()).toBe('plain');
    expect(withSheet(Buffer.from('plain'), null).toString()).toBe('plain');
  });

  test.each(['br', 'gzip', 'identity'] as const)('compresses cached responses (%s)', async (encoding) => {
    expect(unpack[encoding](await compressOnce(withSheet(page(), sheet), encoding)).toString() === whole()).toBe(true);
  });
});
