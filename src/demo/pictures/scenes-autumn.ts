/** Old season: last autumn's matches, low sun and leaves on the grass. */
import { soccerField } from './field.ts';
import { falling } from './particles.ts';
import type { Scene } from './render.ts';
import { coach, hawk, rival, rivalKeeper, sceneOf } from './shot.ts';
import { onlookers } from './spectators.ts';
import { ball, ballOnGround, goal, land } from './stage.ts';
import { leafColours } from './trees.ts';

const autumnField = soccerField({
  grass: { leaves: 5, stripe: 0, deep: [0.032, 0.043, 0.013], bright: [0.14, 0.155, 0.05] },
  worn: 0.9,
});
const park = { leaves: leafColours.autumn, hedge: true } as const;

export const autumnScenes: Readonly<Record<string, () => Scene>> = {
  '01-leaves-on-the-wing': () =>
    sceneOf({
      seed: 401,
      hour: 'autumn',
      sun: 215,
      camera: { from: [-6, 1.0, -37], at: [-1, 0.9, -18], focal: 210, aperture: 2.8 },
      ground: autumnField,
      cast: [
        hawk('14', 'dribble', [-1.2, -18], 100, { looks: { flying: 0.5 } }),
        ballOnGround(-0.4, -18.3, 60),
        rival('3', 'run', [1.4, -16.4], 262),
      ],
      particles: [falling(401, [-1, 1.6, -19], [4, 1.4, 2], 26, leafColours.autumn, 0.02, 18)],
      backdrop: land({ seed: 401, ...park }),
    }),
  '02-november-sun': () =>
    sceneOf({
      seed: 402,
      shape: 'wide',
      hour: 'autumn',
      sun: 12,
      light: { height: 13 },
      camera: { from: [2, 1.3, -26], at: [1, 1.1, 0], focal: 85, aperture: 4 },
      ground: autumnField,
      cast: [
        hawk('6', 'pass', [-1.6, -4], 78),
        ballOnGround(-0.4, -4.1, 40, [0.1, 0, 0]),
        hawk('8', 'jog', [3.4, -1], 250),
        rival('7', 'jockey', [1.2, -2.6], 262),
        rival('11', 'walk', [6.2, 4], 230),
        hawk('2', 'run', [-6, 5], 100),
        ...onlookers(402, [-11, 30], [13, 30.5], 12, 180),
      ],
      backdrop: land({ seed: 402, ...park, near: 50, height: [11, 18] }),
    }),
  '03-cold-hands': () =>
    sceneOf({
      seed: 403,
      shape: 'portrait',
      hour: 'overcast',
      sun: 120,
      camera: { from: [-37.5, 1.3, -9], at: [-31.4, 1.02, -2], focal: 92, aperture: 2.2 },
      ground: autumnField,
      cast: [
        coach('0', 'shout', [-31.4, -2], 228, { looks: { wears: 'beanie' } }),
        hawk('17', 'armsCrossed', [-30.2, -0.6], 240),
        hawk('21', 'hipsHands', [-29, 0.8], 215),
      ],
      backdrop: land({ seed: 403, ...park }),
    }),
  '04-last-goal-of-the-year': () =>
    sceneOf({
      seed: 404,
      hour: 'autumn',
      sun: 135,
      light: { height: 17 },
      camera: { from: [26.5, 1.0, -10], at: [38.6, 0.98, 0], focal: 96, aperture: 2.8 },
      ground: autumnField,
      cast: [
        hawk('7', 'follow', [36.2, -1.2], 72),
        ball([38.2, 0.86, -0.1], 40, [0.22, 0.05, 0.06]),
        rivalKeeper('1', 'keeperSet', [41.8, 0.9], 262),
        rival('4', 'stride', [37.4, 2.8], 240),
      ],
      sets: [goal(1)],
      particles: [falling(404, [38, 1.8, 1], [5, 1.4, 4], 30, leafColours.autumn, 0.02, 15)],
      backdrop: land({ seed: 404, ...park }),
    }),
};
