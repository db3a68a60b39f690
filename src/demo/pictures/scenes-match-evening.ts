/** The final, second part: half-time, a goal in the low sun, penalties under flood lights, the cup. */
import { falling } from './particles.ts';
import { dress, hues, kits } from './people.ts';
import type { Scene, Thing } from './render.ts';
import { coach, hawk, hawkKeeper, referee, rival, rivalKeeper, sceneOf } from './shot.ts';
import { bodyOf } from './solid.ts';
import { onlookers } from './spectators.ts';
import { ball, ballOnGround, bleachers, cup, goal, land, tent } from './stage.ts';
import { leafColours } from './trees.ts';
import { mix } from './vector.ts';

/** A player with the cup in both hands. */
export function withCup(
  number: string,
  pose: 'liftCup' | 'holdFront',
  x: number,
  z: number,
  facing: number,
  tall = 0.42,
): Thing {
  const { bones, parts } = dress({
    pose,
    facing,
    outfit: kits.hawks,
    number,
    seed: 100 + Number(number) * 7,
    at: [x, 0, z],
  });
  const hands = mix(bones.left.palm, bones.right.palm, 0.5);
  return {
    body: bodyOf([...parts, ...cup([hands[0], hands[1] - tall * (pose === 'liftCup' ? 0.1 : 0.3), hands[2]], tall)]),
  };
}

const night = land({ seed: 31, lamps: true, leaves: leafColours.dark });

export const eveningScenes: Readonly<Record<string, () => Scene>> = {
  '19-the-bench-holds-its-breath': () =>
    sceneOf({
      seed: 19,
      shape: 'wide',
      hour: 'overcast',
      sun: 150,
      camera: {
        from: [-3.5, 1.35, -22],
        at: [0.3, 0.92, -31],
        focal: 70,
        aperture: 2.8,
        tilt: 0.4,
      },
      cast: [
        hawk('2', 'sitForward', [-2.2, -31.2], 0, { change: { hips: 0.5 } }),
        hawk('12', 'sit', [-1.4, -31.2], 6, { change: { hips: 0.5 } }),
        hawk('17', 'sitForward', [-0.6, -31.2], -6, { change: { hips: 0.5 } }),
        hawk('21', 'sit', [0.3, -31.2], 2, { change: { hips: 0.5 } }),
        hawk('5', 'sitForward', [1.2, -31.2], 10, { change: { hips: 0.5 } }),
        coach('0', 'armsCrossed', [2.9, -30.2], -14),
        ...bleachers([0, 0, -30.95], 0, 1, 6),
        ...onlookers(19, [-7, -36], [8, -36.4], 9, 0),
      ],
      sets: [tent(-1, -31.6, hues.teal)],
    }),
  '20-fresh-legs': () =>
    sceneOf({
      seed: 20,
      shape: 'portrait',
      hour: 'overcast',
      sun: 200,
      camera: { from: [-7, 1.3, -35], at: [0.1, 1.0, -28.2], focal: 92, aperture: 2.5 },
      cast: [
        hawk('14', 'highFive', [0.6, -28.4], 262),
        hawk('17', 'highFive', [-0.45, -28.2], 82, { mirror: true }),
        referee('0', 'clipboard', [3, -25], 210),
      ],
    }),
  '21-half-time': () =>
    sceneOf({
      seed: 21,
      hour: 'overcast',
      sun: 190,
      camera: { from: [-1.5, 1.75, -40], at: [0.2, 0.7, -33], focal: 50, aperture: 3.2 },
      cast: [
        coach('0', 'crouch', [0.4, -32], 186),
        hawk('10', 'sitGround', [-1.5, -33.4], 35),
        hawk('7', 'kneel', [-0.9, -34.2], 22),
        hawk('9', 'sitGround', [0.1, -34.6], 0),
        hawk('4', 'kneel', [1.1, -34.2], -24),
        hawk('8', 'sitGround', [1.9, -33.5], -40),
        hawk('23', 'hipsHands', [-2.3, -32.5], 70),
        hawk('15', 'armsCrossed', [2.6, -32.4], -60),
        hawkKeeper('1', 'atEase', [-1.6, -31.5], 120),
      ],
      sets: [tent(4.5, -29.5, hues.white)],
    }),
  '22-number-23': () =>
    sceneOf({
      seed: 22,
      shape: 'portrait',
      hour: 'afternoon',
      sun: 70,
      camera: { from: [-1.2, 1.25, -13], at: [0, 1.08, 0], focal: 135, aperture: 2.2 },
      cast: [
        hawk('23', 'hipsHands', [0, 0.2], 8, { change: { look: 24, nod: 4 } }),
        rival('8', 'jog', [2.4, 16], 200),
        hawk('7', 'walk', [-2.2, 21], 40),
      ],
    }),
  '23-the-long-ball': () =>
    sceneOf({
      seed: 23,
      hour: 'afternoon',
      sun: 250,
      camera: { from: [-24, 0.9, -26], at: [-12.4, 0.9, -6], focal: 190, aperture: 2.8 },
      cast: [
        hawk('8', 'follow', [-12.4, -6], 128, { looks: { flying: 0.5 } }),
        ball([-11.1, 0.9, -6.5], 50, [0.2, 0.09, -0.1]),
        rival('10', 'run', [-9.9, -1], 230),
      ],
    }),
  '24-the-chase': () =>
    sceneOf({
      seed: 24,
      shape: 'wide',
      hour: 'golden',
      sun: 20,
      camera: { from: [3, 1.1, -40], at: [2, 0.95, -6], focal: 200, aperture: 3.2 },
      cast: [
        hawk('9', 'sprint', [0.1, -6.4], 268, { looks: { flying: 0.9 } }),
        rival('3', 'stride', [1.7, -5.6], 266, { looks: { flying: 0.7 } }),
        rival('5', 'sprint', [3.6, -4.5], 264, { mirror: true }),
        ballOnGround(-1.1, -6.8, 70, [-0.14, 0, 0]),
      ],
      backdrop: land({ seed: 24, near: 64, height: [10, 18] }),
    }),
  '25-the-shot': () =>
    sceneOf({
      seed: 25,
      hour: 'golden',
      sun: 330,
      camera: { from: [26, 0.7, -20], at: [31.8, 0.95, -2.2], focal: 150, aperture: 2.8 },
      cast: [
        hawk('9', 'strike', [32.6, -2], 82, { looks: { flying: 0.6 } }),
        ball([33.7, 0.42, -2.1], 40, [0.28, 0.06, 0.02]),
        rival('4', 'tackle', [31.0, -0.6], 100),
      ],
      backdrop: land({ seed: 25, near: 60 }),
    }),
  '26-in-the-net': () =>
    sceneOf({
      seed: 26,
      shape: 'wide',
      hour: 'golden',
      sun: 262,
      camera: { from: [48.6, 1.15, -0.6], at: [38, 1.0, 0.4], focal: 40, aperture: 4, focus: 4.4 },
      cast: [
        ball([44.0, 1.35, 1.5], 30),
        rivalKeeper('1', 'dive', [42.1, 0.1], 270, { mirror: true, change: { air: 0.35 } }),
        hawk('9', 'joy', [34.4, -1.6], 82),
        rival('4', 'hipsHands', [37.2, 2.4], 80),
        hawk('7', 'run', [30, 3.6], 84),
        rival('5', 'walk', [33, -5.5], 60),
      ],
      sets: [goal(1)],
      backdrop: land({ seed: 26, near: 66 }),
    }),
  '27-wings-out': () =>
    sceneOf({
      seed: 27,
      shape: 'portrait',
      hour: 'golden',
      sun: 205,
      camera: { from: [20, 0.9, -27], at: [31, 1.02, -12], focal: 180, aperture: 2.8 },
      cast: [
        hawk('9', 'joy', [31, -12], 222, { looks: { flying: 0.8 }, change: { look: 0 } }),
        hawk('10', 'sprint', [34.6, -7.2], 224),
        hawk('7', 'run', [33.2, -4.2], 220),
      ],
    }),
  '28-all-on-top': () =>
    sceneOf({
      seed: 28,
      hour: 'golden',
      sun: 240,
      camera: { from: [18, 1.1, -22], at: [26.2, 1.0, -8], focal: 120, aperture: 2.8 },
      cast: [
        hawk('9', 'fist', [26.1, -8.1], 210, { change: { air: 0.12 } }),
        hawk('10', 'embrace', [25.6, -8.1], 70),
        hawk('7', 'embrace', [26.75, -8.05], 280, { mirror: true }),
        hawk('11', 'embrace', [26.3, -7.5], 185),
        hawk('4', 'cheer', [25.2, -7.4], 120),
        hawk('8', 'joy', [28.0, -7.3], 262),
        hawk('15', 'run', [24.0, -6.6], 100),
      ],
    }),
  '29-heads-down': () =>
    sceneOf({
      seed: 29,
      hour: 'golden',
      sun: 350,
      camera: { from: [30, 1.0, -16], at: [37.4, 0.62, 0.4], focal: 135, aperture: 2.8 },
      cast: [
        rivalKeeper('1', 'sitGround', [38.2, 0.3], 236),
        rival('4', 'bow', [36.8, 1.2], 205),
        ballOnGround(39.6, 1.0),
        rival('5', 'walk', [40.6, 6.6], 120),
      ],
      sets: [goal(1)],
    }),
  '30-one-on-one': () =>
    sceneOf({
      seed: 30,
      shape: 'wide',
      hour: 'dusk',
      sun: 290,
      camera: {
        from: [-31, 1.2, -4.5],
        at: [-41, 0.95, 0.6],
        focal: 66,
        aperture: 3.2,
        focus: 5.6,
      },
      cast: [
        rival('9', 'dribble', [-36.6, -2.3], 276),
        ballOnGround(-37.4, -2.0, 60),
        hawkKeeper('1', 'keeperSet', [-40.4, 0.5], 104),
        hawk('4', 'sprint', [-36.4, 2.9], 240),
      ],
      sets: [goal(-1)],
    }),
  '31-twelve-steps': () =>
    sceneOf({
      seed: 31,
      shape: 'large',
      hour: 'flood',
      sun: 290,
      camera: {
        from: [26.3, 1.35, -1.6],
        at: [43, 0.95, 0.25],
        focal: 58,
        aperture: 3.2,
        focus: 5.6,
      },
      cast: [
        hawk('10', 'atEase', [31.2, -0.5], 86, { change: { look: 0 } }),
        ballOnGround(33, 0),
        rivalKeeper('1', 'keeperSet', [42.8, 0.2], 270),
      ],
      sets: [goal(1)],
      backdrop: night,
    }),
  '32-guessed-right': () =>
    sceneOf({
      seed: 32,
      hour: 'flood',
      sun: 110,
      camera: { from: [-30, 0.8, 6], at: [-42.4, 0.95, -0.9], focal: 105, aperture: 2.8 },
      cast: [
        hawkKeeper('1', 'dive', [-42.3, -0.5], 100, { mirror: true, change: { air: 0.42 } }),
        ball([-42.0, 1.02, -1.42], 50, [0.02, 0.03, -0.12]),
      ],
      sets: [goal(-1)],
      backdrop: night,
    }),
  '33-the-winner': () =>
    sceneOf({
      seed: 33,
      shape: 'portrait',
      hour: 'flood',
      sun: 150,
      camera: { from: [24, 0.55, -9], at: [32.6, 1.35, 0.4], focal: 115, aperture: 2.5 },
      cast: [
        hawk('10', 'fist', [32.6, 0.4], 215, { looks: { flying: 0.7 }, change: { air: 0.55 } }),
        hawk('9', 'run', [36.5, 5.2], 225),
        hawk('11', 'joy', [35, 7.2], 220),
      ],
      backdrop: night,
    }),
  '34-across-the-wet-grass': () =>
    sceneOf({
      seed: 34,
      hour: 'flood',
      sun: 60,
      camera: { from: [8, 0.5, -36], at: [14.1, 0.72, -24], focal: 120, aperture: 2.5 },
      cast: [
        hawk('7', 'kneeSlide', [14, -24], 205, { looks: { flying: 0.5 } }),
        hawk('23', 'sprint', [17.5, -19], 225),
        hawk('8', 'run', [16.2, -16.5], 220),
      ],
      backdrop: night,
    }),
  '35-good-game': () =>
    sceneOf({
      seed: 35,
      shape: 'wide',
      hour: 'flood',
      sun: 200,
      camera: { from: [-5.2, 1.3, -7], at: [0.8, 1.0, 0], focal: 60, aperture: 2.8, focus: 8.2 },
      cast: [
        ['4', -1.2],
        ['10', 0.1],
        ['7', 1.4],
        ['11', 2.8],
        ['8', 4.1],
        ['23', 5.6],
      ].flatMap(([n, x], i): Thing[] => [
        hawk(String(n), i % 2 ? 'walk' : 'highFive', [Number(x), 0.5], 92, {
          change: { armR: [70, 10, 0, 20, 0], nod: 4 },
        }),
        rival(String(n), i % 2 ? 'highFive' : 'walk', [Number(x) + 0.7, -0.35], 268, {
          change: { armR: [66, 8, 0, 24, 0] },
        }),
      ]),
      backdrop: night,
    }),
  '36-the-cup': () =>
    sceneOf({
      seed: 36,
      shape: 'large',
      hour: 'flood',
      sun: 195,
      camera: { from: [-0.8, 1.15, -9.6], at: [0, 1.28, 0], focal: 58, aperture: 3.5 },
      cast: [
        withCup('10', 'liftCup', 0, 0, 184),
        hawk('9', 'cheer', [0.75, 0.15], 190),
        hawk('7', 'cheerOne', [-0.72, 0.2], 172),
        hawk('4', 'clapHigh', [1.5, 0.3], 205),
        hawk('11', 'cheer', [-1.45, 0.35], 160),
        hawk('8', 'joy', [2.35, 0.6], 205),
        hawk('23', 'fist', [-2.3, 0.6], 150),
        hawkKeeper('1', 'cheer', [0.4, 0.85], 182),
        hawk('15', 'cheerOne', [-0.5, 0.95], 178, { mirror: true }),
        hawk('3', 'cheer', [1.25, 1.0], 186),
        hawk('14', 'clapHigh', [-1.3, 1.05], 170),
        coach('0', 'clap', [3.2, 1.1], 225),
      ],
      particles: [
        falling(36, [0, 1.6, -0.2], [3.4, 1.8, 2.4], 620, [hues.gold, hues.teal, hues.white, hues.gold], 0.011, 9.3),
        falling(37, [0, 1.5, -5], [1.6, 1, 1], 40, [hues.gold, hues.teal, hues.white], 0.011, 4.6),
      ],
      backdrop: night,
    }),
};
