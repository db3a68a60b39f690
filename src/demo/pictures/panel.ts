/** Thin flat things with a pattern that may be seen through: nets, banners, pennants, fences, tent roofs. */
import { project, rayThrough } from './camera.ts';
import type { Camera } from './camera.ts';
import { layOver, touch } from './frame.ts';
import type { Layer } from './frame.ts';
import { noise2 } from './noise.ts';
import { shadePoint } from './shade.ts';
import type { Lit, Point } from './shade.ts';
import { freshPaint } from './surface.ts';
import type { Paint } from './surface.ts';
import { add, apply, cross, dot, size, sub, times, turnY, unit } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';
import { lettering, widthOf } from './jersey-numbers.ts';

export type Panel = {
  readonly corner: Vec3;
  /** The two sides from the corner; u and v run along them in metres. */
  readonly across: Vec3;
  readonly down: Vec3;
  /** How much of (u, v) is covered; fills in the colour. `pixel` is the width of a pixel in metres. */
  readonly pattern: (u: number, v: number, pixel: number, out: Paint) => number;
  /** Waves of cloth in the wind: strength of the tilt. */
  readonly waves: number;
  /** Light comes through from behind. */
  readonly sheer: number;
};

export function tracePanel(layer: Layer, camera: Camera, panel: Panel, lit: Lit): void {
  const wide = size(panel.across);
  const tall = size(panel.down);
  const u = times(panel.across, 1 / wide);
  const v = times(panel.down, 1 / tall);
  const corners = [
    panel.corner,
    add(panel.corner, panel.across),
    add(panel.corner, panel.down),
    add(panel.corner, add(panel.across, panel.down)),
  ].map((c) => project(camera, c));
  if (corners.every((c) => c[2] < 0.3)) return;
  const near = corners.some((c) => c[2] < 0.3);
  const left = near ? 0 : Math.max(0, Math.floor(Math.min(...corners.map((c) => c[0])) - 1));
  const right = near ? camera.width : Math.min(camera.width, Math.ceil(Math.max(...corners.map((c) => c[0])) + 1));
  const top = near ? 0 : Math.max(0, Math.floor(Math.min(...corners.map((c) => c[1])) - 1));
  const bottom = near ? camera.height : Math.min(camera.height, Math.ceil(Math.max(...corners.map((c) => c[1])) + 1));
  if (left >= right || top >= bottom) return;
  touch(layer, left, top, right, bottom);
  const normal = unit(cross(u, v));
  const uv = dot(u, v);
  const square = 1 - uv * uv;
  const feel = freshPaint();
  const p: Point = {
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
  for (let py = top; py < bottom; py++) {
    for (let px = left; px < right; px++) {
      const ray = rayThrough(camera, px, py);
      const slope = dot(ray, normal);
      if (Math.abs(slope) < 1e-5) continue;
      const t = dot(sub(panel.corner, camera.from), normal) / slope;
      if (t < 0.3) continue;
      const q: Vec3 = [
        camera.from[0] + ray[0] * t - panel.corner[0],
        camera.from[1] + ray[1] * t - panel.corner[1],
        camera.from[2] + ray[2] * t - panel.corner[2],
      ];
      const qu = dot(q, u);
      const qv = dot(q, v);
      const a = (qu - uv * qv) / square;
      const b = (qv - uv * qu) / square;
      if (a < 0 || b < 0 || a > wide || b > tall) continue;
      feel.gloss = 0.05;
      feel.sheen = 0.2;
      feel.glow = 0;
      const cover = panel.pattern(a, b, t / camera.scale, feel);
      if (cover <= 0.004) continue;
      const length = size(ray);
      p.x = q[0] + panel.corner[0];
      p.y = q[1] + panel.corner[1];
      p.z = q[2] + panel.corner[2];
      p.dx = ray[0] / length;
      p.dy = ray[1] / length;
      p.dz = ray[2] / length;
      p.distance = t * length;
      const sign = slope > 0 ? -1 : 1;
      const wave = panel.waves * (noise2(a * 1.7 + 3, b * 0.9) + 0.5 * noise2(a * 4.1, b * 2.3));
      const n = unit([
        normal[0] * sign + u[0] * wave,
        normal[1] * sign + u[1] * wave + v[1] * wave * 0.4,
        normal[2] * sign + u[2] * wave,
      ]);
      [p.nx, p.ny, p.nz] = n;
      shadePoint(lit, p, feel);
      if (panel.sheer > 0) {
        const behind = Math.max(0, -dot(n, lit.light.toSun)) * panel.sheer;
        p.out[0] += lit.light.sun[0] * behind * feel.r;
        p.out[1] += lit.light.sun[1] * behind * feel.g;
        p.out[2] += lit.light.sun[2] * behind * feel.b;
      }
      layOver(layer, py * camera.width + px, p.out[0], p.out[1], p.out[2], Math.min(1, cover), t);
    }
  }
}

function colour(out: Paint, c: Rgb): void {
  out.r = c[0];
  out.g = c[1];
  out.b = c[2];
}

/** Square or diagonal mesh of cord `cord` metres thick. */
export function mesh(cell: number, cord: number, color: Rgb, diagonal = false): Panel['pattern'] {
  return (u, v, pixel, out) => {
    colour(out, color);
    const a = diagonal ? (u + v) * 0.7071 : u + 0.02 * noise2(u * 2, v * 2);
    const b = diagonal ? (u - v) * 0.7071 : v + 0.02 * noise2(u * 2 + 7, v * 2);
    const line = (x: number): number => {
      const d = Math.abs(((((x / cell) % 1) + 1) % 1) - 0.5) * cell;
      const edge = cell / 2 - d;
      return Math.max(0, Math.min(1, (cord / 2 + pixel / 2 - edge) / pixel)) * Math.min(1, cord / pixel);
    };
    const even = Math.min(1, (2 * cord) / cell);
    const la = line(a);
    const lb = line(b);
    const k = Math.min(1, pixel / (cell * 0.5));
    return (la + lb - la * lb) * (1 - k) + even * k;
  };
}

/** Cloth with a line of text and a border. */
export function banner(cloth: Rgb, ink: Rgb, text: string, wide: number, tall: number): Panel['pattern'] {
  const letter = Math.min(tall * 0.5, (wide * 0.88) / widthOf(text));
  const start = (wide - widthOf(text) * letter) / 2;
  return (u, v, _pixel, out) => {
    colour(out, cloth);
    const border = Math.min(u, v, wide - u, tall - v);
    const k = Math.max(
      lettering(text, (u - start) / letter, (tall * 0.5 + letter * 0.5 - v) / letter, 1),
      border > tall * 0.05 && border < tall * 0.085 ? 1 : 0,
    );
    out.r += (ink[0] - out.r) * k;
    out.g += (ink[1] - out.g) * k;
    out.b += (ink[2] - out.b) * k;
    return 1;
  };
}

/** Plain cloth or paint, `split` for a second colour below half. */
export function plain(color: Rgb, split?: Rgb): Panel['pattern'] {
  return (u, v, _pixel, out) => {
    colour(out, split && v > u * 0.5 ? split : color);
    return 1;
  };
}

/** A hanging pennant: a triangle that points down. */
export function pennant(color: Rgb, wide: number, tall: number): Panel['pattern'] {
  return (u, v, pixel, out) => {
    colour(out, color);
    const inside = (wide / 2) * (1 - v / tall) - Math.abs(u - wide / 2);
    return Math.max(0, Math.min(1, inside / pixel + 0.5));
  };
}

/** An upright rectangle `wide` x `tall` standing at `foot` (middle of its lower edge), facing `facing` degrees. */
export function standing(
  foot: Vec3,
  facing: number,
  wide: number,
  tall: number,
  pattern: Panel['pattern'],
  waves = 0.1,
  sheer = 0.2,
): Panel {
  const right = apply(turnY(facing), [1, 0, 0]);
  const corner: Vec3 = [foot[0] + right[0] * wide * -0.5, foot[1] + tall, foot[2] + right[2] * wide * -0.5];
  return { corner: corner, across: times(right, wide), down: [0, -tall, 0], pattern, waves, sheer };
}
