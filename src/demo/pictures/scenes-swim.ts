/** Dual Meet: a summer morning at the outdoor pool, from the empty lanes to the last relay under lamps. */
import { paved } from './field.ts';
import { splash } from './particles.ts';
import { chanceOf } from './chance.ts';
import { hues, person, streetClothes } from './people.ts';
import type { Person } from './people.ts';
import { backstrokeFlags, coping, laneRopes, laneX, pool, poolWater, startBlocks } from './pool.ts';
import { banner, standing } from './panel.ts';
import type { Scene, Thing } from './render.ts';
import { sceneOf } from './shot.ts';
import type { Shot } from './shot.ts';
import { crowd, onlookers } from './spectators.ts';
import { bleachers, fence, land } from './stage.ts';
import type { Rgb, Vec3 } from './vector.ts';

const tides = { shirt: hues.navy, sleeves: 'none', legs: 'suit', bottom: hues.navy } as const;
const guests = {
  shirt: [0.07, 0.01, 0.02] as Rgb,
  sleeves: 'none',
  legs: 'suit',
  bottom: [0.07, 0.01, 0.02] as Rgb,
} as const;

type Extra = Partial<Omit<Person, 'pose' | 'at' | 'facing' | 'outfit'>>;
const swimmer = (
  lane: number,
  pose: Person['pose'],
  z: number,
  facing: number,
  extra: Extra = {},
  y = 0,
  aside = 0,
): Thing =>
  person({
    pose,
    at: [laneX(lane) + aside, y, z],
    facing,
    outfit: lane % 2 ? tides : { ...tides, legs: 'trunks' },
    seed: 6000 + lane * 11,
    loose: 3,
    ...extra,
    looks: { wears: 'swimCap', wearColor: lane % 3 === 0 ? hues.coral : hues.aqua, ...extra.looks },
  });
const visitor = (lane: number, pose: Person['pose'], z: number, facing: number, extra: Extra = {}, y = 0): Thing =>
  person({
    pose,
    at: [laneX(lane), y, z],
    facing,
    outfit: guests,
    seed: 6500 + lane * 11,
    loose: 3,
    ...extra,
    looks: { wears: 'swimCap', wearColor: hues.white },
  });

const deck = paved([0.17, 0.158, 0.138], 0.9);

/** The pool with its edge, ropes and blocks; what happens in it is the shot's. */
function poolShot(
  shot: Omit<Shot, 'ground' | 'water'> & {
    foam?: readonly (readonly [number, number, number])[];
    choppy?: number;
    ropes?: readonly number[];
  },
): Scene {
  const { foam, choppy, ropes, ...rest } = shot;
  return sceneOf({
    backdrop: land({ seed: shot.seed, near: 40, height: [9, 15] }),
    ...rest,
    ground: deck,
    water: poolWater(foam ?? [], choppy),
    cast: [...coping(), ...laneRopes(0.3, pool.length - 0.3, ropes), ...startBlocks(), ...(shot.cast ?? [])],
  });
}

const diver = (lane: number, z: number, y: number, guest = false): Thing =>
  (guest ? visitor : swimmer)(lane, 'swimDive', z, 0, { change: { hips: y } });
const farSide = (seed: number): Thing[] => [
  ...bleachers([0, 0, 29], 180, 4, 18),
  ...crowd({
    at: [0, 0, 29],
    facing: 180,
    rows: 4,
    wide: 17,
    fill: 0.6,
    cheer: 0.25,
    seed,
    team: 'tides',
  }),
];
const edgeFence = fence([-16, 0, 33], [16, 0, 33], 1.8);
const foamAlong = (lane: number, z: number, r = 0.55): (readonly [number, number, number])[] => [
  [laneX(lane), z, r],
  [laneX(lane) + 0.05, z - 0.7, r * 0.9],
  [laneX(lane) - 0.05, z - 1.35, r * 0.75],
];
const wake = (lane: number, z: number, seed: number, camera: Vec3, count = 500): ReturnType<typeof splash>[] => [
  splash({
    at: [laneX(lane), 0, z - 1.1],
    seed,
    count,
    wide: 0.42,
    tall: 0.42,
    distance: Math.hypot(camera[0] - laneX(lane), camera[2] - z) - 0.2,
  }),
  splash({
    at: [laneX(lane) + 0.2, 0, z + 1.4],
    seed: seed + 1,
    count: count / 2,
    wide: 0.28,
    tall: 0.3,
    distance: Math.hypot(camera[0] - laneX(lane), camera[2] - z) - 0.3,
  }),
];

export const swimScenes: Readonly<Record<string, () => Scene>> = {
  '01-eight-empty-lanes': () =>
    poolShot({
      seed: 501,
      shape: 'large',
      hour: 'morning',
      sun: 28,
      choppy: 0.35,
      camera: { from: [0.6, 2.3, -5.2], at: [0, 0.2, 9], focal: 26, aperture: 8 },
      sets: [backstrokeFlags(5), edgeFence],
    }),
  '02-take-your-marks': () =>
    poolShot({
      seed: 502,
      shape: 'wide',
      hour: 'noon',
      sun: 120,
      choppy: 0.5,
      camera: { from: [-9.6, 1.5, 2.4], at: [-1.5, 0.95, -0.25], focal: 70, aperture: 4 },
      cast: [1, 2, 3, 4, 5, 6].map((lane) =>
        (lane % 2 ? swimmer : visitor)(lane, 'onBlock', -0.28, 0, { loose: 1.6 }, 0.715),
      ),
      sets: [fence([12, 0, -8], [12, 0, 20], 1.8)],
    }),
  '03-off-the-blocks': () =>
    poolShot({
      seed: 503,
      hour: 'noon',
      sun: 235,
      choppy: 0.6,
      camera: { from: [-11.5, 0.8, 2.6], at: [-3.4, 0.82, 1.2], focal: 70, aperture: 3.5 },
      cast: [
        diver(2, 1.7, 0.92),
        diver(3, 1.5, 1.02, true),
        diver(4, 1.85, 0.86),
        diver(5, 1.4, 1.05, true),
        diver(6, 1.75, 0.9),
      ],
      sets: [fence([14, 0, -8], [14, 0, 20], 1.8)],
    }),
  '04-into-the-water': () =>
    poolShot({
      seed: 504,
      shape: 'portrait',
      hour: 'afternoon',
      sun: 140,
      camera: { from: [-3.4, 0.7, 11.5], at: [laneX(4), 0.5, 3.4], focal: 105, aperture: 2.8 },
      foam: [[laneX(4), 4.3, 0.8]],
      cast: [swimmer(4, 'swimDive', 3.5, 0, { change: { hips: 0.38, lean: 118 } })],
      particles: [
        splash({
          at: [laneX(4), 0, 4.4],
          seed: 504,
          count: 1500,
          wide: 0.5,
          tall: 0.8,
          lean: [0, 0, 0.35],
          distance: 7.3,
        }),
      ],
    }),
  '05-butterfly': () =>
    poolShot({
      seed: 505,
      hour: 'morning',
      sun: 320,
      camera: { from: [-0.6, 0.75, 19.5], at: [laneX(4), 0.16, 11], focal: 190, aperture: 3.5 },
      foam: [...foamAlong(4, 11, 0.75), [laneX(4) - 0.8, 11.1, 0.4], [laneX(4) + 0.8, 11.1, 0.4]],
      cast: [swimmer(4, 'butterfly', 11, 0)],
      particles: [
        splash({
          at: [laneX(4) - 0.75, 0, 11.15],
          seed: 505,
          count: 700,
          wide: 0.35,
          tall: 0.5,
          distance: 8.1,
        }),
        splash({
          at: [laneX(4) + 0.75, 0, 11.15],
          seed: 506,
          count: 700,
          wide: 0.35,
          tall: 0.5,
          distance: 8.1,
        }),
        splash({
          at: [laneX(4), 0, 11.5],
          seed: 507,
          count: 400,
          wide: 0.3,
          tall: 0.22,
          distance: 7.9,
        }),
      ],
    }),
  '06-under-the-flags': () =>
    poolShot({
      seed: 506,
      shape: 'wide',
      hour: 'noon',
      sun: 160,
      camera: { from: [-6.9, 1.5, -1.6], at: [-1.9, 0.55, 6.4], focal: 55, aperture: 4, focus: 9 },
      foam: [...foamAlong(3, 6.2), ...foamAlong(5, 8.2)],
      cast: [swimmer(3, 'backstroke', 6.4, 180), visitor(5, 'backReach', 8.4, 180, { mirror: true }), ...farSide(506)],
      sets: [backstrokeFlags(5), edgeFence],
      particles: [...wake(3, 5.9, 61, [-6.6, 1.1, -2.6], 300)],
    }),
  '07-freestyle-lane-four': () =>
    poolShot({
      seed: 507,
      hour: 'noon',
      sun: 205,
      camera: {
        from: [-5.6, 1.0, 15.4],
        at: [laneX(4) - 0.1, 0.12, 11.2],
        focal: 105,
        aperture: 3.5,
      },
      foam: [...foamAlong(4, 11.2), ...foamAlong(5, 12.6), ...foamAlong(6, 10.4)],
      cast: [
        swimmer(4, 'freestyle', 11.2, 0, { mirror: true }),
        visitor(5, 'freestyle', 12.6, 0),
        swimmer(6, 'freestyle', 10.4, 0),
      ],
      particles: [...wake(4, 11.2, 71, [-5.6, 1, 15.4]), ...wake(5, 12.6, 75, [-5.6, 1, 15.4], 300)],
    }),
  '08-relay': () =>
    poolShot({
      seed: 508,
      shape: 'portrait',
      hour: 'afternoon',
      sun: 250,
      camera: { from: [-5.2, 1.1, 4.6], at: [laneX(4) - 0.1, 0.86, 0.6], focal: 58, aperture: 3.2 },
      foam: foamAlong(4, 1.7),
      cast: [
        swimmer(4, 'leap', 0.55, 0, { change: { hips: 1.32 }, looks: { wearColor: hues.coral } }),
        swimmer(4, 'freestyle', 2.2, 180, { seed: 6220 }),
        swimmer(4, 'clap', -1.7, 10, { seed: 6230 }, 0, 0.5),
        swimmer(4, 'cheer', -2.2, 4, { seed: 6241 }, 0, -0.5),
        visitor(5, 'onBlock', -0.28, 0, {}, 0.715),
      ],
      particles: wake(4, 2.4, 81, [-5.2, 1.1, 4.6], 400),
    }),
  '09-touching-the-wall': () =>
    poolShot({
      seed: 509,
      hour: 'golden',
      sun: 138,
      camera: {
        from: [laneX(5) - 1.6, 0.5, 7.4],
        at: [laneX(5) - 0.42, 0.42, 0.9],
        focal: 95,
        aperture: 4,
      },
      foam: [
        [laneX(5), 1.2, 0.7],
        [laneX(4), 1.5, 0.6],
      ],
      cast: [
        swimmer(5, 'armUpInWater', 0.9, 340, { change: { hips: -0.36 } }),
        swimmer(4, 'armUpInWater', 1.0, 60, {
          seed: 6331,
          change: { hips: -0.46, armR: [70, 30, 20, 50, 0] },
        }),
        ...onlookers(509, [-7, -3.4], [8, -3.8], 12, 0, 'tides'),
      ],
      backdrop: land({ seed: 509, near: 16, height: [9, 14] }),
      particles: [
        splash({
          at: [laneX(5) - 0.25, 0, 0.7],
          seed: 91,
          count: 260,
          wide: 0.5,
          tall: 0.5,
          distance: 6.2,
        }),
      ],
    }),
  '10-the-team-on-deck': () =>
    poolShot({
      seed: 510,
      shape: 'wide',
      hour: 'golden',
      sun: 215,
      camera: { from: [-0.8, 1.45, -11.6], at: [0.1, 1.0, -3], focal: 62, aperture: 3.2 },
      cast: [
        ...['cheer', 'clapHigh', 'embrace', 'joy', 'atEase', 'clap', 'cheerOne', 'embrace', 'cheer'].map((pose, i) =>
          swimmer(
            1 + ((i * 3) % 8),
            pose as 'cheer',
            -2.6 - (i % 3) * 0.35,
            178 + (4 - i) * 5,
            { seed: 6700 + i * 9 },
            0,
            (i - 4) * 0.72 - laneX(1 + ((i * 3) % 8)),
          ),
        ),
        person({
          pose: 'clap',
          at: [-5.4, 0, -2.4],
          facing: 130,
          outfit: { ...streetClothes(chanceOf(4), 'tides'), shirt: hues.aqua },
          seed: 6801,
          height: 1.74,
        }),
        ...onlookers(510, [-9, 27.5], [9, 27.8], 16, 180, 'tides'),
      ],
      panels: [
        standing([0.2, 0.9, 28.2], 180, 6.5, 0.9, banner(hues.aqua, hues.white, 'TIDES SWIM TEAM', 6.5, 0.9), 0.05, 0),
      ],
      sets: [edgeFence],
    }),
};
