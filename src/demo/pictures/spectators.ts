/** People who came to watch: on the planks of the stand, and along the line. */
import { chanceOf } from './chance.ts';
import { hues, person, streetClothes } from './people.ts';
import type { PoseName } from './poses.ts';
import type { Thing } from './render.ts';
import { add, apply, turnY } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';

type CrowdOptions = {
  readonly fill: number;
  readonly cheer: number;
  readonly seed: number;
  readonly team?: 'hawks' | 'tides';
  readonly facing: number;
  readonly rows: number;
  readonly wide: number;
  readonly at: Vec3;
  readonly from?: number;
};

/** People on the planks of `bleachers` with the same place and size. */
export function crowd(o: CrowdOptions): Thing[] {
  const chance = chanceOf(o.seed);
  const turn = turnY(o.facing);
  const things: Thing[] = [];
  for (let row = o.from ?? 0; row < o.rows; row++) {
    for (let x = -o.wide / 2 + 0.35; x < o.wide / 2 - 0.2; x += 0.56) {
      if (!chance.happens(o.fill)) continue;
      const rise = row * 0.3;
      const stands = chance.happens(o.cheer);
      const pose = stands
        ? chance.pick<PoseName>(['cheer', 'cheer', 'clapHigh', 'cheerOne', 'clap'])
        : chance.pick<PoseName>(['sit', 'sitForward', 'sit', 'sitForward']);
      const at = add(o.at, apply(turn, [x + chance.between(-0.1, 0.1), 0, -0.16 - row * 0.72 + (stands ? 0.32 : 0)]));
      const child = chance.happens(0.3);
      const height = child ? chance.between(1.2, 1.45) : chance.between(1.6, 1.84);
      const base = row === 0 ? 0 : 0.08 + rise;
      things.push(
        person({
          pose,
          facing: o.facing + chance.normal() * 12,
          seed: chance.whole(1, 99999),
          height,
          outfit: streetClothes(chance, o.team ?? 'none'),
          loose: 7,
          at: stands ? [at[0], base, at[2]] : at,
          ...(!stands && { change: { hips: 0.53 + rise + height * 0.03 } }),
          looks: chance.happens(0.3)
            ? {
                wears: 'cap',
                wearColor: chance.pick<Rgb>([hues.teal, hues.navy, hues.white, hues.gold, hues.grey]),
              }
            : {},
        }),
      );
    }
  }
  return things;
}

/** People who stand or sit along a line, looking at the field. */
export function onlookers(
  seed: number,
  from: readonly [number, number],
  to: readonly [number, number],
  count: number,
  facing: number,
  team: 'hawks' | 'tides' | 'none' = 'hawks',
): Thing[] {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, (_, i) => {
    const k = (i + chance.between(0.1, 0.9)) / count;
    return person({
      pose: chance.pick<PoseName>([
        'atEase',
        'armsCrossed',
        'hipsHands',
        'clap',
        'handsBack',
        'cheerOne',
        'phone',
        'atEase',
      ]),
      at: [from[0] + (to[0] - from[0]) * k, 0, from[1] + (to[1] - from[1]) * k + chance.normal() * 0.5],
      facing: facing + chance.normal() * 22,
      height: chance.happens(0.3) ? chance.between(1.15, 1.5) : chance.between(1.6, 1.86),
      outfit: streetClothes(chance, team),
      seed: chance.whole(1, 99999),
      loose: 8,
      mirror: chance.happens(0.5),
    });
  });
}
