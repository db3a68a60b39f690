/**
 * How the parent process and the picture process talk: messages over plain pipes, each a small piece of JSON and the raw bytes
 * of its buffers. Measured with 2-10 MB files, Node's own message channel costs two to four times as much CPU.
 */
import type { Readable, Writable } from 'node:stream';
import type {
  Developed,
  DevelopRequest,
  PictureMeasures,
  PreviewRequest,
  RemarkRequest,
  Rendition,
  RewriteRequest,
  RewrittenPicture,
} from '#src/platform/images/images.ts';

/** Everything that a picture process can be asked to do. */
export type PictureTasks = {
  develop: { request: DevelopRequest; result: Developed };
  remark: { request: RemarkRequest; result: Rendition[] };
  measure: { request: Buffer; result: PictureMeasures };
  preview: { request: PreviewRequest; result: Buffer };
  rewrite: { request: RewriteRequest; result: RewrittenPicture | null };
};
export type PictureTask = keyof PictureTasks;

export type TaskMessage = {
  [Task in PictureTask]: { task: Task; request: PictureTasks[Task]['request'] };
}[PictureTask];
/** What the process has used since its start. */
export type ProcessUsage = { cpuMs: number; peakBytes: number };
export type ResultMessage = { usage: ProcessUsage } & ({ result: unknown } | { fault: string });

/** Exit code of a picture process that grew too large, so that the parent process can say why a picture failed. */
export const OUT_OF_MEMORY_EXIT = 77;

const PREFIX_BYTES = 8;
/** Far above any picture; a wrong length must not ask for gigabytes. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

/** Replaces a buffer (by its place in the bytes) or a date in the JSON. */
type Placeholder = { $from: number; $to: number } | { $date: number };

/** A buffer that is in the message twice is sent once. */
export function writeMessage(stream: Writable, message: TaskMessage | ResultMessage): void {
  const parts = new Map<Buffer, number>();
  let end = 0;
  const json = Buffer.from(JSON.stringify(pack(message)));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(end, 4);
  stream.cork();
  for (const part of [prefix, json, ...parts.keys()]) stream.write(part);
  stream.uncork();

  function pack(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Date) return { $date: value.getTime() } satisfies Placeholder;
    if (Array.isArray(value)) return value.map(pack);
    if (!Buffer.isBuffer(value))
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, pack(part)]));
    const from = parts.get(value) ?? end;
    if (!parts.has(value)) end += value.length;
    parts.set(value, from);
    return { $from: from, $to: from + value.length } satisfies Placeholder;
  }
}

/** Calls `receive` for every whole message; calls `fail` once, and nothing more, if the stream has anything else. */
export function readMessages<Message>(
  stream: Readable,
  receive: (message: Message) => void,
  fail: (error: Error) => void,
): void {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  let target = prefix;
  let filled = 0;
  let broken = false;
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    while (!broken && rest.length > 0) {
      const taken = rest.copy(target, filled);
      filled += taken;
      rest = rest.subarray(taken);
      if (filled < target.length) continue;
      filled = 0;
      if (target === prefix) {
        const bytes = prefix.readUInt32BE(0) + prefix.readUInt32BE(4);
        broken = bytes < 2 || bytes > MAX_MESSAGE_BYTES;
        if (broken) return fail(new Error(`a message of ${bytes} bytes`));
        target = Buffer.allocUnsafeSlow(bytes);
      } else {
        const whole = target;
        target = prefix;
        receive(unpack(whole, prefix.readUInt32BE(0)) as Message);
      }
    }
  });
}

function unpack(whole: Buffer, jsonBytes: number): unknown {
  const body = whole.subarray(jsonBytes);
  const parts = new Map<string, Buffer>();
  return JSON.parse(whole.toString('utf8', 0, jsonBytes), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$date' in value) return new Date(Number(value.$date));
    if (!('$from' in value && '$to' in value)) return value;
    const place = `${String(value.$from)}-${String(value.$to)}`;
    const part = parts.get(place) ?? body.subarray(Number(value.$from), Number(value.$to));
    parts.set(place, part);
    return part;
  });
}
