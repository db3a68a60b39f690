/** A swimming pool of eight lanes: water with waves, floor and mirror; ropes, blocks, flags. Lanes run along z, the start is at z = 0. */
import { skyAlong } from './light.ts';
import { fbm2, noise2 } from './noise.ts';
import { pennant } from './panel.ts';
import type { Panel } from './panel.ts';
import { hues } from './people.ts';
import type { Thing, Water } from './render.ts';
import type { Lit } from './shade.ts';
import { sunlightAt } from './shadow.ts';
import { bodyOf, box, egg, limb } from './solid.ts';
import type { Part } from './solid.ts';
import { clamp, smoothstep, turnX, upright } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';

export const pool = { lanes: 8, laneWidth: 2.3, length: 25, depth: 1.7 } as const;
const half = (pool.lanes * pool.laneWidth) / 2;
export const laneX = (lane: number): number => -half + (lane - 0.5) * pool.laneWidth;

/** `foam` lists places where swimmers churn the water: x, z, radius. */
export function poolWater(foam: readonly (readonly [number, number, number])[], choppy = 1): Water {
  return {
    covers: (x, z) => Math.abs(x) < half && z > 0 && z < pool.length,
    shade(lit, spot, out) {
      const steep = choppy * (1 - smoothstep(0.01, 0.12, spot.pixel) * 0.75);
      const [nx, nz] = wave(spot.x, spot.z, steep, foam);
      const n = 1 / Math.sqrt(nx * nx + 1 + nz * nz);
      const facing = Math.max(0.02, -(spot.dx * nx + spot.dy + spot.dz * nz) * n);
      const mirror = 0.03 + 0.97 * (1 - facing) ** 5;
      const k = 2 * facing * n;
      const ry = Math.abs(spot.dy + k);
      const rx = spot.dx + k * nx;
      const rz = spot.dz + k * nz;
      const sky = skyAlong(lit.light, rx, Math.max(0.03, ry), rz);
      const below = floorSeen(lit, spot.x, spot.z, spot.dx + nx * 0.35, spot.dy, spot.dz + nz * 0.35);
      const glint =
        clamp(rx * lit.light.toSun[0] + ry * lit.light.toSun[1] + rz * lit.light.toSun[2], 0, 1) ** 600 * 14;
      const white = foamAt(spot.x, spot.z, foam);
      const lightHere = sunlightAt(lit.shadows, lit.sun, spot.x, 0, spot.z, 0.02) * lit.light.toSun[1];
      for (let c = 0; c < 3; c++) {
        const water = below[c]! * (1 - mirror) + sky[c]! * mirror * 0.9 + lit.light.sun[c]! * glint * mirror * 3;
        const froth = 0.62 * (lit.light.sun[c]! * lightHere + lit.light.above[c]! + lit.light.fill.color[c]! * 0.5);
        out[c] = water + (froth - water) * white;
      }
    },
    over(lit, p) {
      const deep = Math.min(2, -p.y / Math.max(0.15, -p.dy));
      const keep = [Math.exp(-deep * 0.95), Math.exp(-deep * 0.32), Math.exp(-deep * 0.24)] as const;
      const [nx, nz] = wave(p.x, p.z, choppy, foam);
      const facing = Math.max(0.02, -(p.dx * nx + p.dy + p.dz * nz));
      const mirror = 0.06 + 0.94 * (1 - facing) ** 4;
      for (let c = 0; c < 3; c++) {
        const blue = [0.05, 0.42, 0.5][c]! * (lit.light.sun[c]! * 0.3 * lit.light.toSun[1] + lit.light.above[c]! * 0.6);
        p.out[c] = p.out[c]! * keep[c]! + blue * (1 - keep[c]!);
      }
      return 1 - mirror;
    },
  };
}

/** Tilt of the surface. */
function wave(
  x: number,
  z: number,
  steep: number,
  foam: readonly (readonly [number, number, number])[],
): readonly [number, number] {
  let near = 0;
  for (const [fx, fz, r] of foam) near += Math.exp(-((x - fx) ** 2 + (z - fz) ** 2) / (r * r * 5));
  const s = steep * (0.055 + 0.1 * Math.min(1, near));
  const nx =
    noise2(x * 1.9, z * 1.5) +
    0.7 * noise2(x * 5.3 + 9, z * 4.6) +
    0.5 * noise2(x * 13, z * 11 + 5) +
    0.3 * noise2(x * 31, z * 27);
  const nz =
    noise2(x * 1.6 + 40, z * 2.1) +
    0.7 * noise2(x * 4.9 + 49, z * 5.1) +
    0.5 * noise2(x * 12 + 30, z * 12.5) +
    0.3 * noise2(x * 29 + 8, z * 30);
  return [nx * s, nz * s];
}

/** Tiles, the black line of the lane and the net of light that waves throw on them. */
function floorSeen(lit: Lit, x: number, z: number, dx: number, dy: number, dz: number): Rgb {
  const steep = Math.sqrt(Math.max(0.2, 1 - (1 - dy * dy) / 1.77));
  const path = pool.depth / steep;
  const fx = x + (dx / 1.33) * path;
  const fz = z + (dz / 1.33) * path;
  const wallX = Math.abs(fx) > half;
  const wallZ = fz < 0 || fz > pool.length;
  const along = ((((fx + half) % pool.laneWidth) + pool.laneWidth) % pool.laneWidth) - pool.laneWidth / 2;
  const line = !wallX && !wallZ && Math.abs(along) < 0.125 && fz > 2 && fz < pool.length - 2 ? 1 : 0;
  const tile =
    Math.abs(((((fx / 0.3) % 1) + 1) % 1) - 0.5) > 0.475 || Math.abs(((((fz / 0.3) % 1) + 1) % 1) - 0.5) > 0.475
      ? 0.88
      : 1;
  const caustic =
    (1 - Math.abs(noise2(fx * 2.3 + noise2(fz * 1.9, 3) * 1.2, fz * 2.3))) ** 5 +
    (1 - Math.abs(noise2(fx * 3.7 + 30, fz * 3.4 + noise2(fx * 2, 9)))) ** 6 * 0.7;
  const base: Rgb = line ? [0.02, 0.03, 0.06] : [0.34 * tile, 0.62 * tile, 0.68 * tile];
  const { sun, above, toSun, fill } = lit.light;
  const fade = [Math.exp(-path * 0.62), Math.exp(-path * 0.13), Math.exp(-path * 0.085)] as const;
  const cast = (c: number): number =>
    base[c]! * (sun[c]! * toSun[1] * (0.28 + 0.6 * caustic) + above[c]! * 0.75 + fill.color[c]! * 0.5) * fade[c]! +
    [0.004, 0.03, 0.04][c]! * (above[c]! + sun[c]! * 0.3);
  return [cast(0), cast(1), cast(2)];
}

function foamAt(x: number, z: number, foam: readonly (readonly [number, number, number])[]): number {
  let most = 0;
  for (const [fx, fz, r] of foam) {
    const d = Math.hypot(x - fx, z - fz) / r;
    if (d > 1.3) continue;
    const rough = fbm2(x * 7, z * 7, 5) * 0.75 + noise2(x * 40, z * 40) * 0.25;
    most = Math.max(most, smoothstep(0.15, 0.75, 1.05 - d + rough * 0.8));
  }
  return most * 0.92;
}

/** Floating ropes of discs between the lanes. */
export function laneRopes(
  from = 0.3,
  to: number = pool.length - 0.3,
  lanes: readonly number[] = [1, 2, 3, 4, 5, 6, 7],
): Thing[] {
  return lanes.map((lane): Thing => {
    const x = -half + lane * pool.laneWidth;
    const parts: Part[] = [];
    for (let z = from; z < to; z += 0.095) {
      const end = z < 4.5 || z > pool.length - 4.5;
      const color: Rgb = end ? hues.coral : Math.floor(z / 1.5) % 2 ? hues.white : hues.aqua;
      parts.push(
        egg(
          0,
          { kind: 'smooth', color },
          [x + 0.012 * noise2(z * 0.8, lane), 0.012 + 0.018 * noise2(z * 1.1, lane * 3.3), z],
          upright,
          [0.06, 0.06, 0.047],
          0.004,
        ),
      );
    }
    return { body: bodyOf(parts), noShadow: true };
  });
}

/** A starting block behind the wall of its lane, with the number of the lane. */
export function startBlocks(lanes: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]): Thing[] {
  return lanes.map((lane): Thing => {
    const x = laneX(lane);
    const plate = { kind: 'smooth', color: [0.55, 0.56, 0.56] as Rgb } as const;
    const sign = {
      kind: 'sign',
      color: hues.aqua,
      trim: [0.75, 0.76, 0.75] as Rgb,
      text: String(lane),
      frame: {
        at: [x - 0.05, 0.36, -0.6] as Vec3,
        turn: [
          [-1, 0, 0],
          [0, 1, 0],
          [0, 0, -1],
        ] as [Vec3, Vec3, Vec3],
      },
      unit: 0.24,
    } as const;
    return {
      body: bodyOf([
        box(0, plate, [x, 0.68, -0.32], turnX(7), [0.27, 0.03, 0.34], 0.015),
        box(1, sign, [x, 0.34, -0.44], upright, [0.2, 0.32, 0.13], 0.02),
        box(2, { kind: 'cloth', color: [0.05, 0.06, 0.07] }, [x, 0.713, -0.32], turnX(7), [0.25, 0.006, 0.32], 0.003),
      ]),
    };
  });
}

/** Flags on a line across the pool, five metres from the wall, for those who swim on their back. */
export function backstrokeFlags(z: number, height = 1.9): { panels: Panel[]; things: Thing[] } {
  const panels: Panel[] = [];
  const colours = [hues.aqua, hues.coral, hues.white];
  let i = 0;
  for (let x = -half - 0.5; x < half + 0.5; x += 0.34) {
    const sag = -0.22 * (1 - (x / (half + 0.5)) ** 2);
    panels.push({
      corner: [x, height + sag, z],
      across: [0.24, 0, 0.02],
      down: [0, -0.34, 0.03 * noise2(x * 3, 2)],
      pattern: pennant(colours[i++ % 3]!, 0.24, 0.34),
      waves: 0.4,
      sheer: 0.8,
    });
  }
  const posts = [-half - 0.6, half + 0.6].map((x) =>
    limb(0, { kind: 'metal', color: [0.5, 0.5, 0.5] }, [x, 0, z], [x, height + 0.05, z], 0.025, 0.025),
  );
  return { panels, things: [{ body: bodyOf(posts) }] };
}

/** The stone edge around the water. */
export function coping(): Thing[] {
  const stone = { kind: 'smooth', color: [0.55, 0.54, 0.5] as Rgb } as const;
  const edge = (centre: Vec3, size: Vec3): Thing => ({
    body: bodyOf([box(0, stone, centre, upright, size, 0.02)]),
    noShadow: true,
  });
  return [
    edge([0, 0.05, -0.2], [half + 0.4, 0.07, 0.2]),
    edge([0, 0.05, pool.length + 0.2], [half + 0.4, 0.07, 0.2]),
    edge([-half - 0.2, 0.05, pool.length / 2], [0.2, 0.07, pool.length / 2]),
    edge([half + 0.2, 0.05, pool.length / 2], [0.2, 0.07, pool.length / 2]),
  ];
}
