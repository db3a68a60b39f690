/** Team portraits: line-ups on the field and single players, taken between the matches. */
import { boards, park, soccerField } from './field.ts';
import { hues, kits, person } from './people.ts';
import type { Panel } from './panel.ts';
import type { Scene, Thing } from './render.ts';
import { coach, hawk, hawkKeeper, hawkWithBall, sceneOf } from './shot.ts';
import { withCup } from './scenes-match-evening.ts';
import { ballOnGround, bleachers, block, fence, goal, land } from './stage.ts';
import { leafColours } from './trees.ts';
import { fbm2, noise2 } from './noise.ts';
import type { Rgb, Vec3 } from './vector.ts';

const back = ['4', '8', '11', '23', '15', '6', '9'];
const front = ['3', '7', '10', '14', '17', '2'];

/** Two rows that look at the camera on the -z side: the back one stands, the front one kneels. */
function lineUp(z: number, standing: Parameters<typeof hawk>[1] = 'handsBack'): Thing[] {
  return [
    ...back.map((n, i) =>
      hawk(n, standing, [(i - 3) * 0.56 + 0.03 * Math.sin(i * 5), z + 0.55], 180 - (i - 3) * 3, {
        loose: 3,
        change: { look: 0 },
      }),
    ),
    ...front.map((n, i) =>
      hawk(n, 'kneel', [(i - 2.5) * 0.66, z - 0.35], 180 - (i - 2.5) * 4, {
        loose: 4,
        mirror: i % 2 === 0,
        change: { look: 0 },
      }),
    ),
  ];
}

/** A painted canvas hung behind the sitter, and the floor before it. */
function canvas(z: number, color: Rgb): Panel {
  return {
    corner: [-3.4, 4.2, z],
    across: [6.8, 0, 0],
    down: [0, -4.4, 0],
    waves: 0.03,
    sheer: 0,
    pattern: (u, v, _pixel, out) => {
      const cloud = 1 + 0.3 * fbm2(u * 0.9, v * 0.9, 5) - 0.22 * Math.hypot((u - 3.4) / 3.4, (v - 2.6) / 3);
      const weave = 1 + 0.03 * noise2(u * 400, v * 400);
      out.r = color[0] * cloud * weave;
      out.g = color[1] * cloud * weave;
      out.b = color[2] * cloud * weave;
      out.sheen = 0;
      return 1;
    },
  };
}

const studio = (seed: number, color: Rgb, sitter: readonly Thing[], at: Vec3, focal: number): Scene =>
  sceneOf({
    seed,
    shape: 'portrait',
    hour: 'indoor',
    sun: 128,
    light: { height: 42 },
    camera: { from: [0.15, 1.2, -6.4], at, focal, aperture: 3.5, focus: 6.4 },
    ground: boards([0.2, 0.12, 0.065]),
    backdrop: () => undefined,
    cast: sitter,
    panels: [canvas(2.3, color)],
  });

/** Beside the field, where no lines run. */
const lawnBeside = soccerField({ lines: false, worn: 0 });

export const portraitScenes: Readonly<Record<string, () => Scene>> = {
  '01-the-team': () =>
    sceneOf({
      seed: 101,
      shape: 'large',
      hour: 'afternoon',
      sun: 222,
      camera: { from: [0.2, 1.5, -9.4], at: [0, 0.93, 0], focal: 62, aperture: 5 },
      ground: lawnBeside,
      cast: [
        ...lineUp(0),
        hawkKeeper('1', 'handsBack', [-2.35, 0.75], 172),
        coach('0', 'handsBack', [2.5, 0.8], 190),
        ballOnGround(0, -1.15, 30),
      ],
      backdrop: land({ seed: 101, height: [10, 17] }),
    }),
  '02-arms-folded': () =>
    sceneOf({
      seed: 102,
      shape: 'wide',
      hour: 'golden',
      sun: 128,
      camera: { from: [1.6, 1.25, -11], at: [0, 0.98, 0], focal: 85, aperture: 2.8 },
      ground: lawnBeside,
      cast: ['11', '9', '10', '7', '4'].map((n, i) =>
        hawk(n, 'armsCrossed', [(i - 2) * 0.78, Math.abs(i - 2) * 0.34], 176 + (i - 2) * -6, {
          loose: 3,
          change: { look: 0 },
        }),
      ),
    }),
  '03-goalkeeper': () =>
    sceneOf({
      seed: 103,
      shape: 'portrait',
      hour: 'afternoon',
      sun: 250,
      camera: { from: [35.2, 1.15, 0.4], at: [42, 1.0, 0.2], focal: 100, aperture: 2.8 },
      cast: hawkWithBall('1', 'holdFront', [41.6, 0.2], 268, {}, 0.0),
      sets: [goal(1)],
    }),
  '04-captain': () =>
    studio(
      104,
      [0.1, 0.13, 0.15],
      [hawk('10', 'armsCrossed', [0, 0.2], 184, { loose: 2, change: { look: 0 } })],
      [0, 1.02, 0.2],
      105,
    ),
  '05-number-7': () =>
    studio(
      105,
      [0.2, 0.17, 0.13],
      [hawk('7', 'hipsHands', [0, 0.2], 158, { loose: 2, change: { look: 16 } })],
      [0.02, 0.95, 0.2],
      95,
    ),
  '06-with-the-ball': () =>
    sceneOf({
      seed: 106,
      shape: 'portrait',
      hour: 'golden',
      sun: 40,
      camera: { from: [-2, 1.0, -11.5], at: [0, 0.95, 0], focal: 135, aperture: 2 },
      cast: [hawk('11', 'footOnBall', [0, 0.4], 188, { looks: { flying: 0.2 } }), ballOnGround(-0.05, 0.06, 40)],
    }),
  '07-the-back-four': () =>
    sceneOf({
      seed: 107,
      hour: 'overcast',
      sun: 150,
      camera: { from: [-0.6, 1.05, -8], at: [0, 0.98, 0.6], focal: 62, aperture: 2.8 },
      cast: ['3', '4', '15', '2'].map((n, i) =>
        hawk(n, i % 2 ? 'atEase' : 'hipsHands', [(i - 1.5) * 0.86, 0.6 + (i % 2) * 0.2], 2 + (i - 1.5) * 9, {
          loose: 5,
        }),
      ),
      sets: [goal(1)],
    }),
  '08-on-the-bench': () =>
    sceneOf({
      seed: 108,
      hour: 'afternoon',
      sun: 250,
      camera: { from: [-4.6, 1.2, -5.6], at: [-0.1, 0.82, 0], focal: 58, aperture: 2.5 },
      ground: lawnBeside,
      cast: [
        ...bleachers([0, 0, 0.25], 180, 3, 7),
        hawk('8', 'sitForward', [-0.7, 0.02], 190, { change: { hips: 0.5 } }),
        hawk('23', 'sit', [0.1, 0.02], 178, { change: { hips: 0.5 } }),
        hawk('14', 'sitForward', [0.9, 0.02], 170, { change: { hips: 0.5 } }),
        hawk('6', 'sit', [0.45, 0.75], 184, { change: { hips: 0.82 } }),
        ballOnGround(-1.5, -0.3),
      ],
      backdrop: land({ seed: 108 }),
    }),
  '09-coaches': () =>
    sceneOf({
      seed: 109,
      shape: 'portrait',
      hour: 'morning',
      sun: 130,
      camera: { from: [0.5, 1.35, -9.5], at: [0, 1.22, 0], focal: 105, aperture: 2.5 },
      cast: [
        coach('0', 'armsCrossed', [-0.42, 0.2], 172, { change: { look: 0 } }),
        person({
          pose: 'handsBack',
          at: [0.42, 0, 0.3],
          facing: 192,
          outfit: { ...kits.coach, bottom: hues.navy },
          seed: 333,
          height: 1.68,
          looks: { hair: 'tail', wears: 'cap', wearColor: hues.teal },
          loose: 3,
          change: { look: 0 },
        }),
      ],
      sets: [fence([-9, 0, 7], [9, 0, 7])],
      ground: park(),
    }),
  '10-walking-out': () =>
    sceneOf({
      seed: 110,
      shape: 'wide',
      hour: 'golden',
      sun: 8,
      camera: { from: [-1.5, 0.9, -15], at: [0, 1.0, 0], focal: 105, aperture: 3.2 },
      cast: ['4', '10', '1', '7', '9', '11', '8'].map((n, i) =>
        (n === '1' ? hawkKeeper : hawk)(
          n,
          'walk',
          [(i - 3) * 0.82, Math.abs(i - 3) * 0.5 + (i % 2) * 0.3],
          2 + (i - 3) * 2,
          { mirror: i % 2 === 0, loose: 6 },
        ),
      ),
      backdrop: land({ seed: 110, near: 60 }),
    }),
  '11-champions': () =>
    sceneOf({
      seed: 111,
      hour: 'dusk',
      sun: 215,
      light: { height: 9, develop: { exposure: 1.4, warmth: -0.03 } },
      camera: { from: [-1.2, 1.35, -10.5], at: [0, 1.0, 0], focal: 72, aperture: 3.5 },
      cast: [
        ...lineUp(0, 'clap').filter((_, i) => i !== 3),
        withCup('23', 'liftCup', 0, 0.55, 182),
        hawkKeeper('1', 'cheerOne', [2.25, 0.6], 195),
      ],
      ground: lawnBeside,
      backdrop: land({ seed: 111, leaves: leafColours.dark }),
    }),
  '12-two-sisters': () =>
    sceneOf({
      seed: 112,
      shape: 'portrait',
      hour: 'morning',
      sun: 25,
      camera: { from: [1, 1.1, -8.5], at: [0, 0.9, 0], focal: 95, aperture: 2 },
      ground: lawnBeside,
      cast: [
        hawk('17', 'atEase', [-0.3, 0.2], 6, {
          looks: { hair: 'tail', hairColor: [0.2, 0.1, 0.04] },
          height: 1.55,
          change: { armL: [12, 24, 20, 30, 0] },
        }),
        hawk('5', 'atEase', [0.32, 0.15], -4, {
          looks: { hair: 'braids', hairColor: [0.2, 0.1, 0.04] },
          height: 1.24,
        }),
        block({ kind: 'cloth', color: hues.navy }, [0.95, 0.14, 0.5], [0.26, 0.14, 0.16], 20, 0.07),
      ],
    }),
};
