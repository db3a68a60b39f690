/**
 * A font file of few letters, to be embedded in a document. Our fonts come as compressed variable files cut into
 * scripts, which no PDF takes; what they say of a letter (outline and width) is written into a plain TrueType file here.
 * Tables as in the OpenType specification 1.9, the smallest set that readers of PDF ask for.
 */

/** A letter's outline in font units: as fontkit tells it. */
export type PathCommand = { command: string; args: number[] };
export type Letter = { codePoint: number; advance: number; commands: readonly PathCommand[] };
export type FontFacts = { name: string; unitsPerEm: number; ascent: number; descent: number };

type Point = { x: number; y: number; isOnCurve: boolean };
type Box = { xMin: number; yMin: number; xMax: number; yMax: number };
type Glyph = { advance: number; box: Box; contours: Point[][]; bytes: Buffer };

const EMPTY_BOX: Box = { xMin: 0, yMin: 0, xMax: 0, yMax: 0 };

/** The file of these letters; glyph 0 stands for all others and is blank. */
export function writeFont(facts: FontFacts, letters: readonly Letter[]): Buffer {
  const sorted = letters.toSorted((one, other) => one.codePoint - other.codePoint);
  const glyphs = [
    glyphOf(facts.unitsPerEm / 2, []),
    ...sorted.map((letter) => glyphOf(letter.advance, letter.commands)),
  ];
  const offsets = [0];
  for (const { bytes } of glyphs) offsets.push((offsets.at(-1) ?? 0) + bytes.length);
  const box = glyphs.reduce<Box>((all, glyph) => union(all, glyph.box), EMPTY_BOX);
  return wrap({
    cmap: cmapOf(sorted),
    glyf: Buffer.concat(glyphs.map(({ bytes }) => bytes)),
    head: headOf(facts, box),
    hhea: hheaOf(facts, glyphs, box),
    hmtx: Buffer.concat(glyphs.map(({ advance, box: { xMin } }) => numbers([2, advance], [2, xMin]))),
    loca: Buffer.concat(offsets.map((offset) => numbers([4, offset]))),
    maxp: maxpOf(glyphs),
    name: nameOf(facts.name),
    post: numbers([4, 0x00030000], ...Array.from({ length: 7 }, (): [4, number] => [4, 0])),
  });
}

/** Big-endian integers of 2 or 4 bytes; negative ones as two's complement. */
function numbers(...values: readonly (readonly [2 | 4, number])[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of values) {
    if (size === 2) bytes.writeUInt16BE(Math.round(value) & 0xffff, at);
    else bytes.writeUInt32BE(Math.round(value) >>> 0, at);
    at += size;
  }
  return bytes;
}

function contoursOf(commands: readonly PathCommand[]): Point[][] {
  const contours: Point[][] = [];
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args.map(Math.round);
    if (command === 'moveTo') contours.push([{ x: a, y: b, isOnCurve: true }]);
    else if (command === 'lineTo') contours.at(-1)?.push({ x: a, y: b, isOnCurve: true });
    else if (command === 'quadraticCurveTo')
      contours.at(-1)?.push({ x: a, y: b, isOnCurve: false }, { x: c, y: d, isOnCurve: true });
  }
  for (const contour of contours) {
    const [first] = contour;
    const last = contour.at(-1);
    // A contour closes by itself.
    if (contour.length > 1 && first && last?.isOnCurve && last.x === first.x && last.y === first.y) contour.pop();
  }
  return contours;
}

/** Every flag and both coordinates written out: a few letters need no shorter form. */
function glyphOf(advance: number, commands: readonly PathCommand[]): Glyph {
  const contours = contoursOf(commands);
  const points = contours.flat();
  if (points.length === 0) return { advance, box: EMPTY_BOX, contours, bytes: Buffer.alloc(0) };
  const box = points.reduce<Box>((all, { x, y }) => union(all, { xMin: x, yMin: y, xMax: x, yMax: y }), {
    xMin: Infinity,
    yMin: Infinity,
    xMax: -Infinity,
    yMax: -Infinity,
  });
  let end = -1;
  const ends = contours.map((contour) => (end += contour.length));
  const steps = (axis: 'x' | 'y') => points.map((point, index) => point[axis] - (points[index - 1]?.[axis] ?? 0));
  const bytes = Buffer.concat([
    numbers([2, contours.length], [2, box.xMin], [2, box.yMin], [2, box.xMax], [2, box.yMax]),
    ...ends.map((index) => numbers([2, index])),
    numbers([2, 0]),
    Buffer.from(points.map(({ isOnCurve }) => (isOnCurve ? 1 : 0))),
    ...steps('x').map((step) => numbers([2, step])),
    ...steps('y').map((step) => numbers([2, step])),
  ]);
  return { advance, box, contours, bytes: padded(bytes) };
}

function headOf({ unitsPerEm }: FontFacts, { xMin, yMin, xMax, yMax }: Box): Buffer {
  const start = numbers([4, 0x00010000], [4, 0x00010000], [4, 0], [4, 0x5f0f3cf5], [2, 3], [2, unitsPerEm]);
  const dates = Buffer.alloc(16);
  const rest = numbers([2, xMin], [2, yMin], [2, xMax], [2, yMax], [2, 0], [2, 8], [2, 2], [2, 1], [2, 0]);
  return Buffer.concat([start, dates, rest]);
}

function hheaOf({ ascent, descent }: FontFacts, glyphs: readonly Glyph[], box: Box): Buffer {
  const widest = Math.max(...glyphs.map(({ advance }) => advance));
  // Line gap, widest letter, bearings and extent, an upright caret, reserved, format.
  const rest = [0, widest, box.xMin, 0, box.xMax, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length];
  return numbers([4, 0x00010000], [2, ascent], [2, descent], ...rest.map((value): [2, number] => [2, value]));
}

function maxpOf(glyphs: readonly Glyph[]): Buffer {
  const most = (count: (glyph: Glyph) => number) => Math.max(...glyphs.map(count));
  const counts = [
    glyphs.length,
    most(({ contours }) => contours.flat().length),
    most(({ contours }) => contours.length),
  ];
  const rest = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0];
  return numbers([4, 0x00010000], ...[...counts, ...rest].map((value): [2, number] => [2, value]));
}

/** Format 12: any letter of Unicode, one group each. */
function cmapOf(letters: readonly Letter[]): Buffer {
  const groups = letters.map(({ codePoint }, index) => numbers([4, codePoint], [4, codePoint], [4, index + 1]));
  return Buffer.concat([
    numbers([2, 0], [2, 1], [2, 3], [2, 10], [4, 12]),
    numbers([2, 12], [2, 0], [4, 16 + groups.length * 12], [4, 0], [4, groups.length]),
    ...groups,
  ]);
}

function nameOf(name: string): Buffer {
  const text = Buffer.from(name, 'utf16le').swap16();
  const records = [1, 4, 6].map((id) => numbers([2, 3], [2, 1], [2, 0x409], [2, id], [2, text.length], [2, 0]));
  return Buffer.concat([numbers([2, 0], [2, 3], [2, 6 + 3 * 12]), ...records, text]);
}

function union(one: Box, other: Box): Box {
  return {
    xMin: Math.min(one.xMin, other.xMin),
    yMin: Math.min(one.yMin, other.yMin),
    xMax: Math.max(one.xMax, other.xMax),
    yMax: Math.max(one.yMax, other.yMax),
  };
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

/** The table directory, and the tables in the order of their names. */
function wrap(tables: Record<string, Buffer>): Buffer {
  const entries = Object.entries(tables);
  const power = Math.floor(Math.log2(entries.length));
  const start = numbers([4, 0x00010000], [2, entries.length], [2, 2 ** power * 16], [2, power]);
  let offset = 12 + entries.length * 16;
  const directory: Buffer[] = [start, numbers([2, entries.length * 16 - 2 ** power * 16])];
  const bodies: Buffer[] = [];
  for (const [tag, bytes] of entries) {
    const body = padded(bytes);
    directory.push(Buffer.from(tag, 'latin1'), numbers([4, checksum(body)], [4, offset], [4, bytes.length]));
    bodies.push(body);
    offset += body.length;
  }
  const font = Buffer.concat([...directory, ...bodies]);
  const head = font.readUInt32BE(12 + entries.findIndex(([tag]) => tag === 'head') * 16 + 8);
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, head + 8);
  return font;
}
