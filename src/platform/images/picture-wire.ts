import type { Readable, Writable } from 'node:stream';
import {
  BOTH_MARKS,
  type Developed,
  type DevelopRequest,
  type Rendition,
  type RenditionMark,
  type Watermark,
} from '#src/platform/images/images.ts';

/**
 * How the parent process and the picture process speak: frames over plain pipes, each a small JSON head and
 * raw bytes. Measured with 2-10 MB files, Node's own message channel costs two to four times as much CPU.
 */
export type Frame = { head: unknown; body: Buffer };
/** A frame on its way out. */
export type Outgoing = { head: unknown; parts: readonly Buffer[] };

/** Exit code of a picture process that grew too large, so that the parent process can say why a picture was given up. */
export const OUT_OF_MEMORY_EXIT = 77;

const PREFIX_BYTES = 8;
/** Far above any picture; a wrong length must not ask for gigabytes. */
const MAX_FRAME_BYTES = 128 * 1024 * 1024;

/** A mark whose picture travels apart. */
export type WireMark = Extract<Watermark, { kind: 'text' }> | Omit<Extract<Watermark, { kind: 'image' }>, 'png'>;

export type WireRequest = {
  kind: 'develop';
  turns: DevelopRequest['turns'];
  marks: readonly RenditionMark[];
  watermark: WireMark;
  /** The original's part of the body; the rest is the watermark's PNG. */
  originalBytes: number;
};

/** `from` and `to` bound the bytes in the body; `capturedAt` and `thumbhash` travel as text. */
export type WireAnswer = { usage: ProcessUsage } & (
  | { kind: 'developed'; originalSha256: string; facts: WireFacts; renditions: (Omit<Rendition, 'bytes'> & Part)[] }
  | { kind: 'refused'; problem: string }
  | { kind: 'fault'; message: string }
);
type WireFacts = Omit<Extract<Developed, { ok: true }>['facts'], 'capturedAt' | 'thumbhash'> & {
  capturedAt: string | null;
  thumbhash: string;
};
type Part = { from: number; to: number };

/** What the process has used since its start. */
export type ProcessUsage = { cpuMs: number; peakBytes: number };

export function writeFrame(stream: Writable, head: unknown, parts: readonly Buffer[]): void {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(json.length, 0);
  prefix.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  stream.cork();
  for (const part of [prefix, json, ...parts]) stream.write(part);
  stream.uncork();
}

/** Calls `heard` for every whole frame; calls `failed` once, and nothing more, where the stream is no row of frames. */
export function readFrames(stream: Readable, heard: (frame: Frame) => void, failed: (error: Error) => void): void {
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
        broken = bytes < 2 || bytes > MAX_FRAME_BYTES;
        if (broken) return failed(new Error(`a frame of ${bytes} bytes`));
        target = Buffer.allocUnsafeSlow(bytes);
      } else {
        const whole = target;
        target = prefix;
        heard(frameOf(whole, prefix.readUInt32BE(0)));
      }
    }
  });
}

function frameOf(whole: Buffer, headBytes: number): Frame {
  return { head: JSON.parse(whole.toString('utf8', 0, headBytes)), body: whole.subarray(headBytes) };
}

export function requestFrame({ original, turns, marks = BOTH_MARKS, watermark }: DevelopRequest): {
  head: WireRequest;
  parts: Buffer[];
} {
  const head = { kind: 'develop' as const, turns, marks, originalBytes: original.length };
  if (watermark.kind === 'text') return { head: { ...head, watermark }, parts: [original] };
  const { png, ...mark } = watermark;
  return { head: { ...head, watermark: mark }, parts: [original, png] };
}

export function requestOf({ head, body }: Frame): DevelopRequest {
  const { turns, marks, watermark: mark, originalBytes } = head as WireRequest;
  const watermark: Watermark = mark.kind === 'text' ? mark : { ...mark, png: body.subarray(originalBytes) };
  return { original: body.subarray(0, originalBytes), turns, marks, watermark };
}

/** Renditions that share their bytes share them on the way too. */
export function answerFrame(developed: Developed, usage: ProcessUsage): { head: WireAnswer; parts: Buffer[] } {
  if (!developed.ok) return { head: { kind: 'refused', problem: developed.problem, usage }, parts: [] };
  const parts = [...new Set(developed.renditions.map(({ bytes }) => bytes))];
  const starts = new Map<Buffer, number>();
  let end = 0;
  for (const part of parts) {
    starts.set(part, end);
    end += part.length;
  }
  const renditions = developed.renditions.map(({ bytes, ...rest }) => {
    const from = starts.get(bytes) ?? 0;
    return { ...rest, from, to: from + bytes.length };
  });
  const { capturedAt, thumbhash, ...facts } = developed.facts;
  return {
    head: {
      kind: 'developed',
      originalSha256: developed.originalSha256,
      facts: { ...facts, capturedAt: capturedAt?.toISOString() ?? null, thumbhash: thumbhash.toString('base64') },
      renditions,
      usage,
    },
    parts,
  };
}

/** The answer, or an error where the process reported a fault of its own. */
export function developedOf({ head, body }: Frame): Developed | Error {
  const answer = head as WireAnswer;
  if (answer.kind === 'fault') return new Error(answer.message);
  if (answer.kind === 'refused') return { ok: false, problem: answer.problem };
  const shared = new Map<number, Buffer>();
  const renditions = answer.renditions.map(({ from, to, ...rest }) => {
    const bytes = shared.get(from) ?? body.subarray(from, to);
    shared.set(from, bytes);
    return { ...rest, bytes };
  });
  const { capturedAt, thumbhash, ...facts } = answer.facts;
  return {
    ok: true,
    originalSha256: answer.originalSha256,
    facts: {
      ...facts,
      capturedAt: capturedAt === null ? null : new Date(capturedAt),
      thumbhash: Buffer.from(thumbhash, 'base64'),
    },
    renditions,
  };
}
