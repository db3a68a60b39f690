/**
 * Bodies as distance fields: a body is a bag of tapered, flattened capsules and boxes. Parts of one group flow into each
 * other like flesh or cloth; different groups only touch, like a sleeve and the arm in it.
 */
import { cross, dot, sub, times, add, unit } from './vector.ts';
import type { Turn, Vec3 } from './vector.ts';
import type { Surface } from './surface.ts';

export type Part = {
  readonly shape: 'limb' | 'box';
  readonly group: number;
  readonly surface: Surface;
  /** Limb: from a to b with radii ra and rb. Box: a is the centre. */
  readonly a: Vec3;
  readonly b: Vec3;
  readonly ra: number;
  readonly rb: number;
  /** Axes: side (width), along (from a to b), front (depth). */
  readonly axes: Turn;
  /** Limb: stretch of the round section along side and front. Box: half sizes along the three axes, less `ra` of rounding. */
  readonly stretch: Vec3;
  /** Metres over which this part melts into the rest of its group. */
  readonly melt: number;
  /** Depth of creases in metres, for cloth. */
  readonly folds: number;
  /** Cut flat at b (a sleeve's or a leg's opening) instead of round. */
  readonly cut: boolean;
};

export type Body = {
  readonly parts: readonly Part[];
  readonly data: Float64Array;
  readonly centre: Vec3;
  readonly radius: number;
};

type LimbOptions = {
  melt?: number;
  folds?: number;
  cut?: boolean;
  wide?: number;
  deep?: number;
  side?: Vec3;
};

/** A tapered capsule; `side` tells where its width points when it is not round. */
export function limb(
  group: number,
  surface: Surface,
  a: Vec3,
  b: Vec3,
  ra: number,
  rb: number,
  options: LimbOptions = {},
): Part {
  const along = unit(sub(b, a));
  const wish = options.side ?? (Math.abs(along[1]) > 0.9 ? ([1, 0, 0] as const) : ([0, 1, 0] as const));
  const side = unit(sub(wish, times(along, dot(wish, along))));
  const axes: Turn = [side, along, cross(side, along)];
  const stretch: Vec3 = [options.wide ?? 1, 1, options.deep ?? 1];
  return {
    shape: 'limb',
    group,
    surface,
    a,
    b,
    ra,
    rb,
    axes,
    stretch,
    melt: options.melt ?? 0.03,
    folds: options.folds ?? 0,
    cut: options.cut ?? false,
  };
}

/** An ellipsoid with its half sizes along the axes of `turn`. */
export function egg(
  group: number,
  surface: Surface,
  centre: Vec3,
  turn: Turn,
  half: Vec3,
  melt = 0.03,
  folds = 0,
): Part {
  const r = half[1];
  const tip = add(centre, times(turn[1], 1e-4));
  return {
    shape: 'limb',
    group,
    surface,
    a: centre,
    b: tip,
    ra: r,
    rb: r,
    axes: turn,
    stretch: [half[0] / r, 1, half[2] / r],
    melt,
    folds,
    cut: false,
  };
}

/** A box with rounded edges. */
export function box(group: number, surface: Surface, centre: Vec3, turn: Turn, half: Vec3, round = 0.01): Part {
  const inner: Vec3 = [Math.max(0, half[0] - round), Math.max(0, half[1] - round), Math.max(0, half[2] - round)];
  return {
    shape: 'box',
    group,
    surface,
    a: centre,
    b: centre,
    ra: round,
    rb: round,
    axes: turn,
    stretch: inner,
    melt: 0.001,
    folds: 0,
    cut: false,
  };
}

const stride = 24;

/** Packs parts for the inner loop; groups are kept together. */
export function bodyOf(unsorted: readonly Part[]): Body {
  const parts = [...unsorted].sort((p, q) => p.group - q.group);
  const data = new Float64Array(parts.length * stride);
  let low: Vec3 = [1e9, 1e9, 1e9];
  let high: Vec3 = [-1e9, -1e9, -1e9];
  parts.forEach((part, i) => {
    const [side, along, front] = part.axes;
    const length = part.shape === 'box' ? 0 : Math.sqrt(dot(sub(part.b, part.a), sub(part.b, part.a)));
    data.set(
      [part.shape === 'box' ? 1 : 0, part.group, ...part.a, ...side, ...along, ...front, length, part.ra, part.rb],
      i * stride,
    );
    const [wide, , deep] = part.stretch;
    data.set(part.shape === 'box' ? part.stretch : [1 / wide, 1, 1 / deep], i * stride + 17);
    data.set([part.melt, part.folds, part.cut ? 1 : 0], i * stride + 20);
    for (const [end, reach] of endsOf(part)) {
      low = [Math.min(low[0], end[0] - reach), Math.min(low[1], end[1] - reach), Math.min(low[2], end[2] - reach)];
      high = [Math.max(high[0], end[0] + reach), Math.max(high[1], end[1] + reach), Math.max(high[2], end[2] + reach)];
    }
  });
  const centre = times(add(low, high), 0.5);
  return { parts, data, centre, radius: Math.sqrt(dot(sub(high, centre), sub(high, centre))) };
}

/** The balls that a part hangs between: two for a limb, one around a box. */
export function endsOf(part: Part): readonly (readonly [Vec3, number])[] {
  if (part.shape === 'box') {
    const [x, y, z] = part.stretch;
    return [[part.a, Math.sqrt(x * x + y * y + z * z) + part.ra]];
  }
  const grow = Math.max(part.stretch[0], part.stretch[2], 1);
  return [
    [part.a, part.ra * grow + part.folds],
    [part.b, part.rb * grow + part.folds],
  ];
}

export type Nearest = { part: number };

/** Signed distance from a point to the parts of `list`, which must be in ascending order; the nearest part goes to `nearest`. */
export function distanceTo(
  data: Float64Array,
  list: Int32Array,
  count: number,
  px: number,
  py: number,
  pz: number,
  nearest: Nearest,
): number {
  let best = 1e9;
  let bestPart = -1;
  let group = -1;
  let inGroup = 1e9;
  let groupRaw = 1e9;
  let groupPart = -1;
  for (let i = 0; i < count; i++) {
    const part = list[i]!;
    const o = part * stride;
    if (data[o + 1] !== group) {
      if (inGroup < best) {
        best = inGroup;
        bestPart = groupPart;
      }
      group = data[o + 1]!;
      inGroup = 1e9;
      groupRaw = 1e9;
    }
    const d = data[o] === 0 ? toLimb(data, o, px, py, pz) : toBox(data, o, px, py, pz);
    if (d < groupRaw) {
      groupRaw = d;
      groupPart = part;
    }
    if (inGroup > 1e8) inGroup = d;
    else {
      const melt = data[o + 20]!;
      const near = melt - Math.abs(inGroup - d);
      if (d < inGroup) inGroup = d;
      if (near > 0) inGroup -= (near * near * 0.25) / melt;
    }
  }
  if (inGroup < best) {
    best = inGroup;
    bestPart = groupPart;
  }
  nearest.part = bestPart;
  return best;
}

function toLimb(data: Float64Array, o: number, px: number, py: number, pz: number): number {
  const dx = px - data[o + 2]!;
  const dy = py - data[o + 3]!;
  const dz = pz - data[o + 4]!;
  const y = dx * data[o + 8]! + dy * data[o + 9]! + dz * data[o + 10]!;
  const length = data[o + 14]!;
  const along = y < 0 ? 0 : y > length ? length : y;
  const beyond = y - along;
  const x = (dx * data[o + 5]! + dy * data[o + 6]! + dz * data[o + 7]!) * data[o + 17]!;
  const z = (dx * data[o + 11]! + dy * data[o + 12]! + dz * data[o + 13]!) * data[o + 19]!;
  const f = Math.sqrt(x * x + beyond * beyond + z * z) + 1e-9;
  const gx = x * data[o + 17]!;
  const gz = z * data[o + 19]!;
  const slope = Math.sqrt(gx * gx + beyond * beyond + gz * gz) / f;
  let r = data[o + 15]! + (data[o + 16]! - data[o + 15]!) * (along / length);
  const folds = data[o + 21]!;
  if (folds > 0 && f < r * 1.6) {
    const phase = o * 0.37;
    const one = Math.abs(Math.sin(x * 17 + y * 13 + phase + 1.7 * Math.sin(y * 9 + z * 7 + phase)));
    const other = Math.abs(Math.sin(z * 18 - y * 15 + x * 6 + phase * 2 + 1.5 * Math.sin(x * 11 + y * 6)));
    r += folds * (one + other - 1.1);
  }
  const d = (f - r) / (slope > 0.3 ? slope : 0.3);
  return data[o + 22] === 1 && beyond > d ? beyond : d;
}

function toBox(data: Float64Array, o: number, px: number, py: number, pz: number): number {
  const dx = px - data[o + 2]!;
  const dy = py - data[o + 3]!;
  const dz = pz - data[o + 4]!;
  const x = Math.abs(dx * data[o + 5]! + dy * data[o + 6]! + dz * data[o + 7]!) - data[o + 17]!;
  const y = Math.abs(dx * data[o + 8]! + dy * data[o + 9]! + dz * data[o + 10]!) - data[o + 18]!;
  const z = Math.abs(dx * data[o + 11]! + dy * data[o + 12]! + dz * data[o + 13]!) - data[o + 19]!;
  const ox = x > 0 ? x : 0;
  const oy = y > 0 ? y : 0;
  const oz = z > 0 ? z : 0;
  const inside = Math.min(0, Math.max(x, y, z));
  return Math.sqrt(ox * ox + oy * oy + oz * oz) + inside - data[o + 15]!;
}
