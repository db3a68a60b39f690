import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from '#src/http/assets.ts';

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY } = constants;
/** Where more effort would cost more time than it saves on the line. */
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 5 };

/**
 * Squeezes a page on its way out, as the browser accepts it. What comes as a stream stays one: all that
 * React has written goes out at once. Sets the reply's headers.
 */
export async function squeezed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Readable | Buffer,
): Promise<Readable | Buffer> {
  reply.header('vary', 'accept-encoding');
  const encoding = encodingFor(request);
  if (encoding === 'identity') return body;
  reply.header('content-encoding', encoding);
  if (Buffer.isBuffer(body))
    return encoding === 'br' ? promisify(brotliCompress)(body, BROTLI) : promisify(gzip)(body, GZIP);
  const press =
    encoding === 'br'
      ? createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH, ...BROTLI })
      : createGzip({ flush: Z_SYNC_FLUSH, ...GZIP });
  // A browser that disconnects ends both streams; there is no one left to answer.
  pipeline(body, press, () => {});
  return press;
}
