/** Shadows of bodies: one flat picture per body, taken from the sun, that says how near to the sun its surface is. */
import { cross, dot, unit } from './vector.ts';
import type { Vec3 } from './vector.ts';
import type { Body, Part } from './solid.ts';
import { speckle } from './noise.ts';

/** Two directions across the sunlight and the one towards the sun, common to all shadows of a picture. */
export type SunAxes = { readonly u: Vec3; readonly v: Vec3; readonly toSun: Vec3 };
export function sunAxesOf(toSun: Vec3): SunAxes {
  const u = unit(cross(toSun, Math.abs(toSun[1]) > 0.95 ? [1, 0, 0] : [0, 1, 0]));
  return { u, v: cross(u, toSun), toSun };
}

export type Shadow = {
  readonly u0: number;
  readonly v0: number;
  readonly cols: number;
  readonly rows: number;
  readonly cell: number;
  readonly near: Float32Array;
  readonly top: number;
};

/** `cell` is the fineness in metres. */
export function shadowOf(body: Body, sun: SunAxes, cell: number): Shadow {
  const u0 = dot(body.centre, sun.u) - body.radius;
  const v0 = dot(body.centre, sun.v) - body.radius;
  const cols = Math.ceil((2 * body.radius) / cell) + 1;
  const near = new Float32Array(cols * cols).fill(-1e9);
  const map: Shadow = {
    u0,
    v0,
    cols,
    rows: cols,
    cell,
    near,
    top: dot(body.centre, sun.toSun) + body.radius,
  };
  for (const part of body.parts) {
    if (part.shape === 'box') stampBox(map, sun, part.a, part.axes, part.stretch, part.ra);
    else {
      const reach = (direction: Vec3): number => {
        const a = dot(direction, part.axes[0]) * part.stretch[0];
        const b = dot(direction, part.axes[1]);
        const c = dot(direction, part.axes[2]) * part.stretch[2];
        return Math.sqrt(a * a + b * b + c * c);
      };
      stampLimb(map, sun, part, reach);
    }
  }
  return map;
}

function stampLimb(map: Shadow, sun: SunAxes, part: Part, reach: (d: Vec3) => number): void {
  const { a, b, ra, rb } = part;
  const au = dot(a, sun.u);
  const av = dot(a, sun.v);
  const as = dot(a, sun.toSun);
  const du = dot(b, sun.u) - au;
  const dv = dot(b, sun.v) - av;
  const ds = dot(b, sun.toSun) - as;
  const flat = du * du + dv * dv;
  const ru = reach(sun.u);
  const rv = reach(sun.v);
  const rs = reach(sun.toSun);
  const big = Math.max(ra, rb) * Math.max(ru, rv);
  const col0 = Math.max(0, Math.floor((Math.min(au, au + du) - big - map.u0) / map.cell));
  const col1 = Math.min(map.cols - 1, Math.ceil((Math.max(au, au + du) + big - map.u0) / map.cell));
  const row0 = Math.max(0, Math.floor((Math.min(av, av + dv) - big - map.v0) / map.cell));
  const row1 = Math.min(map.rows - 1, Math.ceil((Math.max(av, av + dv) + big - map.v0) / map.cell));
  for (let row = row0; row <= row1; row++) {
    for (let col = col0; col <= col1; col++) {
      const pu = map.u0 + col * map.cell - au;
      const pv = map.v0 + row * map.cell - av;
      const along = flat > 1e-9 ? (pu * du + pv * dv) / flat : ds > 0 ? 1 : 0;
      // An open end has no round cap: a hem must not darken the leg below it.
      if (part.cut && along > 1 && flat > 0.3 * ds * ds) continue;
      const k = Math.max(0, Math.min(1, along));
      const r = ra + (rb - ra) * k;
      const ou = (pu - du * k) / (r * ru);
      const ov = (pv - dv * k) / (r * rv);
      const inside = 1 - ou * ou - ov * ov;
      if (inside <= 0) continue;
      const depth = as + ds * k + r * rs * Math.sqrt(inside);
      const i = row * map.cols + col;
      if (depth > map.near[i]!) map.near[i] = depth;
    }
  }
}

function stampBox(
  map: Shadow,
  sun: SunAxes,
  centre: Vec3,
  axes: readonly [Vec3, Vec3, Vec3],
  half: Vec3,
  round: number,
): void {
  const sizes: Vec3 = [half[0] + round, half[1] + round, half[2] + round];
  const along = axes.map((axis) => dot(axis, sun.toSun));
  const spanU = axes.reduce((sum, axis, i) => sum + Math.abs(dot(axis, sun.u)) * sizes[i]!, 0);
  const spanV = axes.reduce((sum, axis, i) => sum + Math.abs(dot(axis, sun.v)) * sizes[i]!, 0);
  const cu = dot(centre, sun.u);
  const cv = dot(centre, sun.v);
  const cs = dot(centre, sun.toSun);
  const reach = sizes[0] + sizes[1] + sizes[2];
  for (
    let row = Math.max(0, Math.floor((cv - spanV - map.v0) / map.cell));
    row <= Math.min(map.rows - 1, Math.ceil((cv + spanV - map.v0) / map.cell));
    row++
  ) {
    for (
      let col = Math.max(0, Math.floor((cu - spanU - map.u0) / map.cell));
      col <= Math.min(map.cols - 1, Math.ceil((cu + spanU - map.u0) / map.cell));
      col++
    ) {
      const pu = map.u0 + col * map.cell - cu;
      const pv = map.v0 + row * map.cell - cv;
      let first = reach;
      let last = -reach;
      for (let i = 0; i < 3; i++) {
        const start = pu * dot(axes[i]!, sun.u) + pv * dot(axes[i]!, sun.v);
        const step = along[i]!;
        if (Math.abs(step) < 1e-6) {
          if (Math.abs(start) > sizes[i]!) first = -reach * 2;
          continue;
        }
        const p = (-sizes[i]! - start) / step;
        const q = (sizes[i]! - start) / step;
        first = Math.min(first, Math.max(p, q));
        last = Math.max(last, Math.min(p, q));
      }
      if (first < last) continue;
      const i = row * map.cols + col;
      if (cs + first > map.near[i]!) map.near[i] = cs + first;
    }
  }
}

const taps = Array.from({ length: 8 }, (_, i): readonly [number, number] => {
  const r = Math.sqrt((i + 0.5) / 8);
  return [r * Math.cos(i * 2.4), r * Math.sin(i * 2.4)];
});

/** Part of the sun seen from a point, 0..1; edges grow softer with the distance of what throws the shadow. */
export function sunlightAt(
  shadows: readonly Shadow[],
  sun: SunAxes,
  x: number,
  y: number,
  z: number,
  bias: number,
): number {
  const s = x * sun.toSun[0] + y * sun.toSun[1] + z * sun.toSun[2] + bias;
  const u = x * sun.u[0] + y * sun.u[1] + z * sun.u[2];
  const v = x * sun.v[0] + y * sun.v[1] + z * sun.v[2];
  let light = 1;
  for (const map of shadows) {
    if (s > map.top) continue;
    const cu = (u - map.u0) / map.cell;
    const cv = (v - map.v0) / map.cell;
    if (cu < 1 || cv < 1 || cu > map.cols - 2 || cv > map.rows - 2) continue;
    const reach = 0.9 + ((map.top - s) * 0.0075) / map.cell;
    const spin = speckle(u * 4000, v * 4000) * 6.28;
    const c = Math.cos(spin) * reach;
    const n = Math.sin(spin) * reach;
    let free = 0;
    for (const [a, b] of taps) {
      const col = Math.round(cu + a * c - b * n);
      const row = Math.round(cv + a * n + b * c);
      if (col < 0 || row < 0 || col >= map.cols || row >= map.rows || map.near[row * map.cols + col]! < s) free++;
    }
    light *= free / taps.length;
    if (light <= 0) return 0;
  }
  return light;
}
