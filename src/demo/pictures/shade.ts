/** How light falls on a point: sun with shadow, sky above, ground below, lamps, gloss and the air in between. */
import type { Light } from './light.ts';
import { airColour } from './light.ts';
import { noise3 } from './noise.ts';
import { sunlightAt } from './shadow.ts';
import type { Shadow, SunAxes } from './shadow.ts';
import { clamp } from './vector.ts';
import type { Paint } from './surface.ts';

export type Lit = {
  readonly light: Light;
  readonly sun: SunAxes;
  readonly shadows: readonly Shadow[];
};

/** One point of a surface as the tracer found it. `out` receives the light that leaves it towards the camera. */
export type Point = {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
  /** From the camera to the point, unit. */
  dx: number;
  dy: number;
  dz: number;
  distance: number;
  /** Openness to the sky, 0..1. */
  open: number;
  /** Skin lets red light through at the edge of its shadow. */
  skin: boolean;
  out: [number, number, number];
};

export function roughen(p: Point, bump: number, grit: number): void {
  if (bump <= 0) return;
  const e = 0.2 / grit;
  const at = (x: number, y: number, z: number): number =>
    -Math.abs(noise3(x * grit, y * grit * 0.6, z * grit)) * 1.5 +
    0.4 * noise3(x * grit * 2.3 + 9, y * grit * 1.6, z * grit * 2.3);
  const here = at(p.x, p.y, p.z);
  const k = bump * 0.75;
  const nx = p.nx - k * (at(p.x + e, p.y, p.z) - here);
  const ny = p.ny - k * (at(p.x, p.y + e, p.z) - here);
  const nz = p.nz - k * (at(p.x, p.y, p.z + e) - here);
  const n = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
  p.nx = nx * n;
  p.ny = ny * n;
  p.nz = nz * n;
}

/** Shades `p` with `paint`; shadow bias 3 cm keeps bodies from shading themselves by rounding. */
export function shadePoint(lit: Lit, p: Point, paint: Paint): void {
  const { light } = lit;
  const [sx, sy, sz] = light.toSun;
  const facing = p.nx * sx + p.ny * sy + p.nz * sz;
  const wrap = p.skin ? 0.22 : 0.04;
  let direct = clamp((facing + wrap) / (1 + wrap), 0, 1);
  if (direct > 0)
    direct *= sunlightAt(
      lit.shadows,
      lit.sun,
      p.x + p.nx * 0.012,
      p.y + p.ny * 0.012,
      p.z + p.nz * 0.012,
      facing < 0.3 ? 0.05 : 0.03,
    );
  const up = 0.5 + 0.5 * p.ny;
  const sunward = clamp(0.5 + 0.5 * (p.nx * sx + p.nz * sz), 0, 1) * 0.12;
  const towardEye = -(p.nx * p.dx + p.ny * p.dy + p.nz * p.dz);
  const edge = (1 - clamp(towardEye, 0, 1)) ** 4;
  const fill = clamp(p.nx * light.fill.from[0] + p.ny * light.fill.from[1] + p.nz * light.fill.from[2], 0, 1);
  const hx = sx - p.dx;
  const hy = sy - p.dy;
  const hz = sz - p.dz;
  const half = clamp((p.nx * hx + p.ny * hy + p.nz * hz) / Math.sqrt(hx * hx + hy * hy + hz * hz), 0, 1);
  const shine = paint.gloss > 0 ? direct * half ** (8 + paint.gloss * 70) * paint.gloss * 0.55 : 0;
  const low = clamp(0.35 + p.y * 0.9, 0.35, 1);
  const back =
    clamp((p.dx * sx + p.dz * sz) * 1.2 - 0.2, 0, 1) * clamp(facing * 2.5 + 0.9, 0, 1) * clamp(p.open * 1.3, 0, 1);
  const albedo = [paint.r, paint.g, paint.b] as const;
  const haze = 1 - Math.exp(-p.distance * light.haze);
  const air = airColour(light, p.dx * sx + p.dy * sy + p.dz * sz);
  const mirror = paint.gloss > 0.8 ? roomMirrored(light, p) : 0;
  for (let c = 0; c < 3; c++) {
    const above = light.above[c]! * up * p.open;
    const below = light.below[c]! * (1 - up) * low * (0.4 + 0.6 * p.open);
    const ambient = above + below + light.horizon[c]! * sunward * p.open + light.fill.color[c]! * fill;
    const bleed = p.skin && c === 0 ? 1.08 : 1;
    const against = light.sun[c]! * back * edge * (0.12 + albedo[c]! * 0.9);
    const rim =
      (light.horizon[c]! * 0.5 + light.sun[c]! * clamp(-(p.dx * -sx + p.dz * -sz), 0, 1) * 0.16) *
      edge *
      paint.sheen *
      p.open *
      0.35;
    const color =
      albedo[c]! * (ambient + light.sun[c]! * direct * bleed + (light.above[c]! + light.sun[c]! * 0.25) * mirror) +
      light.sun[c]! * shine +
      rim +
      against +
      paint.glow * albedo[c]!;
    p.out[c] = color + (air[c]! - color) * haze;
  }
}

/** What polished metal shows: a bright sky or lamps above, a dark ground, and upright bands like windows between. */
function roomMirrored(light: Light, p: Point): number {
  const k = 2 * (p.dx * p.nx + p.dy * p.ny + p.dz * p.nz);
  const x = p.dx - k * p.nx;
  const y = p.dy - k * p.ny;
  const z = p.dz - k * p.nz;
  const bands = clamp(Math.sin(Math.atan2(x, z) * 3 + 0.6) * 2.2 - 0.7, 0, 1);
  const height = clamp((y + 0.15) * 2.4, 0, 1);
  const toSun = clamp(x * light.toSun[0] + y * light.toSun[1] + z * light.toSun[2], 0, 1);
  return height * (0.35 + 1.7 * bands) + toSun ** 24 * 3 - 0.28;
}
