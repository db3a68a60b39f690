/** Fan photos: the stand, banners, the car park breakfast, children with flags. */
import { banner, pennant, plain, standing } from './panel.ts';
import type { Panel } from './panel.ts';
import { hues, dress, person, streetClothes } from './people.ts';
import { chanceOf } from './chance.ts';
import { paved, park, soccerField } from './field.ts';
import type { PoseName } from './poses.ts';
import type { Scene, Thing } from './render.ts';
import { hawk, rival, sceneOf } from './shot.ts';
import { bodyOf, box, limb } from './solid.ts';
import type { Part } from './solid.ts';
import type { Set } from './stage.ts';
import { crowd, onlookers } from './spectators.ts';
import { bleachers, block, fence, land, tent } from './stage.ts';
import { leafColours } from './trees.ts';
import { falling } from './particles.ts';
import { add, apply, turnY } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';

/** A child who holds a flag on a stick in the right hand. */
function flagBearer(
  seed: number,
  pose: PoseName,
  at: Vec3,
  facing: number,
  colours: readonly [Rgb, Rgb],
  height = 1.25,
): Set {
  const { bones, parts } = dress({
    pose,
    at,
    facing,
    seed,
    height,
    outfit: streetClothes(chanceOf(seed), 'hawks'),
    loose: 5,
  });
  const hand = bones.right.palm;
  const up = apply(turnY(facing), [-0.16, 1, 0.12]);
  const top = add(hand, [up[0] * 0.75, up[1] * 0.75, up[2] * 0.75]);
  const stick = limb(
    60,
    { kind: 'wood', color: [0.3, 0.2, 0.1] },
    add(hand, [-up[0] * 0.15, -up[1] * 0.15, -up[2] * 0.15]),
    top,
    0.008,
    0.008,
  );
  const out = apply(turnY(facing + 200), [0.55, 0.02, 0.2]);
  return {
    things: [{ body: bodyOf([...parts, stick]) }],
    panels: [
      {
        corner: top,
        across: out,
        down: [0.02, -0.36, 0],
        pattern: plain(colours[0], colours[1]),
        waves: 0.7,
        sheer: 0.6,
      },
    ],
  };
}

/** A car as somebody at a picnic sees it: blurred, but with wheels, glass and a roof. */
function car(x: number, z: number, facing: number, color: Rgb): Thing {
  const turn = turnY(facing);
  const at = (v: Vec3): Vec3 => add([x, 0, z], apply(turn, v));
  const paint = { kind: 'metal', color } as const;
  const glass = { kind: 'metal', color: [0.03, 0.04, 0.05] as Rgb } as const;
  const tyre = { kind: 'cloth', color: [0.015, 0.015, 0.016] as Rgb } as const;
  const parts: Part[] = [
    box(0, paint, at([0, 0.72, 0]), turn, [0.9, 0.36, 2.15], 0.18),
    box(1, glass, at([0, 1.28, -0.15]), turn, [0.76, 0.33, 1.25], 0.2),
    box(2, paint, at([0, 1.6, -0.2]), turn, [0.68, 0.06, 1.0], 0.05),
    ...[-1, 1].flatMap((s) =>
      [-1.35, 1.35].map((w) =>
        limb(3, tyre, at([s * 0.7, 0.33, w]), at([s * 0.92, 0.33, w]), 0.33, 0.33, { cut: true }),
      ),
    ),
    ...[-0.6, 0.6].map((s) =>
      box(4, { kind: 'card', color: [0.5, 0.04, 0.03] }, at([s, 0.85, -2.12]), turn, [0.16, 0.07, 0.05], 0.02),
    ),
  ];
  return { body: bodyOf(parts) };
}

/** A folding table with boxes, bottles and a cooler beside it. */
function picnic(x: number, z: number, facing: number): Thing[] {
  const turn = turnY(facing);
  const at = (v: Vec3): Vec3 => add([x, 0, z], apply(turn, v));
  const cloth = { kind: 'cloth', color: hues.gold } as const;
  const parts: Part[] = [
    box(0, cloth, at([0, 0.72, 0]), turn, [0.95, 0.02, 0.4], 0.012),
    box(0, cloth, at([0, 0.58, -0.4]), turn, [0.95, 0.15, 0.008], 0.004),
    ...[-0.85, 0.85].flatMap((a) =>
      [-0.32, 0.32].map((b) =>
        limb(1, { kind: 'metal', color: [0.3, 0.3, 0.3] }, at([a, 0, b]), at([a, 0.72, b]), 0.014, 0.014),
      ),
    ),
    box(2, { kind: 'card', color: hues.white }, at([-0.55, 0.8, 0]), turn, [0.2, 0.06, 0.16], 0.01),
    box(2, { kind: 'card', color: hues.red }, at([-0.1, 0.79, 0.08]), turn, [0.14, 0.05, 0.14], 0.01),
    ...[0.2, 0.29, 0.38, 0.5, 0.62].map((a, i) =>
      limb(
        3,
        { kind: 'smooth', color: i % 2 ? hues.orange : hues.sky },
        at([a, 0.74, -0.1 + 0.05 * i]),
        at([a, 0.93, -0.1 + 0.05 * i]),
        0.032,
        0.026,
        { cut: true },
      ),
    ),
    box(4, { kind: 'smooth', color: hues.red }, at([1.35, 0.2, -0.1]), turn, [0.3, 0.2, 0.2], 0.03),
    box(4, { kind: 'smooth', color: hues.white }, at([1.35, 0.42, -0.1]), turn, [0.31, 0.03, 0.21], 0.02),
  ];
  return [{ body: bodyOf(parts) }];
}

const bunting = (from: Vec3, to: Vec3, colours: readonly Rgb[]): Panel[] =>
  Array.from({ length: 16 }, (_, i): Panel => {
    const k = i / 16;
    const sag = -0.5 * 4 * k * (1 - k);
    return {
      corner: [from[0] + (to[0] - from[0]) * k, from[1] + (to[1] - from[1]) * k + sag, from[2] + (to[2] - from[2]) * k],
      across: [(to[0] - from[0]) / 20, 0, (to[2] - from[2]) / 20],
      down: [0, -0.32, 0],
      pattern: pennant(colours[i % colours.length]!, Math.hypot(to[0] - from[0], to[2] - from[2]) / 20, 0.32),
      waves: 0.4,
      sheer: 0.6,
    };
  });

/** Beside the field, where no lines run. */
const beside = soccerField({ lines: false, worn: 0 });

export const fanScenes: Readonly<Record<string, () => Scene>> = {
  '01-the-whole-stand': () =>
    sceneOf({
      seed: 201,
      shape: 'large',
      hour: 'afternoon',
      sun: 205,
      ground: beside,
      camera: { from: [-1.5, 1.5, -13.5], at: [0, 1.65, 1], focal: 44, aperture: 5.6 },
      cast: [
        ...bleachers([0, 0, 0], 180, 6, 11),
        ...crowd({
          at: [0, 0, 0],
          facing: 180,
          rows: 6,
          wide: 11,
          fill: 0.82,
          cheer: 0.42,
          seed: 21,
          team: 'hawks',
        }),
      ],
      panels: [
        standing([0.4, 0.02, -0.6], 180, 5.2, 0.85, banner(hues.teal, hues.gold, 'GO HAWKS!', 5.2, 0.85), 0.12, 0.1),
      ],
      backdrop: land({ seed: 201, height: [11, 17] }),
    }),
  '02-behind-the-crowd': () =>
    sceneOf({
      seed: 202,
      hour: 'golden',
      sun: 14,
      camera: { from: [0.6, 3.5, -7.2], at: [0.2, 1.35, 4], focal: 48, aperture: 2.8, focus: 5.4 },
      cast: [
        ...bleachers([0, 0, 0], 0, 6, 9),
        ...crowd({
          at: [0, 0, 0],
          facing: 0,
          rows: 5,
          wide: 8,
          fill: 0.7,
          cheer: 0.3,
          seed: 22,
          team: 'hawks',
        }),
        hawk('10', 'dribble', [1, 20], 120),
        rival('4', 'jockey', [2.2, 19.6], 260),
        hawk('7', 'run', [-4, 26], 110),
      ],
      backdrop: land({ seed: 202, near: 62 }),
    }),
  '03-flags-at-the-fence': () =>
    sceneOf({
      seed: 203,
      hour: 'afternoon',
      sun: 120,
      ground: beside,
      camera: { from: [-2.4, 1.0, -6.4], at: [0.1, 0.98, 0], focal: 52, aperture: 2.5 },
      sets: [
        flagBearer(31, 'cheerOne', [-1.1, 0, 0], 12, [hues.teal, hues.gold], 1.2),
        flagBearer(38, 'cheerOne', [0.1, 0, 0.1], -6, [hues.gold, hues.teal], 1.32),
        flagBearer(45, 'wave', [1.1, 0, 0], 4, [hues.teal, hues.navy], 1.14),
        fence([-8, 0, 0.7], [8, 0, 0.7], 1.05),
      ],
      cast: [
        person({
          pose: 'atEase',
          at: [2.1, 0, 0.05],
          facing: 6,
          outfit: streetClothes(chanceOf(5), 'hawks'),
          seed: 77,
          height: 1.2,
        }),
        hawk('8', 'run', [-2, 19], 90),
        rival('6', 'jog', [1, 21], 100),
      ],
    }),
  '04-breakfast-from-the-tailgate': () =>
    sceneOf({
      seed: 204,
      hour: 'morning',
      sun: 60,
      camera: { from: [-3.6, 1.5, -6.8], at: [0.4, 0.98, 0.4], focal: 45, aperture: 2.8 },
      ground: park({ leaves: 0 }),
      cast: [
        ...picnic(0.2, 0.4, 12),
        car(-2.6, 5.2, 8, [0.08, 0.12, 0.18]),
        car(1.2, 5.6, 4, [0.45, 0.46, 0.46]),
        car(4.8, 5.4, -3, [0.3, 0.04, 0.04]),
        person({
          pose: 'clipboard',
          at: [-0.6, 0, 1.3],
          facing: 172,
          outfit: streetClothes(chanceOf(8), 'hawks'),
          seed: 81,
          height: 1.72,
        }),
        person({
          pose: 'atEase',
          at: [0.9, 0, 1.4],
          facing: 200,
          outfit: streetClothes(chanceOf(9), 'none'),
          seed: 85,
          height: 1.8,
        }),
        person({
          pose: 'holdFront',
          at: [-1.3, 0, -0.3],
          facing: 70,
          outfit: streetClothes(chanceOf(12), 'hawks'),
          seed: 88,
          height: 1.3,
        }),
        person({
          pose: 'walk',
          at: [2.6, 0, 2.4],
          facing: 230,
          outfit: streetClothes(chanceOf(17), 'none'),
          seed: 91,
          height: 1.66,
        }),
      ],
      sets: [tent(0.3, 0.9, hues.teal, 12)],
      backdrop: land({ seed: 204, near: 26, leaves: leafColours.spring }),
    }),
  '05-on-the-shoulders': () =>
    sceneOf({
      seed: 205,
      shape: 'portrait',
      hour: 'golden',
      sun: 325,
      ground: beside,
      camera: { from: [-0.8, 1.5, -8.4], at: [0.05, 1.35, 0], focal: 85, aperture: 2 },
      cast: [
        person({
          pose: 'atEase',
          change: { armL: [62, 24, 60, 128, 0], armR: [62, 24, 60, 128, 0] },
          at: [0, 0, 0],
          facing: 4,
          outfit: {
            shirt: hues.denim,
            sleeves: 'long',
            legs: 'trousers',
            bottom: hues.khaki,
            shoes: hues.rust,
            shoeTrim: hues.white,
          },
          seed: 501,
          height: 1.84,
          heft: 0.3,
          looks: { hair: 'short' },
        }),
        person({
          pose: 'cheer',
          at: [0, 1.44, 0.02],
          facing: 4,
          outfit: {
            shirt: hues.teal,
            shirtTrim: hues.gold,
            number: '10',
            sleeves: 'short',
            legs: 'shorts',
            bottom: hues.navy,
            socks: hues.white,
            shoes: hues.white,
          },
          seed: 509,
          height: 1.06,
          looks: { hair: 'mop' },
          change: { hips: 0.17, legL: [78, 12, 0, 78, 0], legR: [78, 12, 0, 78, 0] },
        }),
        ...onlookers(205, [-3.4, 9], [4, 9.5], 7, 0),
      ],
    }),
  '06-scarves-and-drums': () =>
    sceneOf({
      seed: 206,
      shape: 'wide',
      hour: 'flood',
      sun: 205,
      ground: beside,
      camera: {
        from: [-4.5, 1.35, -8.6],
        at: [0.4, 1.2, 0.6],
        focal: 50,
        aperture: 2.8,
        focus: 8.6,
      },
      cast: [
        ...bleachers([0, 0, 0], 180, 4, 12),
        ...crowd({
          at: [0, 0, 0],
          facing: 180,
          rows: 4,
          wide: 11,
          fill: 0.86,
          cheer: 0.78,
          seed: 26,
          team: 'hawks',
        }),
      ],
      particles: [falling(206, [0, 2.2, -1], [5, 1.6, 1.6], 420, [hues.gold, hues.teal, hues.white], 0.011, 8)],
      backdrop: land({ seed: 206, lamps: true, leaves: leafColours.dark }),
    }),
  '07-first-row': () =>
    sceneOf({
      seed: 207,
      hour: 'overcast',
      sun: 160,
      ground: beside,
      camera: {
        from: [-4.6, 2.1, 3.6],
        at: [0.6, 1.0, -1.6],
        focal: 58,
        aperture: 2.2,
        focus: 4.4,
      },
      cast: [
        ...bleachers([0, 0, 0], 180, 3, 9),
        ...crowd({
          at: [0, 0, 0],
          facing: 180,
          rows: 3,
          wide: 9,
          fill: 0.9,
          cheer: 0.14,
          seed: 29,
          team: 'hawks',
        }),
      ],
    }),
  '08-under-the-bunting': () =>
    sceneOf({
      seed: 208,
      hour: 'noon',
      sun: 150,
      camera: { from: [-1, 1.55, -9.5], at: [0.2, 1.3, 0], focal: 40, aperture: 4 },
      ground: paved([0.15, 0.138, 0.12], 0.6),
      cast: [
        ...picnic(2.4, 1.4, -10),
        ...onlookers(208, [-2.6, 0.6], [1.6, 1.6], 6, 180),
        ...onlookers(209, [-4, 5], [5, 6], 9, 150),
        block({ kind: 'smooth', color: hues.cream }, [-5, 1.6, 11], [4.4, 1.6, 2], 0, 0.05),
      ],
      sets: [tent(3, 2.2, hues.gold), tent(-3.6, 4.4, hues.teal)],
      panels: [
        ...bunting([-5.5, 3.3, 1], [5.5, 3.1, 0.4], [hues.teal, hues.gold, hues.white, hues.navy]),
        ...bunting([-6, 3.5, 4], [6, 3.4, 4.4], [hues.gold, hues.white, hues.teal]),
      ],
      backdrop: land({ seed: 208, near: 30 }),
    }),
};
