/** What things are made of: where on a body a point lies decides its colour, shine and weave. */
import { clamp, dot, smoothstep } from './vector.ts';
import type { Rgb, Turn, Vec3 } from './vector.ts';
import { noise3 } from './noise.ts';
import { lettering, widthOf } from './jersey-numbers.ts';

/** A place with directions, to which patterns are anchored. */
type Frame = { readonly at: Vec3; readonly turn: Turn };

export type Surface = {
  readonly kind:
    | 'skin'
    | 'face'
    | 'hair'
    | 'jersey'
    | 'sleeve'
    | 'shorts'
    | 'sock'
    | 'boot'
    | 'cloth'
    | 'ball'
    | 'smooth'
    | 'metal'
    | 'wood'
    | 'sign'
    | 'card';
  readonly color: Rgb;
  readonly trim?: Rgb;
  readonly second?: Rgb;
  readonly pattern?: 'plain' | 'hoops' | 'halves' | 'stripes' | 'sash' | 'sides';
  readonly frame?: Frame;
  /** Metres that the pattern calls 1 (head height, torso height, length of a sock). */
  readonly unit?: number;
  readonly text?: string;
};

/** Filled in by `paint` for one point; one object is used over and over. */
export type Paint = {
  r: number;
  g: number;
  b: number;
  gloss: number;
  sheen: number;
  bump: number;
  grit: number;
  glow: number;
};
export const freshPaint = (): Paint => ({
  r: 0,
  g: 0,
  b: 0,
  gloss: 0,
  sheen: 0,
  bump: 0,
  grit: 40,
  glow: 0,
});

function lay(out: Paint, color: Rgb, amount: number): void {
  out.r += (color[0] - out.r) * amount;
  out.g += (color[1] - out.g) * amount;
  out.b += (color[2] - out.b) * amount;
}

/** Colour and feel of `surface` at world point (x, y, z). */
export function paint(surface: Surface, x: number, y: number, z: number, out: Paint): void {
  out.r = surface.color[0];
  out.g = surface.color[1];
  out.b = surface.color[2];
  out.gloss = 0.05;
  out.sheen = 0.3;
  out.bump = 0;
  out.grit = 40;
  out.glow = 0;
  const frame = surface.frame;
  const scale = 1 / (surface.unit ?? 1);
  const from: Vec3 = frame ? [x - frame.at[0], y - frame.at[1], z - frame.at[2]] : [x, y, z];
  const local: Vec3 = frame
    ? [dot(from, frame.turn[0]) * scale, dot(from, frame.turn[1]) * scale, dot(from, frame.turn[2]) * scale]
    : from;
  finishes[surface.kind](surface, local, out);
}

type Finish = (surface: Surface, local: Vec3, out: Paint) => void;

const finishes: Readonly<Record<Surface['kind'], Finish>> = {
  skin: (_s, [x, y, z], out) => {
    mottle(out, x, y, z, 0.07, 18);
    out.gloss = 0.1;
    out.sheen = 0.25;
  },
  face: paintFace,
  hair: (_s, [x, y, z], out) => {
    const strand = noise3(x * 26, y * 5, z * 26) * 0.5 + noise3(x * 60, y * 9, z * 60) * 0.4;
    scaleBy(out, 1 + strand * 0.7);
    out.gloss = 0.07;
    out.sheen = 0.2;
    out.bump = 0.7;
    out.grit = 120;
  },
  jersey: paintJersey,
  sleeve: (s, [x, y, z], out) => {
    if (s.trim && y < -0.84) lay(out, s.trim, 0.95);
    mottle(out, x, y, z, 0.07, 9);
    out.bump = 0.8;
    out.grit = 17;
    out.sheen = 0.45;
  },
  shorts: (s, [x, y, z], out) => {
    if (s.trim && Math.abs(z) < 0.09 && x > 0.3) lay(out, s.trim, 0.95);
    mottle(out, x, y, z, 0.08, 9);
    out.bump = 0.8;
    out.grit = 17;
    out.sheen = 0.5;
  },
  sock: (s, [x, y, z], out) => {
    if (s.trim && y > 0.8 && y < 0.93) lay(out, s.trim, 1);
    scaleBy(out, 0.94 + 0.06 * Math.sin(y * 160) + noise3(x * 9, y * 9, z * 9) * 0.08);
    out.bump = 0.16;
    out.sheen = 0.6;
  },
  boot: (s, [x, y, z], out) => {
    if (s.trim && Math.abs(x) > 0.3 && Math.abs(z - 0.5 - y * 0.5) < 0.16) lay(out, s.trim, 0.85);
    out.gloss = 0.5;
    out.sheen = 0.3;
  },
  cloth: (s, [x, y, z], out) => {
    if (s.trim && Math.abs(x) < 0.012) lay(out, s.trim, 0.8);
    mottle(out, x, y, z, 0.1, 14);
    out.bump = 0.8;
    out.grit = 16;
    out.sheen = 0.45;
  },
  ball: paintBall,
  smooth: (_s, [x, y, z], out) => {
    mottle(out, x, y, z, 0.05, 3);
    out.gloss = 0.3;
  },
  metal: (_s, [x, y, z], out) => {
    mottle(out, x, y, z, 0.12, 6);
    out.gloss = 0.9;
    out.sheen = 0.8;
  },
  wood: (_s, [x, y, z], out) => {
    const ring = Math.sin(z * 42 + noise3(x * 1.2, y * 9, z * 9) * 7);
    scaleBy(out, 0.85 + ring * 0.1 + noise3(x * 3, y * 40, z * 40) * 0.16);
    out.gloss = 0.18;
  },
  sign: (s, [x, y, z], out) => {
    mottle(out, x, y, z, 0.04, 5);
    if (s.text && s.trim && z > 0) lay(out, s.trim, lettering(s.text, x, y + 0.5, 1));
    out.gloss = 0.12;
  },
  card: (_s, [x, y, z], out) => {
    mottle(out, x, y, z, 0.03, 8);
  },
};

function scaleBy(out: Paint, k: number): void {
  out.r *= k;
  out.g *= k;
  out.b *= k;
}

function mottle(out: Paint, x: number, y: number, z: number, amount: number, grain: number): void {
  scaleBy(
    out,
    1 + amount * (noise3(x * grain, y * grain, z * grain) + 0.5 * noise3(x * grain * 3, y * grain * 3, z * grain * 3)),
  );
}

/** Seen from some metres: sockets, brows, lips and a warmer cheek are what the eye asks for. Local unit: height of the head. */
function paintFace(s: Surface, [x, y, z]: Vec3, out: Paint): void {
  mottle(out, x, y, z, 0.06, 5);
  out.gloss = 0.1;
  out.sheen = 0.22;
  if (z < 0.1) return;
  const side = Math.abs(x);
  const cheek = Math.exp(-(((side - 0.2) / 0.1) ** 2) - ((y - 0.32) / 0.09) ** 2);
  out.r *= 1 + 0.1 * cheek;
  out.g *= 1 - 0.1 * cheek;
  out.b *= 1 - 0.1 * cheek;
  const socket = Math.exp(-(((side - 0.145) / 0.075) ** 2) - ((y - 0.475) / 0.045) ** 2);
  scaleBy(out, 1 - 0.24 * socket);
  const eye = smoothstep(1.2, 0.4, ((side - 0.145) / 0.05) ** 2 + ((y - 0.47) / 0.02) ** 2);
  lay(out, [0.025, 0.016, 0.012], eye * 0.5);
  const lid = Math.exp(
    -(((side - 0.145) / 0.06) ** 2) - ((y - 0.489 + ((side - 0.145) / 0.06) ** 2 * 0.012) / 0.007) ** 2,
  );
  lay(out, [0.03, 0.018, 0.014], lid * 0.5);
  const arch = 0.555 - ((side - 0.14) / 0.11) ** 2 * 0.022;
  const brow = smoothstep(0.017, 0.007, Math.abs(y - arch)) * smoothstep(0.092, 0.06, Math.abs(side - 0.148));
  lay(out, s.second ?? [0.03, 0.02, 0.015], brow * 0.45);
  const smile = y - 0.205 - side * side * 1.1;
  const lips = smoothstep(0.028, 0.01, Math.abs(smile)) * smoothstep(0.12, 0.08, side);
  out.r *= 1 - 0.1 * lips;
  out.g *= 1 - 0.36 * lips;
  out.b *= 1 - 0.3 * lips;
  const mouth = smoothstep(0.009, 0.003, Math.abs(smile)) * smoothstep(0.115, 0.08, side);
  lay(out, [0.06, 0.02, 0.018], mouth * 0.3);
  const nostril = Math.exp(-(((side - 0.028) / 0.014) ** 2) - ((y - 0.315) / 0.01) ** 2);
  scaleBy(out, 1 - 0.5 * nostril);
}

/** Local unit: height of the torso; y 0 at the middle of the chest, x to the player's left, z to the front. */
function paintJersey(s: Surface, [x, y, z]: Vec3, out: Paint): void {
  const second = s.second ?? s.color;
  switch (s.pattern) {
    case 'hoops':
      if (Math.sin(y * 19) > 0.1) lay(out, second, 1);
      break;
    case 'halves':
      if (x > 0) lay(out, second, 1);
      break;
    case 'stripes':
      if (Math.sin(x * 25 + 1.57) > 0.2) lay(out, second, 1);
      break;
    case 'sash':
      if (Math.abs(x * 0.75 + y - 0.08) < 0.09) lay(out, second, 1);
      break;
    case 'sides':
      if (Math.abs(z) < 0.07 && y < 0.2) lay(out, second, 1);
      break;
    default:
      break;
  }
  if (s.text && s.trim) {
    const half = widthOf(s.text) / 2;
    if (z < 0) {
      lay(out, s.trim, lettering(s.text, -x / 0.42 + half, (y + 0.22) / 0.42, 1));
    } else {
      lay(out, s.trim, lettering(s.text, (x + 0.15) / 0.14 + half, (y - 0.04) / 0.14, 1));
      const crest = Math.hypot((x - 0.16) * 1.1, y - 0.11);
      lay(out, s.trim, smoothstep(0.068, 0.058, crest));
      lay(out, s.color, smoothstep(0.05, 0.042, crest) * 0.9);
    }
  }
  mottle(out, x, y, z, 0.07, 7);
  scaleBy(out, 1 + 0.05 * noise3(x * 70, y * 70, z * 70));
  out.bump = 0.85;
  out.grit = 15;
  out.sheen = 0.45;
}

const golden = (1 + Math.sqrt(5)) / 2;
const faces: readonly Vec3[] = [-1, 1]
  .flatMap((a) =>
    [-1, 1].flatMap((b): Vec3[] => [
      [0, a, b * golden],
      [a, b * golden, 0],
      [b * golden, 0, a],
    ]),
  )
  .map(([x, y, z]): Vec3 => [x / Math.hypot(1, golden), y / Math.hypot(1, golden), z / Math.hypot(1, golden)]);

/** The old pattern of twelve dark patches; local unit: radius. */
function paintBall(s: Surface, [x, y, z]: Vec3, out: Paint): void {
  const length = Math.hypot(x, y, z) || 1;
  let first = -1;
  let next = -1;
  for (const face of faces) {
    const near = (x * face[0] + y * face[1] + z * face[2]) / length;
    if (near > first) {
      next = first;
      first = near;
    } else if (near > next) next = near;
  }
  const patch = smoothstep(0.925, 0.935, first);
  lay(out, s.trim ?? [0.02, 0.025, 0.03], patch);
  const seam = smoothstep(0.02, 0.006, first - next) * (1 - patch);
  scaleBy(out, 1 - 0.55 * seam - 0.06 * clamp(noise3(x * 4, y * 4, z * 4), -1, 1));
  out.gloss = 0.35;
}
