import type { FastifyReply, FastifyRequest } from 'fastify';
import { readRange } from '#src/features/photos/downloads.rules.ts';

export type FileDownload = {
  /** Strong: other bytes, another tag. */
  etag: string;
  /** `Content-Disposition`. */
  disposition: string;
  bytes: number;
  /** Reads it, whole or in part (`end` inclusive). */
  open(part?: { start: number; end: number }): Promise<Buffer | NodeJS.ReadableStream>;
};

/** Sends a file that may be taken up again where it broke off (RFC 9110). Type, tag and caching are set by the caller. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileDownload,
): Promise<FastifyReply> {
  const { 'if-range': ifRange, range } = request.headers;
  reply.header('accept-ranges', 'bytes').header('content-disposition', file.disposition);
  const part = readRange(ifRange === undefined || ifRange === file.etag ? range : undefined, file.bytes);
  if (part.kind === 'outside') return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
  const isHead = request.method === 'HEAD';
  if (part.kind === 'whole' || isHead) {
    reply.header('content-length', file.bytes);
    return reply.send(isHead ? undefined : await file.open());
  }
  const { start, end } = part;
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${file.bytes}`)
    .header('content-length', end - start + 1);
  return reply.send(await file.open({ start, end }));
}
