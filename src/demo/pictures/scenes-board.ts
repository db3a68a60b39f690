/** Board only: the evening of the club, its cups and papers, and a meeting beside the field. */
import { boards, paved, soccerField } from './field.ts';
import { banner, standing } from './panel.ts';
import type { Panel } from './panel.ts';
import { chanceOf } from './chance.ts';
import { hues, person, streetClothes } from './people.ts';
import type { Scene, Thing } from './render.ts';
import { coach, hawk, sceneOf } from './shot.ts';
import { bodyOf, box, egg, limb } from './solid.ts';
import type { Part } from './solid.ts';
import { ballOnGround, block, bleachers, cup, land, tent } from './stage.ts';
import { leafColours } from './trees.ts';
import { add, apply, turnX, turnY } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';

const wood = { kind: 'wood', color: [0.22, 0.125, 0.06] as Rgb } as const;
const paper = { kind: 'card', color: [0.7, 0.7, 0.68] as Rgb } as const;

/** A wall with a wainscot, and windows that let the afternoon in. */
function wall(foot: Vec3, facing: number, wide: number, color: Rgb, windows: readonly number[] = []): Panel {
  return standing(
    foot,
    facing,
    wide,
    3.2,
    (u, v, _pixel, out) => {
      const low = v > 2.25;
      const board = low ? 1 - 0.12 * (Math.abs(((u / 0.14) % 1) - 0.5) > 0.46 ? 1 : 0) : 1;
      const tone: Rgb = low ? [0.3, 0.24, 0.17] : color;
      out.r = tone[0] * board;
      out.g = tone[1] * board;
      out.b = tone[2] * board;
      if (v > 2.2 && v < 2.27) [out.r, out.g, out.b] = [0.36, 0.3, 0.22];
      for (const x of windows) {
        const a = Math.abs(u - x);
        if (a < 0.75 && v > 0.5 && v < 1.95) {
          const bar = a > 0.7 || Math.abs(a) < 0.02 || v < 0.55 || v > 1.9 || Math.abs(v - 1.22) < 0.02;
          [out.r, out.g, out.b] = bar ? [0.6, 0.58, 0.54] : v > 1.45 ? [0.35, 0.5, 0.22] : [0.75, 0.85, 0.95];
          out.glow = bar ? 0 : 1.9;
        }
      }
      return 1;
    },
    0,
    0,
  );
}

function table(x: number, z: number, facing: number, half: readonly [number, number], cloth?: Rgb): Thing {
  const turn = turnY(facing);
  const at = (v: Vec3): Vec3 => add([x, 0, z], apply(turn, v));
  const top = cloth ? ({ kind: 'card', color: cloth } as const) : wood;
  const parts: Part[] = [box(0, top, at([0, 0.74, 0]), turn, [half[0], 0.02, half[1]], 0.012)];
  if (cloth)
    parts.push(
      box(0, top, at([0, 0.42, -half[1]]), turn, [half[0], 0.32, 0.01], 0.006),
      box(0, top, at([half[0], 0.42, 0]), turn, [0.01, 0.32, half[1]], 0.006),
      box(0, top, at([-half[0], 0.42, 0]), turn, [0.01, 0.32, half[1]], 0.006),
    );
  else
    for (const a of [-1, 1])
      for (const b of [-1, 1])
        parts.push(
          limb(
            1,
            wood,
            at([a * (half[0] - 0.08), 0, b * (half[1] - 0.08)]),
            at([a * (half[0] - 0.08), 0.73, b * (half[1] - 0.08)]),
            0.03,
            0.035,
          ),
        );
  return { body: bodyOf(parts) };
}

const trophies = (seed: number, y: number, z: number, from: number, to: number, step: number): Thing[] => {
  const chance = chanceOf(seed);
  const all: Thing[] = [];
  for (let x = from; x <= to; x += step)
    all.push({
      body: bodyOf(
        cup(
          [x + chance.normal() * 0.02, y, z + chance.normal() * 0.04],
          chance.between(0.2, 0.44),
          chance.pick<Rgb>([
            [0.72, 0.47, 0.13],
            [0.68, 0.42, 0.1],
            [0.62, 0.63, 0.64],
            [0.45, 0.24, 0.1],
          ]),
        ),
      ),
    });
  return all;
};

const medal = (x: number, y: number, z: number): Thing => ({
  body: bodyOf([
    egg(0, { kind: 'metal', color: [0.72, 0.47, 0.13] }, [x, y + 0.004, z], turnY(0), [0.036, 0.006, 0.036]),
    box(1, { kind: 'cloth', color: hues.teal }, [x, y + 0.003, z + 0.09], turnY(8), [0.015, 0.002, 0.07], 0.001),
  ]),
});

const guest = (
  seed: number,
  pose: Parameters<typeof person>[0]['pose'],
  x: number,
  z: number,
  facing: number,
  height = 1.72,
): Thing =>
  person({
    pose,
    at: [x, 0, z],
    facing,
    seed,
    height,
    loose: 5,
    outfit: streetClothes(chanceOf(seed + 3), seed % 2 ? 'hawks' : 'none'),
  });

const stools = (places: readonly (readonly [number, number])[]): Thing[] =>
  places.map(([x, z]) => ({
    body: bodyOf([
      box(0, { kind: 'smooth', color: [0.1, 0.1, 0.11] }, [x, 0.43, z], turnY(0), [0.21, 0.02, 0.21], 0.015),
      ...[-1, 1].flatMap((a) =>
        [-1, 1].map((b) =>
          limb(
            1,
            { kind: 'metal', color: [0.25, 0.25, 0.26] },
            [x + a * 0.18, 0, z + b * 0.18],
            [x + a * 0.17, 0.42, z + b * 0.17],
            0.012,
            0.012,
          ),
        ),
      ),
    ]),
  }));

const indoorGround = boards([0.24, 0.15, 0.085]);
const noLand = (): undefined => undefined;

export const boardScenes: Readonly<Record<string, () => Scene>> = {
  '01-the-award-table': () =>
    sceneOf({
      seed: 301,
      hour: 'indoor',
      sun: 118,
      light: { height: 34 },
      camera: {
        from: [-1.15, 1.28, -1.9],
        at: [0.12, 0.93, 0.2],
        focal: 50,
        aperture: 2.2,
        focus: 2.05,
      },
      ground: indoorGround,
      backdrop: noLand,
      cast: [
        table(0, 0.15, 0, [1.7, 0.42], hues.navy),
        ...trophies(31, 0.76, 0.22, -1.4, 1.5, 0.33),
        ...trophies(37, 0.76, -0.02, -1.15, -0.5, 0.3),
        ...[-0.2, 0, 0.2, 0.4, 0.6].map((x) => medal(x, 0.762, -0.16)),
        guest(311, 'handsBack', -1.4, 3.2, 160),
        guest(314, 'atEase', -0.4, 3.6, 200, 1.66),
        guest(319, 'clap', 1.6, 3.3, 190),
      ],
      panels: [wall([0, 0, 5.2], 180, 12, [0.5, 0.47, 0.4], [3, 9])],
    }),
  '02-the-cup-alone': () =>
    sceneOf({
      seed: 302,
      shape: 'portrait',
      hour: 'indoor',
      sun: 95,
      light: { height: 26 },
      camera: { from: [-0.3, 1.12, -2.2], at: [0, 1.0, 0], focal: 85, aperture: 2 },
      ground: indoorGround,
      backdrop: noLand,
      cast: [
        table(0, 0.1, 0, [0.9, 0.4]),
        { body: bodyOf(cup([0, 0.76, 0], 0.52)) },
        medal(-0.26, 0.762, -0.12),
        medal(0.24, 0.762, -0.16),
        guest(321, 'atEase', -0.9, 3.6, 170),
        guest(324, 'armsCrossed', 0.8, 3.9, 195),
      ],
      panels: [wall([0, 0, 5.6], 180, 12, [0.42, 0.44, 0.42], [4.2, 8.4])],
    }),
  '03-the-meeting': () =>
    sceneOf({
      seed: 303,
      shape: 'wide',
      hour: 'indoor',
      sun: 62,
      light: { height: 32 },
      camera: {
        from: [-2.9, 1.65, -3.6],
        at: [0.1, 0.88, 0.25],
        focal: 36,
        aperture: 2.8,
        focus: 4.0,
      },
      ground: indoorGround,
      backdrop: noLand,
      cast: [
        table(0, 0, 0, [1.5, 0.55]),
        ...[-1.1, -0.4, 0.3, 1.0].map((x) => guest(331 + Math.round(x * 10), 'sitForward', x, 0.98, 180)),
        guest(351, 'sitForward', 2.0, 0.1, 268),
        guest(357, 'sit', -0.6, -1.0, 8),
        guest(362, 'sitForward', 0.55, -1.0, -8),
        guest(371, 'pointing', -1.9, 1.6, 130),
        ...stools([
          [-1.1, 0.98],
          [-0.4, 0.98],
          [0.3, 0.98],
          [1, 0.98],
          [2, 0.1],
          [-0.6, -1],
          [0.55, -1],
        ]),
        ...[
          [-0.9, 0.2, 12],
          [-0.2, -0.2, -8],
          [0.5, 0.15, 20],
          [1.1, -0.15, 5],
        ].map(([x, z, r]) => block(paper, [x!, 0.764, z!], [0.15, 0.003, 0.105], r!, 0.001)),
        ...[
          [-0.55, 0.3],
          [0.15, 0.3],
          [0.85, -0.3],
        ].map(([x, z]): Thing => ({
          body: bodyOf([
            limb(0, { kind: 'smooth', color: hues.white }, [x!, 0.76, z!], [x!, 0.85, z!], 0.038, 0.041, { cut: true }),
          ]),
        })),
      ],
      panels: [
        wall([0, 0, 3.6], 180, 12, [0.5, 0.48, 0.42], [2.6, 5.2, 8.8]),
        wall([4.6, 0, 0], 270, 9, [0.48, 0.46, 0.4], [3]),
        standing([2.1, 1.55, 3.55], 180, 2.3, 0.5, banner(hues.teal, hues.gold, 'LAKESIDE YOUTH', 2.3, 0.5), 0.02, 0),
      ],
    }),
  '04-clubhouse-at-dusk': () =>
    sceneOf({
      seed: 304,
      shape: 'large',
      hour: 'dusk',
      sun: 305,
      light: { develop: { exposure: 1.7 } },
      camera: { from: [-7.5, 1.6, -13], at: [0.6, 1.7, 2], focal: 32, aperture: 5.6 },
      ground: soccerField({ lines: false, worn: 0 }),
      cast: [
        block({ kind: 'wood', color: [0.36, 0.34, 0.3] }, [1.5, 1.45, 5], [6, 1.45, 2.6], 0, 0.03),
        {
          body: bodyOf([
            box(0, { kind: 'cloth', color: [0.06, 0.055, 0.06] }, [1.5, 3.35, 3.6], turnX(-16), [6.5, 0.06, 2.4], 0.02),
          ]),
        },
        ...[-4.4, -1.6, 3.2, 6].map((x) =>
          block({ kind: 'smooth', color: [0.5, 0.47, 0.42] }, [x, 1.25, 1.3], [0.07, 1.25, 0.07]),
        ),
        block({ kind: 'wood', color: [0.16, 0.1, 0.06] }, [1.5, 0.1, 1.9], [6, 0.1, 0.9], 0, 0.02),
        guest(341, 'atEase', -1.0, 0.2, 140),
        guest(346, 'armsCrossed', -0.2, -0.5, 300, 1.78),
        guest(352, 'handsBack', 3.4, -0.4, 230),
        guest(359, 'walk', -4.2, -2.4, 70),
      ],
      panels: [-3.2, -0.6, 2.2, 4.8].map((x) =>
        standing(
          [x + 0.2, 0.95, 2.36],
          180,
          1.5,
          1.25,
          (u, v, _p, out) => {
            const bar = u < 0.06 || v < 0.06 || u > 1.44 || v > 1.19 || Math.abs(u - 0.75) < 0.02;
            [out.r, out.g, out.b] = bar ? [0.5, 0.48, 0.44] : [0.75, 0.46 + 0.08 * v, 0.2 + 0.06 * v];
            out.glow = bar ? 0 : 2.3;
            return 1;
          },
          0,
          0,
        ),
      ),
      backdrop: land({ seed: 304, near: 24, kind: 'needle', height: [12, 20], spacing: 4 }),
    }),
  '05-walking-the-line': () =>
    sceneOf({
      seed: 305,
      hour: 'morning',
      sun: 320,
      camera: { from: [-3.5, 1.35, -34], at: [0.4, 1.0, -27], focal: 70, aperture: 2.8 },
      cast: [
        coach('0', 'walk', [0.1, -27.2], 232),
        guest(361, 'clipboard', 0.9, -26.8, 222, 1.7),
        guest(366, 'walk', -0.6, -26.4, 226, 1.8),
        ballOnGround(2.4, -24),
      ],
      backdrop: land({ seed: 305, leaves: leafColours.spring }),
    }),
  '06-plans-for-the-pitch': () =>
    sceneOf({
      seed: 306,
      shape: 'landscape',
      hour: 'golden',
      sun: 118,
      camera: { from: [-3.4, 1.55, -6], at: [0.1, 0.98, 0], focal: 55, aperture: 2.5 },
      ground: paved([0.3, 0.28, 0.25], 0.5),
      cast: [
        table(0, 0, 8, [0.9, 0.45]),
        block(paper, [0, 0.765, 0], [0.42, 0.003, 0.3], 12, 0.001),
        block(paper, [0.55, 0.768, -0.1], [0.15, 0.003, 0.105], -14, 0.001),
        guest(372, 'bow', -0.35, 0.85, 176, 1.76),
        guest(377, 'clipboard', 0.6, 0.85, 196, 1.68),
        guest(381, 'armsCrossed', -1.35, 0.25, 104, 1.8),
        guest(388, 'pointing', 1.55, 0.2, 262, 1.72),
        ...bleachers([0, 0, 11], 180, 4, 12),
        hawk('6', 'jog', [-5, 16], 90),
      ],
      sets: [tent(4.6, 4.6, hues.white)],
    }),
};
