/** The frames of the lighter work (`touches.ts`), beside those of developing (`picture-wire.ts`). */
import type { Likeness, Rendition, RenditionSize, RemarkRequest, Watermark } from '#src/platform/images/images.ts';
import type { Frame, Outgoing, ProcessUsage, WireMark } from '#src/platform/images/picture-wire.ts';

export type PreviewRequest = { rendition: Buffer | null; watermark: Watermark };

/** What the process is asked; buffers travel behind the head, in this order. */
type Part = { from: number; to: number };
export type TouchHead =
  | {
      kind: 'remark';
      clean: ({ sizes: readonly RenditionSize[] } & Part)[];
      png: Part;
      originalSha256: string;
      watermark: WireMark;
    }
  | { kind: 'measure' }
  | { kind: 'preview'; rendition: Part | null; png: Part; watermark: WireMark };

export type TouchAnswer = { usage: ProcessUsage } & (
  | { kind: 'remarked'; renditions: (Omit<Rendition, 'bytes'> & Part)[] }
  | { kind: 'measured'; likeness: Likeness }
  | { kind: 'previewed' }
);

export function remarkFrame({ clean, originalSha256, watermark }: RemarkRequest): Outgoing {
  const body = bodyOf();
  const head: TouchHead = {
    kind: 'remark',
    clean: clean.map(({ sizes, bytes }) => ({ sizes, ...body.add(bytes) })),
    ...wireMark(watermark, body),
    originalSha256,
  };
  return { head, parts: body.parts };
}

export function measureFrame(rendition: Buffer): Outgoing {
  const head: TouchHead = { kind: 'measure' };
  return { head, parts: [rendition] };
}

export function previewFrame({ rendition, watermark }: PreviewRequest): Outgoing {
  const body = bodyOf();
  const head: TouchHead = {
    kind: 'preview',
    rendition: rendition === null ? null : body.add(rendition),
    ...wireMark(watermark, body),
  };
  return { head, parts: body.parts };
}

/** The mark as it was before it traveled. */
export function markOf({ watermark, png }: Extract<TouchHead, { png: Part }>, body: Buffer): Watermark {
  return watermark.kind === 'text' ? watermark : { ...watermark, png: body.subarray(png.from, png.to) };
}

export function remarkedFrame(renditions: readonly Rendition[], usage: ProcessUsage): Outgoing {
  const body = bodyOf();
  const head: TouchAnswer = {
    kind: 'remarked',
    renditions: renditions.map(({ bytes, ...rest }) => ({ ...rest, ...body.add(bytes) })),
    usage,
  };
  return { head, parts: body.parts };
}

export function remarkedOf({ head, body }: Frame): Rendition[] | Error {
  const answer = head as TouchAnswer | Fault;
  if (answer.kind !== 'remarked') return faultOf(answer);
  return answer.renditions.map(({ from, to, ...rest }) => ({ ...rest, bytes: body.subarray(from, to) }));
}

export function measuredOf({ head }: Frame): Likeness | Error {
  const answer = head as TouchAnswer | Fault;
  return answer.kind === 'measured' ? answer.likeness : faultOf(answer);
}

export function previewedOf({ head, body }: Frame): Buffer | Error {
  const answer = head as TouchAnswer | Fault;
  return answer.kind === 'previewed' ? body : faultOf(answer);
}

type Fault = { kind: 'fault'; message: string };

function faultOf(answer: TouchAnswer | Fault): Error {
  return new Error(answer.kind === 'fault' ? answer.message : `an answer of the kind ${answer.kind}`);
}

function wireMark(mark: Watermark, body: Body): { watermark: WireMark; png: Part } {
  if (mark.kind === 'text') return { watermark: mark, png: { from: 0, to: 0 } };
  const { png, ...rest } = mark;
  return { watermark: rest, png: body.add(png) };
}

type Body = ReturnType<typeof bodyOf>;

/** Buffers one behind the other; the same one travels once. */
function bodyOf() {
  const parts: Buffer[] = [];
  const known = new Map<Buffer, Part>();
  let end = 0;
  return {
    parts,
    add(bytes: Buffer): Part {
      const there = known.get(bytes);
      if (there) return there;
      const part = { from: end, to: end + bytes.length };
      known.set(bytes, part);
      parts.push(bytes);
      end = part.to;
      return part;
    },
  };
}
