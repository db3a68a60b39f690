import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from '#src/http/assets.ts';

/**
 * Squeezes a page on its way out, as the browser accepts it, and keeps it streaming: what React has
 * written goes out at once. Sets the reply's headers.
 */
export function squeezed(request: FastifyRequest, reply: FastifyReply, body: Readable): Readable {
  reply.header('vary', 'accept-encoding');
  const encoding = encodingFor(request);
  if (encoding === 'identity') return body;
  reply.header('content-encoding', encoding);
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY } = constants;
  const press =
    encoding === 'br'
      ? createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH, params: { [BROTLI_PARAM_QUALITY]: 4 } })
      : createGzip({ flush: Z_SYNC_FLUSH, level: 5 });
  // A browser that goes away ends both streams; there is nobody left to tell.
  pipeline(body, press, () => {});
  return press;
}
