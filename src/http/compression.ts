/** Compresses pages as the browser accepts, around a style sheet that is compressed once. */
import { randomBytes } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, createBrotliCompress, createGzip, deflateRawSync, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The encodings that the browser accepts; parameters such as `;q=0` are honored. */
function named({ headers }: Pick<FastifyRequest, 'headers'>): (string | undefined)[] {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/),
    )
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name]) => name);
}

/** The better of the two. */
export function encodingFor(request: Pick<FastifyRequest, 'headers'>): Encoding {
  const names = named(request);
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : 'identity';
}

/** The style sheet of the pages. Pages are rendered with `mark`, a random text, where the sheet belongs. */
export type Sheet = { mark: string; text: Buffer; deflated: Buffer };

const { Z_SYNC_FLUSH, Z_FULL_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY } = constants;
/** More effort would cost more time than it saves in transfer. */
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };
/** For a page without its sheet: the least time, for 3 % more bytes overall than level 5 (decision record 0124). */
const GZIP_NOW = { level: 1 };
/** For what is compressed once and sent many times. */
const BROTLI_ONCE = { params: { [BROTLI_PARAM_QUALITY]: 5 } };
/** Deflated, no name, no time, any system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

export function readySheet(text: string): Sheet {
  return {
    mark: `/*${randomBytes(16).toString('hex')}*/`,
    text: Buffer.from(text),
    // It begins and ends at whole bytes and refers to nothing before it, so that it fits between any two such parts.
    deflated: deflateRawSync(text, { level: 9, finishFlush: Z_FULL_FLUSH }),
  };
}

/** The page before and after the place of its sheet; null for a page without one. */
function aroundSheet(body: Buffer, sheet: Sheet | null): { head: Buffer; tail: Buffer; sheet: Sheet } | null {
  const at = sheet ? body.indexOf(sheet.mark) : -1;
  return sheet && at >= 0 ? { head: body.subarray(0, at), tail: body.subarray(at + sheet.mark.length), sheet } : null;
}

/** The page with its sheet, for the cache. */
export function withSheet(body: Buffer, sheet: Sheet | null): Buffer {
  const parts = aroundSheet(body, sheet);
  return parts ? Buffer.concat([parts.head, parts.sheet.text, parts.tail]) : body;
}

/** Compresses what is sent many times. */
export async function compressOnce(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return body;
  return encoding === 'br' ? promisify(brotliCompress)(body, BROTLI_ONCE) : promisify(gzip)(body, GZIP);
}

/**
 * A page with its sheet, as it is sent. The sheet is more than half of the bytes of a visitor's page. It is inserted
 * between the two compressed parts, already compressed itself: half the work for 4 % more bytes. gzip allows this, and
 * brotli does not. A stream stays a stream: what React has written is sent immediately.
 */
export async function compressed(
  request: Pick<FastifyRequest, 'headers'>,
  body: Readable | Buffer,
  sheet: Sheet | null,
): Promise<{ body: Readable | Buffer; encoding: Encoding }> {
  const encoding = encodingFor(request);
  if (!Buffer.isBuffer(body)) return { body: compressedAsItComes(body, encoding, sheet), encoding };
  if (encoding === 'identity') return { body: withSheet(body, sheet), encoding };
  const parts = aroundSheet(body, sheet);
  if (parts && named(request).includes('gzip')) return { body: gzipAround(parts), encoding: 'gzip' };
  const whole = withSheet(body, sheet);
  return {
    body: await (encoding === 'br' ? promisify(brotliCompress)(whole, BROTLI) : promisify(gzip)(whole, GZIP)),
    encoding,
  };
}

/**
 * Synchronous, because compressing in a thread costs half as much again (decision record 0064); rendering the page took
 * longer anyway.
 */
function gzipAround({ head, tail, sheet }: { head: Buffer; tail: Buffer; sheet: Sheet }): Buffer {
  const before = deflateRawSync(head, { ...GZIP_NOW, finishFlush: Z_FULL_FLUSH });
  const after = deflateRawSync(tail, GZIP_NOW);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tail, crc32(sheet.text, crc32(head))), 0);
  trailer.writeUInt32LE(head.length + sheet.text.length + tail.length, 4);
  return Buffer.concat([GZIP_HEADER, before, sheet.deflated, after, trailer]);
}

function compressedAsItComes(body: Readable, encoding: Encoding, sheet: Sheet | null): Readable {
  const whole = sheet ? pipeline(body, sheetPutIn(sheet), ended) : body;
  if (encoding === 'identity') return whole;
  const press =
    encoding === 'br'
      ? createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH, ...BROTLI })
      : createGzip({ flush: Z_SYNC_FLUSH, ...GZIP });
  return pipeline(whole, press, ended);
}

/** When a browser disconnects, all streams end; nothing is left to answer. */
const ended = (): void => {};

/** Buffers the page until the place of the sheet has arrived. */
function sheetPutIn(sheet: Sheet): Transform {
  let held: Buffer | null = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held === null) return done(null, chunk);
      held = Buffer.concat([held, chunk]);
      if (!held.includes(sheet.mark)) return done();
      const whole = withSheet(held, sheet);
      held = null;
      done(null, whole);
    },
    flush(done) {
      done(null, held ?? undefined);
    },
  });
}
