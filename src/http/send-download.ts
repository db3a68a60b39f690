import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { senderOf } from '#src/http/caller.ts';
import { tooMany } from '#src/platform/limits/rate-limits.ts';

type FileDownload = {
  /** A strong tag: different bytes, different tag. */
  etag: string;
  /** `Content-Disposition`. */
  disposition: string;
  bytes: number;
  /** Reads it, whole or in part (`end` inclusive). */
  open(part?: { start: number; end: number }): Promise<Buffer | NodeJS.ReadableStream>;
};

/**
 * Files that one sender may download at the same time from this process: a file of up to 10 MB stays in memory while
 * the client does not read, and a browser opens six connections.
 */
export const OPEN_AT_ONCE = 60;
const RETRY_AFTER_SECONDS = 5;
const openDownloads = new Map<string, number>();

/** Occupies one of the sender's slots until the answer is sent or the client disconnects. @throws too_many */
function holdSlot(request: FastifyRequest, reply: FastifyReply): void {
  const sender = senderOf(request.ip);
  const running = openDownloads.get(sender) ?? 0;
  if (running >= OPEN_AT_ONCE) throw tooMany(RETRY_AFTER_SECONDS);
  openDownloads.set(sender, running + 1);
  reply.raw.once('close', () => {
    const left = (openDownloads.get(sender) ?? 1) - 1;
    if (left > 0) openDownloads.set(sender, left);
    else openDownloads.delete(sender);
  });
}

/**
 * Sends a file whose download may be resumed (RFC 9110). Type, tag and caching are set by the caller.
 * @throws too_many for a sender who has `OPEN_AT_ONCE` downloads open
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
  if (!isHead) holdSlot(request, reply);
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

type Reply = Pick<FastifyReply, 'headers' | 'send'>;

/** Streams a CSV file, to be saved as `name`.csv. */
export function sendCsv(reply: Reply, name: string, pieces: AsyncIterable<string> | Iterable<string>): never {
  const disposition = `attachment; filename="${name}.csv"`;
  reply.headers({ 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition });
  return reply.send(Readable.from(pieces)) as never;
}

/** Sends a PDF that browsers display; saved, it is called `name`.pdf. */
export function sendPdf(reply: Reply, name: string, bytes: Buffer): never {
  reply.headers({ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}.pdf"` });
  return reply.send(bytes) as never;
}

/** A whole file, a part of it (inclusive), or a part that it does not have. */
type Part = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'outside' };

const WHOLE: Part = { kind: 'whole' };

/** Reads `Range` for a file of that many bytes. Several ranges, other units and invalid values mean the whole file (RFC 9110). */
export function readRange(header: string | undefined, bytes: number): Part {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return WHOLE;
  if (from === '') {
    const last = Number(to);
    return last === 0 || bytes === 0
      ? { kind: 'outside' }
      : { kind: 'part', start: Math.max(0, bytes - last), end: bytes - 1 };
  }
  const start = Number(from);
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < start) return WHOLE;
  return start >= bytes ? { kind: 'outside' } : { kind: 'part', start, end };
}
