/** The ground under everything: a soccer field with its lines, a lawn, a paved yard, a wooden floor. */
import { fbm2, noise2 } from './noise.ts';
import { lawn, paintGrass } from './grass.ts';
import type { Grass, Spot } from './grass.ts';
import { clamp, smoothstep } from './vector.ts';
import type { Rgb } from './vector.ts';
import type { Paint } from './surface.ts';

export type Ground = {
  readonly paint: (spot: Spot, out: Paint) => void;
  /** Grass lets light through and hides the soles of shoes; stone does neither. */
  readonly grassy: boolean;
};

/** A field for the under-14s, metres. The middle of the field is the origin; the long side runs along x. */
export const field = {
  halfLength: 43,
  halfWidth: 28,
  goalHalf: 3.2,
  goalHeight: 2.13,
  boxDepth: 13,
  boxHalf: 16,
  smallDepth: 5,
  smallHalf: 8,
  circle: 7.5,
  spot: 10,
} as const;

/** Distance in metres to the nearest painted line. */
export function distanceToLine(x: number, z: number): number {
  const f = field;
  const ax = Math.abs(x);
  const az = Math.abs(z);
  const beyondX = Math.max(0, ax - f.halfLength);
  const beyondZ = Math.max(0, az - f.halfWidth);
  let nearest = Math.min(
    Math.hypot(ax - f.halfLength, beyondZ),
    Math.hypot(az - f.halfWidth, beyondX),
    Math.hypot(ax, beyondZ),
  );
  const centre = Math.hypot(x, z);
  nearest = Math.min(nearest, Math.abs(centre - f.circle), Math.max(0, centre - 0.12));
  for (const [depth, half] of [
    [f.boxDepth, f.boxHalf],
    [f.smallDepth, f.smallHalf],
  ] as const) {
    const front = f.halfLength - depth;
    const dx = ax < front ? front - ax : Math.max(0, ax - f.halfLength);
    nearest = Math.min(nearest, Math.hypot(ax - front, Math.max(0, az - half)), Math.hypot(az - half, dx));
  }
  const toSpot = Math.hypot(ax - (f.halfLength - f.spot), z);
  nearest = Math.min(nearest, Math.max(0, toSpot - 0.12));
  if (ax < f.halfLength - f.boxDepth) nearest = Math.min(nearest, Math.abs(toSpot - f.circle));
  if (ax < f.halfLength && az < f.halfWidth)
    nearest = Math.min(nearest, Math.abs(Math.hypot(ax - f.halfLength, az - f.halfWidth) - 1));
  return nearest;
}

function whiten(out: Paint, amount: number): void {
  out.r += (0.72 - out.r) * amount;
  out.g += (0.74 - out.g) * amount;
  out.b += (0.7 - out.b) * amount;
}

function soil(out: Paint, amount: number): void {
  out.r += (0.2 - out.r) * amount;
  out.g += (0.135 - out.g) * amount;
  out.b += (0.075 - out.b) * amount;
}

export type FieldOptions = {
  readonly grass?: Partial<Grass>;
  readonly worn?: number;
  readonly track?: boolean;
  readonly lines?: boolean;
};

export function soccerField(options: FieldOptions = {}): Ground {
  const grass: Grass = { ...lawn, ...options.grass };
  const rough: Grass = {
    ...grass,
    stripe: 0,
    deep: [0.026, 0.05, 0.012],
    bright: [0.1, 0.165, 0.035],
    length: grass.length * 1.7,
  };
  const worn = options.worn ?? 0.5;
  return {
    grassy: true,
    paint(spot, out) {
      const { x, z, dx, dy, dz, pixel } = spot;
      const outside = Math.max(Math.abs(x) - field.halfLength, Math.abs(z) - field.halfWidth);
      if (options.track && outside > 5 && outside < 13) {
        paintTrack(x, z, outside, pixel, out);
        return;
      }
      paintGrass(outside > 3 ? rough : grass, spot, out);
      out.gloss = 0.1;
      const mouth =
        Math.exp(-(((Math.abs(x) - field.halfLength + 1.5) / 2.4) ** 2) - (z / 3.4) ** 2) +
        0.35 * Math.exp(-(x * x + z * z) / 5);
      soil(out, worn * clamp(mouth * (0.75 + fbm2(x * 1.4, z * 1.4, 4) * 1.2), 0, 0.8));
      if (options.lines === false || outside > 2) return;
      const d = distanceToLine(x, z);
      if (d > 1) return;
      const ahead = Math.min(1, pixel / Math.max(0.02, -dy));
      const soft = Math.max(0.008, pixel * 0.6, Math.abs(distanceToLine(x + dx * ahead, z + dz * ahead) - d) * 0.7);
      const ragged = 0.052 + 0.012 * noise2(x * 31, z * 31) * (1 - smoothstep(0.004, 0.03, pixel));
      const line = smoothstep(ragged + soft, ragged - soft, d) * Math.min(1, 0.09 / soft);
      whiten(
        out,
        line *
          clamp(0.8 + noise2(x * 5, z * 5) * 0.22 + noise2(x * 60, z * 60) * 0.2, 0.3, 0.97) *
          clamp(0.3 + (out.g / 0.19) * 0.95, 0.45, 1),
      );
    },
  };
}

function paintTrack(x: number, z: number, outside: number, pixel: number, out: Paint): void {
  const grain =
    1 + 0.12 * noise2(x * 70, z * 70) * (1 - smoothstep(0.006, 0.02, pixel)) + 0.14 * fbm2(x * 0.6, z * 0.6, 3);
  out.r = 0.27 * grain;
  out.g = 0.082 * grain;
  out.b = 0.05 * grain;
  const lane = Math.abs((((outside - 5) / 1.22) % 1) - 0.5) * 1.22;
  whiten(out, smoothstep(0.56, 0.585, lane) * 0.8);
}

export function park(grass: Partial<Grass> = {}): Ground {
  const mixed: Grass = { ...lawn, stripe: 0, length: 0.05, ...grass };
  return {
    grassy: true,
    paint(spot, out) {
      paintGrass(mixed, spot, out);
      out.gloss = 0.08;
    },
  };
}

/** Paving of slabs `slab` metres wide. */
export function paved(color: Rgb, slab: number, gloss = 0.15): Ground {
  return {
    grassy: false,
    paint({ x, z, pixel }, out) {
      const shade =
        1 +
        0.16 * fbm2(x * 0.8, z * 0.8, 4) +
        0.14 * noise2(x * 90, z * 90) * (1 - smoothstep(0.004, 0.015, pixel)) +
        0.06 * noise2(Math.floor(x / slab) * 7.7, Math.floor(z / slab) * 3.1);
      const across = (v: number): number => slab * (0.5 - Math.abs(((((v / slab) % 1) + 1) % 1) - 0.5));
      const joint = smoothstep(0.014 + pixel, 0.004, Math.min(across(x), across(z)));
      const k = shade * (1 - 0.45 * joint);
      out.r = color[0] * k;
      out.g = color[1] * k;
      out.b = color[2] * k;
      out.gloss = gloss;
    },
  };
}

/** Boards along x. */
export function boards(color: Rgb): Ground {
  return {
    grassy: false,
    paint({ x, z }, out) {
      const board = Math.floor(z / 0.11);
      const start = noise2(board * 3.7, 5) * 9;
      const piece = Math.floor((x + start) / 1.3);
      const tone = 0.85 + 0.22 * noise2(board * 1.7 + 0.5, piece * 2.3 + 0.5);
      const veins = 1 + 0.14 * noise2(x * 4 + piece * 7, z * 70) + 0.08 * noise2(x * 18, z * 190);
      const edge = Math.abs(((((z / 0.11) % 1) + 1) % 1) - 0.5) > 0.48 ? 0.6 : 1;
      const k = tone * veins * edge;
      out.r = color[0] * k;
      out.g = color[1] * k;
      out.b = color[2] * k;
      out.gloss = 0.55;
    },
  };
}
