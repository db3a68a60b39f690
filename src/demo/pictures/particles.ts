/** Small things in the air: splash, confetti, leaves, rain of a sprinkler. */
import { chanceOf } from './chance.ts';
import { project } from './camera.ts';
import { layOver, touch } from './frame.ts';
import type { Particles } from './render.ts';
import type { Rgb, Vec3 } from './vector.ts';
import { clamp } from './vector.ts';

type Drop = {
  readonly at: Vec3;
  readonly radius: number;
  readonly streak: Vec3;
  readonly color: Rgb;
  readonly cover: number;
};

/** Paints drops as short lit strokes; `distance` decides what they are in front of. */
function drops(distance: number, all: readonly Drop[], shine: number): Particles {
  return {
    distance,
    paint(layer, camera, lit) {
      const { light } = lit;
      for (const drop of all) {
        const a = project(camera, drop.at);
        if (a[2] < 0.4) continue;
        const b = project(camera, [
          drop.at[0] + drop.streak[0],
          drop.at[1] + drop.streak[1],
          drop.at[2] + drop.streak[2],
        ]);
        const r = Math.max(0.45, (drop.radius / a[2]) * camera.scale);
        const thin = Math.min(1, ((drop.radius / a[2]) * camera.scale) / 0.45);
        const left = Math.floor(Math.min(a[0], b[0]) - r - 1);
        const right = Math.ceil(Math.max(a[0], b[0]) + r + 1);
        const top = Math.floor(Math.min(a[1], b[1]) - r - 1);
        const bottom = Math.ceil(Math.max(a[1], b[1]) + r + 1);
        if (right < 0 || bottom < 0 || left >= layer.width || top >= layer.height || right - left > 400) continue;
        touch(layer, left, top, right + 1, bottom + 1);
        const dx = b[0] - a[0];
        const dy = b[1] - a[1];
        const length = dx * dx + dy * dy;
        for (let py = Math.max(0, top); py <= Math.min(layer.height - 1, bottom); py++) {
          for (let px = Math.max(0, left); px <= Math.min(layer.width - 1, right); px++) {
            const k = length > 0 ? clamp(((px - a[0]) * dx + (py - a[1]) * dy) / length, 0, 1) : 0;
            const d = Math.hypot(px - a[0] - dx * k, py - a[1] - dy * k);
            const cover = clamp((r + 0.5 - d) * 0.8, 0, 1) * drop.cover * thin;
            if (cover <= 0) continue;
            const up = clamp(0.5 - (py - a[1]) / (2 * r + 1), 0, 1);
            const glint = shine * (0.35 + 0.65 * up);
            const value = (c: number): number =>
              drop.color[c]! *
              (light.above[c]! * 0.9 + light.sun[c]! * (0.3 + 0.5 * glint) + light.fill.color[c]! * 0.6);
            layOver(layer, py * layer.width + px, value(0), value(1), value(2), cover, a[2]);
          }
        }
      }
    },
  };
}

export type Splash = {
  readonly at: Vec3;
  readonly seed: number;
  readonly count: number;
  /** Metres that it spreads, and rises. */ readonly wide: number;
  readonly tall: number;
  /** Direction that it leans to. */ readonly lean?: Vec3;
  readonly distance: number;
};

/** Water thrown up: many small drops, some blobs, thin sheets low down. */
export function splash(s: Splash): Particles {
  const chance = chanceOf(s.seed);
  const lean = s.lean ?? [0, 0, 0];
  const all = Array.from({ length: s.count * 2 }, (): Drop => {
    const angle = chance.next() * Math.PI * 2;
    const rise = chance.next() ** 2.2;
    const out = s.wide * Math.sqrt(chance.next()) * (0.35 + 0.65 * rise);
    const radius = chance.happens(0.04) ? chance.between(0.006, 0.012) : chance.between(0.001, 0.0045);
    const up = s.tall * rise;
    const fling = chance.between(0, 0.03);
    return {
      at: [
        s.at[0] + Math.sin(angle) * out + lean[0] * rise,
        s.at[1] + up,
        s.at[2] + Math.cos(angle) * out + lean[2] * rise,
      ],
      radius,
      streak: [Math.sin(angle) * fling + lean[0] * fling, fling * 0.9, Math.cos(angle) * fling + lean[2] * fling],
      color: [0.8, 0.85, 0.88],
      cover: chance.between(0.35, 0.95),
    };
  });
  return drops(s.distance, all, 1);
}

/** Paper or leaves falling in a box of air. */
export function falling(
  seed: number,
  centre: Vec3,
  half: Vec3,
  count: number,
  colours: readonly Rgb[],
  radius: number,
  distance: number,
): Particles {
  const chance = chanceOf(seed);
  const all = Array.from({ length: count }, (): Drop => {
    const turn = chance.next() * Math.PI;
    const long = radius * chance.between(0.5, 2);
    return {
      at: [
        centre[0] + half[0] * chance.between(-1, 1),
        centre[1] + half[1] * chance.between(-1, 1),
        centre[2] + half[2] * chance.between(-1, 1),
      ],
      radius: radius * chance.between(0.35, 1),
      streak: [Math.cos(turn) * long, Math.sin(turn) * long, 0],
      color: chance.pick(colours),
      cover: 0.96,
    };
  });
  return drops(distance, all, 0.6);
}
