/**
 * How the parent process and the picture process communicate: messages over plain pipes, each a small JSON text and the
 * raw bytes of its buffers. Measured with 2-10 MB files, Node's own message channel costs two to four times as much
 * CPU.
 */
import { readSync, writeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type {
  Developed,
  DevelopRequest,
  FileInPieces,
  PreviewRequest,
  RemarkRequest,
  Rendition,
  RewriteRequest,
  RewrittenPicture,
} from '#src/platform/images/images.ts';
import { release } from '#src/platform/images/release.ts';

/** Everything that a picture process can be asked to do. */
export type PictureTasks = {
  develop: { request: DevelopRequest; result: Developed };
  remark: { request: RemarkRequest; result: Rendition[] };
  preview: { request: PreviewRequest; result: Buffer };
  rewrite: { request: RewriteRequest; result: RewrittenPicture | null };
};
export type PictureTask = keyof PictureTasks;

export type TaskMessage = {
  [Task in PictureTask]: { task: Task; request: PictureTasks[Task]['request'] };
}[PictureTask];
/** What the process has used since its start. */
export type ProcessUsage = { cpuMs: number; peakBytes: number };
export type ResultMessage = { usage: ProcessUsage; lacksEncoder: boolean } & ({ result: unknown } | { fault: string });

/** Exit code of a picture process that used too much memory, so that the parent process can report why a picture failed. */
export const OUT_OF_MEMORY_EXIT = 77;

const PREFIX_BYTES = 8;
/** Far above any picture; a wrong length must not allocate gigabytes. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

/** Replaces a buffer (by its place in the bytes) or a date in the JSON. */
type Placeholder = { $from: number; $to: number } | { $date: number };

/** The bytes before the parts, and the parts; a buffer that occurs twice in the message is sent once. */
function pack(message: TaskMessage | ResultMessage): { head: Buffer; parts: (Buffer | FileInPieces)[] } {
  const parts = new Map<Buffer | FileInPieces, number>();
  let end = 0;
  const json = Buffer.from(JSON.stringify(packed(message)));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(end, 4);
  return { head: Buffer.concat([prefix, json]), parts: [...parts.keys()] };

  function packed(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Date) return { $date: value.getTime() } satisfies Placeholder;
    if (Array.isArray(value)) return value.map(packed);
    if (!Buffer.isBuffer(value) && !isInPieces(value))
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, packed(part)]));
    const bytes = Buffer.isBuffer(value) ? value.length : value.bytes;
    const from = parts.get(value) ?? end;
    if (!parts.has(value)) end += bytes;
    parts.set(value, from);
    return { $from: from, $to: from + bytes } satisfies Placeholder;
  }
}

function isInPieces(value: object): value is FileInPieces {
  return 'pieces' in value;
}

/**
 * Sends a task; a streamed file is read no faster than the process receives it. `onPiece` is called for each piece.
 * @throws if such a file cannot be read, or its length differs from the announced one: nothing else may be sent then
 */
export async function sendTask(stream: Writable, task: TaskMessage, onPiece: () => void): Promise<void> {
  const { head, parts } = pack(task);
  stream.write(head);
  for (const part of parts) {
    if (Buffer.isBuffer(part)) stream.write(part);
    else await sendPieces(stream, part, onPiece);
  }
}

async function sendPieces(stream: Writable, { bytes, pieces }: FileInPieces, onPiece: () => void): Promise<void> {
  let sent = 0;
  for await (const piece of pieces) {
    sent += piece.length;
    if (sent > bytes) break;
    // If the process ends before receiving it, that is reported elsewhere.
    if (!stream.writable) return;
    await new Promise<void>((resolve) => {
      stream.write(piece, (error) => {
        if (!error) release(piece);
        resolve();
      });
    });
    onPiece();
  }
  if (sent !== bytes) throw new Error(`a file broke off after ${sent} of ${bytes} bytes`);
}

/** In the picture process, which has nothing else to do: waits for a whole task. Null when the input has ended. */
export function receiveTask(fd: number): { task: TaskMessage; parts: Buffer[] } | null {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  if (!fillFrom(fd, prefix)) return null;
  const { jsonBytes, partBytes } = lengthsOf(prefix);
  const json = Buffer.allocUnsafeSlow(jsonBytes);
  if (!fillFrom(fd, json)) return null;
  const { message, parts } = unpack(json, partBytes);
  return parts.every((part) => fillFrom(fd, part)) ? { task: message as TaskMessage, parts } : null;
}

/** False if the stream ended first. */
function fillFrom(fd: number, target: Buffer): boolean {
  for (let filled = 0; filled < target.length;) {
    const read = readSync(fd, target, filled, target.length - filled, null);
    if (read === 0) return false;
    filled += read;
  }
  return true;
}

/** In the picture process: waits until the result has been received. Returns the buffers that were sent. */
export function sendResult(fd: number, result: ResultMessage): Buffer[] {
  const { head, parts } = pack(result);
  const buffers = [head, ...parts].filter((part) => Buffer.isBuffer(part));
  for (const part of buffers) for (let at = 0; at < part.length;) at += writeSync(fd, part, at);
  return buffers;
}

/** @throws if it is not a valid message */
function lengthsOf(prefix: Buffer): { jsonBytes: number; partBytes: number } {
  const [jsonBytes, partBytes] = [prefix.readUInt32BE(0), prefix.readUInt32BE(4)];
  const bytes = jsonBytes + partBytes;
  if (jsonBytes < 2 || bytes > MAX_MESSAGE_BYTES) throw new Error(`a message of ${bytes} bytes`);
  return { jsonBytes, partBytes };
}

/** Calls `receive` for every complete result; calls `fail` once, and nothing afterwards, if the stream contains anything else. */
export function readResults(stream: Readable, receive: (result: ResultMessage) => void, fail: () => void): void {
  const results = resultsOf(receive);
  let place = results.next().value;
  let filled = 0;
  stream.on('data', (chunk: Buffer) => {
    for (let from = 0; place && from < chunk.length;) {
      const taken = chunk.copy(place, filled, from);
      from += taken;
      filled += taken;
      if (filled < place.length) continue;
      filled = 0;
      try {
        place = results.next().value;
      } catch {
        place = undefined;
        fail();
      }
    }
    release(chunk);
  });
}

/** Yields the buffers to be filled, one after the other; none is empty. */
function* resultsOf(receive: (result: ResultMessage) => void): Generator<Buffer, undefined> {
  for (;;) {
    const prefix = Buffer.alloc(PREFIX_BYTES);
    yield prefix;
    const { jsonBytes, partBytes } = lengthsOf(prefix);
    const json = Buffer.alloc(jsonBytes);
    yield json;
    const { message, parts } = unpack(json, partBytes);
    yield* parts.filter(({ length }) => length > 0);
    receive(message as ResultMessage);
  }
}

/**
 * The message, and its buffers, which are to be filled in this order. Each has memory of its own, so that `release` can
 * free it.
 * @throws if it is not a valid message
 */
function unpack(json: Buffer, partBytes: number): { message: unknown; parts: Buffer[] } {
  const parts = new Map<string, Buffer>();
  let end = 0;
  const message: unknown = JSON.parse(json.toString('utf8'), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$date' in value) return new Date(Number(value.$date));
    if (!('$from' in value && '$to' in value)) return value;
    const [from, to] = [Number(value.$from), Number(value.$to)];
    const known = parts.get(`${from}-${to}`);
    if (known) return known;
    if (from !== end || !(to >= from && to <= partBytes)) throw new Error('a part of a message is not in its place');
    const part = Buffer.allocUnsafeSlow(to - from);
    parts.set(`${from}-${to}`, part);
    end = to;
    return part;
  });
  if (end !== partBytes) throw new Error('a message has more bytes than its parts');
  return { message, parts: [...parts.values()] };
}
