import type { FastifyReply, FastifyRequest } from 'fastify';
import { readRange } from '#src/http/byte-range.ts';
import { senderOf } from '#src/http/sender.ts';
import { tooMany } from '#src/platform/limits/rate-limit.ts';

export type FileDownload = {
  /** Strong: other bytes, another tag. */
  etag: string;
  /** `Content-Disposition`. */
  disposition: string;
  bytes: number;
  /** Reads it, whole or in part (`end` inclusive). */
  open(part?: { start: number; end: number }): Promise<Buffer | NodeJS.ReadableStream>;
};

/**
 * Files that one sender may be taking at a time from this process: a file of up to 10 MB waits in memory for a reader
 * who does not read, and a browser opens six.
 */
export const OPEN_AT_ONCE = 60;
const RETRY_AFTER_SECONDS = 5;
const taking = new Map<string, number>();

/** Takes one of the sender's places until the answer has gone out or its reader has left. @throws too_many */
function hold(request: FastifyRequest, reply: FastifyReply): void {
  const sender = senderOf(request.ip);
  const now = taking.get(sender) ?? 0;
  if (now >= OPEN_AT_ONCE) throw tooMany(RETRY_AFTER_SECONDS);
  taking.set(sender, now + 1);
  reply.raw.once('close', () => {
    const left = (taking.get(sender) ?? 1) - 1;
    if (left > 0) taking.set(sender, left);
    else taking.delete(sender);
  });
}

/**
 * Sends a file that may be taken up again where it broke off (RFC 9110). Type, tag and caching are set by the caller.
 * @throws too_many for a sender who has `OPEN_AT_ONCE` open already
 */
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
  if (!isHead) hold(request, reply);
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
