/** The final, first part: fog over an empty field, the warm-up, the toss, the first half. */
import { hawk, hawkKeeper, hawkWithBall, coach, referee, rival, rivalKeeper, sceneOf } from './shot.ts';
import { onlookers } from './spectators.ts';
import { adBoards, ballOnGround, ball, cornerFlag, goal, land, tent } from './stage.ts';
import { leafColours } from './trees.ts';
import type { Scene } from './render.ts';
import { hues } from './people.ts';
import { soccerField } from './field.ts';

/** A ring of figures around a point, each looking at its middle. */
function ringOf(
  numbers: readonly string[],
  x: number,
  z: number,
  radius: number,
  pose: Parameters<typeof hawk>[1],
  from = 0,
): ReturnType<typeof hawk>[] {
  return numbers.map((number, i) => {
    const angle = from + (i / numbers.length) * 360;
    const r = (angle * Math.PI) / 180;
    return hawk(number, pose, [x + Math.sin(r) * radius, z + Math.cos(r) * radius], angle + 180, {
      loose: 6,
    });
  });
}

export const morningScenes: Readonly<Record<string, () => Scene>> = {
  '01-fog-over-the-field': () =>
    sceneOf({
      seed: 1,
      shape: 'wide',
      hour: 'fog',
      sun: 60,
      camera: {
        from: [22, 1.5, -9],
        at: [43, 1.9, 1],
        focal: 35,
        aperture: 5.6,
        focus: 14,
        tilt: 0.3,
      },
      cast: [hawkKeeper('1', 'walk', [31, 1.4], 78), ballOnGround(29.2, -1.5)],
      sets: [goal(1), cornerFlag(43, 28)],
      backdrop: land({ seed: 1, near: 56, height: [12, 19], spacing: 7 }),
    }),
  '02-first-touch-of-the-day': () =>
    sceneOf({
      seed: 2,
      shape: 'landscape',
      hour: 'morning',
      sun: 40,
      camera: { from: [-0.5, 0.32, -5.2], at: [0.05, 0.42, 0], focal: 85, aperture: 2.2 },
      cast: [
        hawk('10', 'footOnBall', [0.05, 0.36], 176, { change: { look: 0 } }),
        ballOnGround(-0.02, 0.03, 35),
        hawk('6', 'jog', [3.4, 9], 215),
        hawk('14', 'jog', [-3.2, 12], 190),
      ],
    }),
  '03-warm-up-lap': () =>
    sceneOf({
      seed: 3,
      hour: 'morning',
      sun: 72,
      camera: { from: [-22, 1.5, -25.6], at: [0, 1.0, -25], focal: 200, aperture: 3.5 },
      cast: [
        ['7', -1.4, -24.2, 'jog'],
        ['10', 0, -25.3, 'run'],
        ['4', 1.9, -24.4, 'jog'],
        ['11', 2.6, -25.6, 'jog'],
        ['8', 4.6, -24.7, 'run'],
        ['23', 6.4, -25.5, 'jog'],
        ['15', 8.8, -24.5, 'jog'],
      ].map(([n, x, z, p], i) =>
        hawk(String(n), p === 'run' ? 'run' : 'jog', [Number(x), Number(z)], 270, {
          mirror: i % 2 === 1,
          loose: 7,
        }),
      ),
    }),
  '04-keeper-warms-up': () =>
    sceneOf({
      seed: 4,
      shape: 'portrait',
      hour: 'morning',
      sun: 235,
      camera: { from: [30, 1.2, -1.5], at: [41.6, 1.35, 0.3], focal: 135, aperture: 2.8 },
      cast: hawkWithBall('1', 'save', [41.7, 0.35], 262, { change: { air: 0.45 } }, 0.06),
      sets: [goal(1)],
    }),
  '05-huddle': () =>
    sceneOf({
      seed: 5,
      shape: 'large',
      hour: 'morning',
      sun: 20,
      camera: { from: [-2, 1.25, -9], at: [0, 0.95, 0.2], focal: 50, aperture: 2.8, focus: 8.4 },
      cast: ringOf(['4', '10', '9', '7', '11', '8', '23', '3', '15'], 0, 0.3, 0.92, 'embrace', 12),
      sets: [goal(-1)],
      backdrop: land({ seed: 5, leaves: leafColours.spring }),
    }),
  '06-coach-explains': () =>
    sceneOf({
      seed: 6,
      hour: 'noon',
      sun: 140,
      camera: { from: [-6, 1.55, -36.5], at: [0.6, 1.15, -29.6], focal: 70, aperture: 2.8 },
      cast: [
        coach('0', 'pointing', [0.9, -29.8], 205, { change: { look: 10 } }),
        hawk('8', 'handsBack', [-0.1, -30.9], 50),
        hawk('14', 'hipsHands', [0.3, -31.6], 25),
        hawk('6', 'atEase', [1.5, -31.2], -12),
        hawk('3', 'armsCrossed', [2.1, -30.6], -45),
      ],
      sets: [tent(7, -33, hues.teal, 10)],
      panels: adBoards(29.5, 180, [
        'LAKESIDE HARDWARE',
        'MAPLE ST. BAKERY',
        'HAWKS SOCCER CLUB',
        'TIDES SWIM TEAM',
        'NORTH PINE DENTAL',
      ]),
    }),
  '07-coin-toss': () =>
    sceneOf({
      seed: 7,
      hour: 'noon',
      sun: 200,
      camera: { from: [-3, 1.4, -17], at: [0.1, 1.0, 0], focal: 135, aperture: 2.8 },
      cast: [
        referee('0', 'clipboard', [0.1, 0.6], 184),
        hawk('10', 'handsBack', [-0.95, 0.1], 76),
        hawk('4', 'atEase', [-1.5, 0.7], 98),
        rival('9', 'hipsHands', [1.1, 0.1], -70),
        rival('5', 'handsBack', [1.7, 0.8], -95),
        ballOnGround(0.25, 0.05),
      ],
      panels: adBoards(
        30,
        180,
        ['LAKESIDE HARDWARE', 'MAPLE ST. BAKERY', 'HAWKS SOCCER CLUB', 'TIDES SWIM TEAM', 'NORTH PINE DENTAL'],
        -9,
      ),
    }),
  '08-kick-off-from-the-stand': () =>
    sceneOf({
      seed: 8,
      shape: 'large',
      hour: 'noon',
      sun: 245,
      light: { cover: 0.62 },
      camera: { from: [-9, 9.5, -45], at: [2, 0, 4], focal: 33, aperture: 8, tilt: -0.4 },
      ground: soccerField({ track: true }),
      cast: [
        hawk('9', 'pass', [-0.4, 0.1], 90),
        hawk('10', 'atEase', [-1.6, 3], 120),
        hawk('7', 'jockey', [-6, -14], 80),
        hawk('11', 'atEase', [-6, 15], 95),
        hawk('8', 'jog', [-9, -3], 85),
        hawk('6', 'atEase', [-11, 5], 90),
        hawk('4', 'hipsHands', [-20, -5], 90),
        hawk('3', 'atEase', [-19, 8], 90),
        hawk('2', 'jog', [-21, -17], 85),
        rival('9', 'atEase', [9, -0.6], 268),
        rival('10', 'jockey', [8.6, 4], 260),
        rival('7', 'atEase', [8, -13], 270),
        rival('11', 'jog', [9, 16], 265),
        rival('6', 'hipsHands', [16, 1], 270),
        rival('4', 'atEase', [21, -8], 270),
        rival('5', 'atEase', [22, 8], 270),
        referee('0', 'jog', [2.5, 6.5], 230),
        ballOnGround(0.1, 0.05),
        ...onlookers(81, [-30, 31], [26, 31], 26, 180),
      ],
      sets: [
        goal(1),
        goal(-1),
        tent(-20, 37, hues.teal),
        tent(-14, 37.5, hues.white),
        tent(13, 37, hues.red),
        cornerFlag(43, 28),
      ],
      backdrop: land({ seed: 8, near: 54, height: [8, 14] }),
    }),
  '09-down-the-wing': () =>
    sceneOf({
      seed: 9,
      shape: 'portrait',
      hour: 'noon',
      sun: 160,
      camera: { from: [-4, 1.0, -46], at: [-0.42, 0.93, -24.4], focal: 262, aperture: 2.8 },
      cast: [
        hawk('10', 'sprint', [-0.4, -24.3], 78, { looks: { flying: 0.7 } }),
        ballOnGround(0.4, -24.6, 60, [0.1, 0, 0]),
        rival('2', 'run', [-3.4, -20.5], 84),
      ],
      backdrop: land({
        seed: 9,
        leaves: leafColours.dark,
        kind: 'needle',
        height: [10, 18],
        spacing: 3.4,
      }),
    }),
  '10-shoulder-to-shoulder': () =>
    sceneOf({
      seed: 10,
      hour: 'noon',
      sun: 110,
      camera: { from: [-5, 1.1, -40], at: [8.2, 0.92, -14], focal: 260, aperture: 3.2 },
      cast: [
        hawk('7', 'stride', [7.95, -14.1], 162, { looks: { flying: 0.6 } }),
        rival('4', 'shield', [8.6, -13.8], 172, { change: { legR: [-20, 8, 0, 40, -15] } }),
        ballOnGround(8.05, -15.2, 80, [0, 0, -0.06]),
        referee('0', 'run', [12, 4], 200),
      ],
      panels: adBoards(
        30,
        180,
        ['LAKESIDE HARDWARE', 'MAPLE ST. BAKERY', 'HAWKS SOCCER CLUB', 'TIDES SWIM TEAM', 'NORTH PINE DENTAL'],
        14,
      ),
    }),
  '11-throw-in': () =>
    sceneOf({
      seed: 11,
      shape: 'portrait',
      hour: 'noon',
      sun: 215,
      camera: { from: [-12.5, 1.2, -34], at: [-4, 1.12, -28.2], focal: 135, aperture: 2.5 },
      cast: [
        ...hawkWithBall('3', 'throwIn', [-4, -28.4], 38, { change: { look: 0 } }, 0.05),
        rival('11', 'jockey', [2.5, -22], 215),
        hawk('8', 'jog', [-0.6, -20], 190),
      ],
    }),
  '12-sliding-tackle': () =>
    sceneOf({
      seed: 12,
      hour: 'afternoon',
      sun: 230,
      camera: { from: [-8, 0.85, -33], at: [-1.5, 0.62, -10], focal: 210, aperture: 2.8 },
      cast: [
        rival('6', 'tackle', [-2.6, -10.1], 82),
        hawk('11', 'header', [-1.0, -9.6], 100, { change: { air: 0.2, nod: 24 } }),
        ballOnGround(-0.75, -10.6, 70, [0.12, 0, -0.03]),
      ],
      backdrop: land({ seed: 12, leaves: leafColours.spring }),
    }),
  '13-up-for-the-header': () =>
    sceneOf({
      seed: 13,
      shape: 'portrait',
      hour: 'afternoon',
      sun: 120,
      camera: { from: [20, 0.8, -14], at: [34, 1.32, 0], focal: 210, aperture: 3.2 },
      cast: [
        hawk('9', 'header', [33.6, 0.2], 262),
        rival('5', 'challenge', [34.25, -0.25], 208),
        ball([33.25, 2.2, 0.0], 40, [0.05, -0.02, 0.04]),
        rivalKeeper('1', 'jockey', [42, 2], 250),
      ],
      sets: [goal(1)],
    }),
  '14-full-stretch': () =>
    sceneOf({
      seed: 14,
      shape: 'landscape',
      hour: 'afternoon',
      sun: 190,
      camera: { from: [25, 0.9, -8], at: [42.2, 1.05, 0.9], focal: 120, aperture: 3.2 },
      cast: [
        hawkKeeper('1', 'dive', [42.1, 0.3], 258, { mirror: true, change: { air: 0.75 } }),
        ball([41.75, 1.5, 1.68], 60, [0.16, 0.03, 0.04]),
      ],
      sets: [goal(1)],
      backdrop: land({ seed: 14, near: 58 }),
    }),
  '15-keeper-clears': () =>
    sceneOf({
      seed: 15,
      hour: 'afternoon',
      sun: 320,
      camera: { from: [-20, 1.2, -22], at: [-33.6, 1.1, -2], focal: 170, aperture: 3.2 },
      cast: [
        hawkKeeper('1', 'punt', [-33.8, -2], 95),
        ball([-32.6, 1.5, -2.15], 60, [0.14, 0.1, 0]),
        hawk('4', 'jog', [-28, 10], 80),
        rival('9', 'walk', [-26.5, 8.6], 60),
      ],
      sets: [goal(-1)],
      panels: adBoards(
        31,
        180,
        ['NORTH PINE DENTAL', 'LAKESIDE HARDWARE', 'HAWKS SOCCER CLUB', 'MAPLE ST. BAKERY'],
        -58,
      ),
    }),
  '16-the-wall': () =>
    sceneOf({
      seed: 16,
      shape: 'wide',
      hour: 'afternoon',
      sun: 130,
      camera: { from: [17, 1.3, -2.4], at: [34, 1.05, 0.2], focal: 85, aperture: 3.5, focus: 7.6 },
      cast: [
        hawk('10', 'windup', [24.2, -0.7], 84),
        ballOnGround(24.95, -0.55),
        rival('4', 'header', [33, -1.1], 268, {
          change: { air: 0.16, nod: 0, armL: [30, 4, 50, 30, 0], armR: [30, 4, 50, 30, 0] },
        }),
        rival('5', 'handsBack', [33.1, -0.55], 266),
        rival('8', 'header', [33, 0.02], 270, {
          change: { air: 0.22, nod: 0, armL: [30, 4, 50, 30, 0], armR: [30, 4, 50, 30, 0] },
        }),
        rival('7', 'handsBack', [33.05, 0.6], 272),
        rivalKeeper('1', 'keeperSet', [42.4, 1.8], 265),
        hawk('9', 'jockey', [33.6, 3.2], 250),
      ],
      sets: [goal(1)],
    }),
  '17-corner-kick': () =>
    sceneOf({
      seed: 17,
      hour: 'afternoon',
      sun: 70,
      camera: { from: [47.5, 1.2, -34.5], at: [42.2, 0.95, -27.2], focal: 62, aperture: 2.8 },
      cast: [
        hawk('11', 'windup', [42.0, -27.7], 355, { mirror: true }),
        ballOnGround(42.55, -27.2),
        rival('2', 'atEase', [37, -19], 150),
        hawk('9', 'jog', [35, -3], 40),
        rival('5', 'jockey', [36.4, -2], 30),
        rival('6', 'jockey', [38, 1], 30),
        hawk('4', 'jog', [37, 3], 40),
      ],
      sets: [cornerFlag(43, -28), goal(1)],
    }),
  '18-through-two': () =>
    sceneOf({
      seed: 18,
      hour: 'overcast',
      sun: 200,
      camera: { from: [2, 1.15, -36], at: [-6.6, 0.9, -8], focal: 200, aperture: 2.8 },
      cast: [
        hawk('11', 'dribble', [-6.6, -8], 172, { looks: { flying: 0.4 } }),
        ballOnGround(-6.5, -8.75, 65),
        rival('8', 'jockey', [-8.2, -8.5], 96),
        rival('3', 'stride', [-5.1, -6.6], 196),
      ],
    }),
};
