/** Walks a ray per pixel to the surface of a body. Pixels are taken tile by tile, each with only the parts that it can meet. */
import { project, rayThrough } from './camera.ts';
import type { Camera } from './camera.ts';
import { layOver, touch } from './frame.ts';
import type { Layer } from './frame.ts';
import { speckle, noise2 } from './noise.ts';
import { distanceTo, endsOf } from './solid.ts';
import type { Body } from './solid.ts';
import { roughen, shadePoint } from './shade.ts';
import type { Lit, Point } from './shade.ts';
import { freshPaint, paint } from './surface.ts';
import { clamp, dot, sub } from './vector.ts';

const tile = 12;
type Tile = { parts: number[]; near: number; far: number };

/** Below this level (metres) grass or water hides what is there. */
type Cover = { readonly grass: number; readonly water?: (p: Point) => number };

export function traceBody(layer: Layer, camera: Camera, body: Body, lit: Lit, cover: Cover): void {
  const tiles = spread(camera, body);
  const list = new Int32Array(body.parts.length);
  const walk: Walk = { list, count: 0, near: 0, far: 0, nearest: { part: 0 }, coverage: 0, t: 0 };
  const point: Point = {
    x: 0,
    y: 0,
    z: 0,
    nx: 0,
    ny: 0,
    nz: 0,
    dx: 0,
    dy: 0,
    dz: 0,
    distance: 0,
    open: 1,
    skin: false,
    out: [0, 0, 0],
  };
  const feel = freshPaint();
  for (const [key, { parts, near, far }] of tiles) {
    const column = key % 4096;
    const row = Math.floor(key / 4096);
    parts.sort((a, b) => a - b);
    walk.count = parts.length;
    list.set(parts);
    const right = Math.min(camera.width, (column + 1) * tile);
    const bottom = Math.min(camera.height, (row + 1) * tile);
    touch(layer, column * tile, row * tile, right, bottom);
    for (let py = row * tile; py < bottom; py++) {
      for (let px = column * tile; px < right; px++) {
        walk.near = near;
        walk.far = far;
        const ray = rayThrough(camera, px, py);
        if (!march(body, camera, ray, walk)) continue;
        const t = walk.t;
        fillPoint(point, body, camera, ray, walk);
        if (
          point.y < cover.grass &&
          point.y < cover.grass * (0.55 + 0.6 * speckle(px >> 1, 3) + 0.3 * noise2(px * 0.2, 7))
        )
          continue;
        const surface = body.parts[walk.nearest.part]!.surface;
        paint(surface, point.x, point.y, point.z, feel);
        roughen(point, feel.bump, feel.grit);
        point.skin = surface.kind === 'skin' || surface.kind === 'face';
        shadePoint(lit, point, feel);
        const seen = cover.water && point.y < 0 ? cover.water(point) : 1;
        layOver(layer, py * camera.width + px, point.out[0], point.out[1], point.out[2], walk.coverage * seen, t);
      }
    }
  }
}

function spread(camera: Camera, body: Body): Map<number, Tile> {
  const tiles = new Map<number, Tile>();
  body.parts.forEach((part, index) => {
    const margin = part.melt * 0.5 + 0.05;
    const ends = endsOf(part).map(([centre, reach]) => {
      const [x, y, depth] = project(camera, centre);
      const wide = ((reach + margin) / Math.max(0.2, depth)) * camera.scale + 2;
      return { x, y, wide, near: depth - reach - margin, far: depth + reach + margin };
    });
    const far = Math.max(...ends.map((e) => e.far));
    if (far < 0.2) return;
    const left = Math.max(0, Math.floor(Math.min(...ends.map((e) => e.x - e.wide)) / tile));
    const right = Math.min(
      Math.ceil(camera.width / tile) - 1,
      Math.floor(Math.max(...ends.map((e) => e.x + e.wide)) / tile),
    );
    const top = Math.max(0, Math.floor(Math.min(...ends.map((e) => e.y - e.wide)) / tile));
    const bottom = Math.min(
      Math.ceil(camera.height / tile) - 1,
      Math.floor(Math.max(...ends.map((e) => e.y + e.wide)) / tile),
    );
    const near = Math.max(0.2, Math.min(...ends.map((e) => e.near)));
    const first = ends[0]!;
    const last = ends[ends.length - 1]!;
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        if (!meetsBand(first, last, (column + 0.5) * tile, (row + 0.5) * tile)) continue;
        const key = row * 4096 + column;
        const known = tiles.get(key);
        if (known) {
          known.parts.push(index);
          known.near = Math.min(known.near, near);
          known.far = Math.max(known.far, far);
        } else tiles.set(key, { parts: [index], near, far });
      }
    }
  });
  return tiles;
}

type Disc = { x: number; y: number; wide: number };
/** Whether a tile around (x, y) can meet the band between two discs. */
function meetsBand(a: Disc, b: Disc, x: number, y: number): boolean {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = dx * dx + dy * dy;
  const k = length > 0 ? clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0, 1) : 0;
  return Math.hypot(x - a.x - dx * k, y - a.y - dy * k) < Math.max(a.wide, b.wide) + tile * 0.75;
}

type Walk = {
  list: Int32Array;
  count: number;
  near: number;
  far: number;
  nearest: { part: number };
  coverage: number;
  t: number;
};

/** Leaves in `walk` where the ray meets the body, and how much of the pixel is covered; false if it misses. */
function march(body: Body, camera: Camera, ray: readonly [number, number, number], walk: Walk): boolean {
  const [ox, oy, oz] = camera.from;
  const length = Math.sqrt(dot(ray, ray));
  const pixel = length / camera.scale;
  let t = walk.near;
  let closest = 1e9;
  let closestT = t;
  for (let step = 0; step < 90 && t < walk.far; step++) {
    const d = distanceTo(
      body.data,
      walk.list,
      walk.count,
      ox + ray[0] * t,
      oy + ray[1] * t,
      oz + ray[2] * t,
      walk.nearest,
    );
    const inPixels = d / (pixel * t);
    if (inPixels < 0.3) {
      walk.t = t;
      walk.coverage = 1;
      return true;
    }
    if (inPixels < closest) {
      closest = inPixels;
      closestT = t;
    }
    t += Math.max((d * 0.62) / length, pixel * t * 0.25);
  }
  if (closest > 1) return false;
  walk.t = closestT;
  walk.coverage = 1 - (closest - 0.3) / 0.7;
  return true;
}

function fillPoint(p: Point, body: Body, camera: Camera, ray: readonly [number, number, number], walk: Walk): void {
  const t = walk.t;
  const length = Math.sqrt(dot(ray, ray));
  p.x = camera.from[0] + ray[0] * t;
  p.y = camera.from[1] + ray[1] * t;
  p.z = camera.from[2] + ray[2] * t;
  p.dx = ray[0] / length;
  p.dy = ray[1] / length;
  p.dz = ray[2] / length;
  p.distance = t * length;
  const aside = { part: 0 };
  const e = Math.max(0.0012, (t / camera.scale) * 0.6);
  const at = (x: number, y: number, z: number): number => distanceTo(body.data, walk.list, walk.count, x, y, z, aside);
  distanceTo(body.data, walk.list, walk.count, p.x, p.y, p.z, walk.nearest);
  const a = at(p.x + e, p.y - e, p.z - e);
  const b = at(p.x - e, p.y - e, p.z + e);
  const c = at(p.x - e, p.y + e, p.z - e);
  const d = at(p.x + e, p.y + e, p.z + e);
  const nx = a - b - c + d;
  const ny = c + d - a - b;
  const nz = b + d - a - c;
  const n = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12);
  p.nx = nx * n;
  p.ny = ny * n;
  p.nz = nz * n;
  let closed = 0;
  let weight = 1;
  for (const reach of [0.02, 0.05, 0.1]) {
    closed += (weight * Math.max(0, reach - at(p.x + p.nx * reach, p.y + p.ny * reach, p.z + p.nz * reach))) / reach;
    weight *= 0.7;
  }
  p.open = clamp(1 - closed * 0.5, 0.12, 1);
}

/** Distance ahead of the camera to the middle of a body, by which bodies are sorted. */
export const depthOf = (camera: Camera, body: Body): number => dot(sub(body.centre, camera.from), camera.ahead);
