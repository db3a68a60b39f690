/** What stands around a match: goals, balls, stands, benches, tents, poles, and the land behind. */
import { field } from './field.ts';
import { hues } from './people.ts';
import { banner, mesh, plain, standing } from './panel.ts';
import type { Panel } from './panel.ts';
import type { Backdrop, Thing } from './render.ts';
import { bodyOf, box, egg, limb } from './solid.ts';
import type { Part } from './solid.ts';
import type { Surface } from './surface.ts';
import { leafColours, paintPuff, paintRidge, paintTrees } from './trees.ts';
import type { TreeLine } from './trees.ts';
import { add, apply, mix, times, turnX, turnY, turns, upright } from './vector.ts';
import type { Rgb, Turn, Vec3 } from './vector.ts';

const whitePaint: Surface = { kind: 'smooth', color: [0.72, 0.73, 0.72] };
const steel: Surface = { kind: 'metal', color: [0.42, 0.44, 0.46] };
const darkSteel: Surface = { kind: 'metal', color: [0.06, 0.065, 0.07] };

export type Set = { readonly things: Thing[]; readonly panels: Panel[] };

/** A goal with its net at the end of the field with that sign of x. */
export function goal(end: 1 | -1): Set {
  const x = end * field.halfLength;
  const back = x + end * 1.7;
  const { goalHalf: half, goalHeight: top } = field;
  const bar = (a: Vec3, b: Vec3, r = 0.05): Part => limb(0, whitePaint, a, b, r, r, { melt: 0.005 });
  const frame = [
    bar([x, 0, -half], [x, top, -half]),
    bar([x, 0, half], [x, top, half]),
    bar([x, top, -half], [x, top, half]),
    ...[-half, half].flatMap((z) => [
      bar([x, top, z], [x + end * 0.75, top, z], 0.02),
      bar([x + end * 0.75, top, z], [back, 0, z], 0.02),
      bar([x, 0.02, z], [back, 0.02, z], 0.02),
    ]),
    bar([back, 0.02, -half], [back, 0.02, half], 0.02),
  ];
  const net = mesh(0.12, 0.0055, [0.66, 0.67, 0.66]);
  const sheet = (corner: Vec3, across: Vec3, down: Vec3): Panel => ({
    corner,
    across,
    down,
    pattern: net,
    waves: 0.2,
    sheer: 0.3,
  });
  return {
    things: [{ body: bodyOf(frame) }],
    panels: [
      sheet([x + end * 0.75, top, -half], [0, 0, 2 * half], [end * 0.95, -top, 0]),
      sheet([x, top, -half], [0, 0, 2 * half], [end * 0.75, 0, 0]),
      sheet([x, top, -half], [end * 1.2, 0, 0], [0, -top, 0]),
      sheet([x, top, half], [end * 1.2, 0, 0], [0, -top, 0]),
    ],
  };
}

const ballRadius = 0.108;

/** A ball with its middle at `at`; `spin` turns the pattern. */
export function ball(at: Vec3, spin = 20, smear?: Vec3): Thing {
  const turn = turns(turnY(spin), turnX(spin * 1.7));
  const surface: Surface = {
    kind: 'ball',
    color: [0.74, 0.75, 0.73],
    trim: [0.025, 0.05, 0.07],
    frame: { at, turn },
    unit: ballRadius,
  };
  return {
    body: bodyOf([egg(0, surface, at, upright, [ballRadius, ballRadius, ballRadius])]),
    ...(smear && { smear }),
  };
}

export const ballOnGround = (x: number, z: number, spin = 20, smear?: Vec3): Thing =>
  ball([x, ballRadius - 0.008, z], spin, smear);

/** A box in the world. */
export function block(surface: Surface, centre: Vec3, half: Vec3, facing = 0, round = 0.01): Thing {
  return { body: bodyOf([box(0, surface, centre, turnY(facing), half, round)]) };
}

export function cornerFlag(x: number, z: number): Set {
  return {
    things: [
      {
        body: bodyOf([limb(0, { kind: 'smooth', color: hues.gold }, [x, 0, z], [x, 1.5, z], 0.016, 0.014)]),
      },
    ],
    panels: [
      {
        corner: [x, 1.5, z],
        across: [0.34, -0.05, 0.22],
        down: [0, -0.32, 0],
        pattern: plain(hues.teal, hues.gold),
        waves: 0.5,
        sheer: 0.5,
      },
    ],
  };
}

/** Rows of aluminium planks that rise along local +z; `at` is the middle of the front on the ground, facing looks to the field. */
export function bleachers(at: Vec3, facing: number, rows: number, wide: number): Thing[] {
  const turn = turnY(facing);
  const place = (v: Vec3): Vec3 => add(at, apply(turn, v));
  const parts: Part[] = [];
  for (let row = 0; row < rows; row++) {
    const y = 0.44 + row * 0.3;
    const z = -0.2 - row * 0.72;
    parts.push(box(0, steel, place([0, y, z]), turn, [wide / 2, 0.025, 0.14], 0.01));
    if (row > 0) parts.push(box(0, steel, place([0, y - 0.38, z + 0.32]), turn, [wide / 2, 0.018, 0.13], 0.008));
    for (let x = -wide / 2 + 0.5; x <= wide / 2; x += 2)
      parts.push(box(1, darkSteel, place([x, y / 2, z]), turn, [0.03, y / 2, 0.03], 0.005));
  }
  return [{ body: bodyOf(parts) }];
}

/** A pop-up canopy, 3 m square. */
export function tent(x: number, z: number, color: Rgb, facing = 0): Set {
  const turn = turnY(facing);
  const at = (v: Vec3): Vec3 => add([x, 0, z], apply(turn, v));
  const posts = [
    [-1.5, -1.5],
    [1.5, -1.5],
    [-1.5, 1.5],
    [1.5, 1.5],
  ].map(([a, b]) => limb(0, whitePaint, at([a!, 0, b!]), at([a!, 2.1, b!]), 0.022, 0.022));
  const roof = (corner: Vec3, across: Vec3, down: Vec3): Panel => ({
    corner: at(corner),
    across: apply(turn, across),
    down: apply(turn, down),
    pattern: plain(color),
    waves: 0.08,
    sheer: 0.35,
  });
  return {
    things: [{ body: bodyOf(posts) }],
    panels: [
      roof([-1.6, 2.8, 0], [3.2, 0, 0], [0, -0.75, -1.6]),
      roof([-1.6, 2.8, 0], [3.2, 0, 0], [0, -0.75, 1.6]),
      roof([-1.6, 2.05, -1.6], [3.2, 0, 0], [0, -0.28, 0]),
      roof([-1.6, 2.05, -1.6], [0, 0, 3.2], [0, -0.28, 0]),
      roof([1.6, 2.05, -1.6], [0, 0, 3.2], [0, -0.28, 0]),
      roof([-1.6, 2.05, 1.6], [3.2, 0, 0], [0, -0.28, 0]),
    ],
  };
}

/** A chain-link fence with a rail from one point to another. */
export function fence(from: Vec3, to: Vec3, height = 1.2): Set {
  const across: Vec3 = [to[0] - from[0], 0, to[2] - from[2]];
  const length = Math.hypot(across[0], across[2]);
  const posts: Part[] = [limb(0, steel, [from[0], height, from[2]], [to[0], height, to[2]], 0.022, 0.022)];
  for (let d = 0; d <= length; d += 2.5) {
    const p = add(from, times(across, d / length));
    posts.push(limb(0, steel, [p[0], 0, p[2]], [p[0], height, p[2]], 0.025, 0.025));
  }
  return {
    things: [{ body: bodyOf(posts) }],
    panels: [
      {
        corner: [from[0], height, from[2]],
        across,
        down: [0, -height, 0],
        pattern: mesh(0.055, 0.003, [0.5, 0.52, 0.53], true),
        waves: 0,
        sheer: 0.1,
      },
    ],
  };
}

/** Boards with the names of friends of the club, along the touch line. */
export function adBoards(z: number, facing: number, texts: readonly string[], x0 = -20): Panel[] {
  const colours: readonly (readonly [Rgb, Rgb])[] = [
    [hues.navy, hues.gold],
    [hues.white, hues.teal],
    [hues.gold, hues.navy],
    [hues.teal, hues.white],
    [hues.red, hues.white],
  ];
  return texts.map((text, i) => {
    const [cloth, ink] = colours[i % colours.length]!;
    return standing([x0 + i * 4.2, 0.05, z], facing, 4, 0.9, banner(cloth, ink, text, 4, 0.9), 0.03, 0);
  });
}

type LandOptions = {
  readonly seed: number;
  readonly leaves?: readonly Rgb[];
  readonly kind?: TreeLine['kind'];
  readonly near?: number;
  readonly height?: readonly [number, number];
  readonly ridge?: number;
  readonly hedge?: boolean;
  readonly lamps?: boolean;
  readonly spacing?: number;
};

/** Woods on all four sides of the field, hills behind, and flood lights when it is evening. */
export function land(o: LandOptions): Backdrop {
  const far = o.near ?? 52;
  const leaves = o.leaves ?? leafColours.summer;
  const height = o.height ?? [9, 16];
  const ring = (
    half: number,
    deep: number,
    spacing: number,
    kind: TreeLine['kind'],
    tall: readonly [number, number],
    tones: readonly Rgb[],
    seed: number,
  ): TreeLine[] => [
    {
      from: [-half - 60, deep],
      to: [half + 60, deep],
      spacing,
      height: tall,
      leaves: tones,
      kind,
      seed,
    },
    {
      from: [-half - 60, -deep],
      to: [half + 60, -deep],
      spacing,
      height: tall,
      leaves: tones,
      kind,
      seed: seed + 1,
    },
    {
      from: [half, -deep],
      to: [half, deep],
      spacing,
      height: tall,
      leaves: tones,
      kind,
      seed: seed + 2,
    },
    {
      from: [-half, -deep],
      to: [-half, deep],
      spacing,
      height: tall,
      leaves: tones,
      kind,
      seed: seed + 3,
    },
  ];
  return (view, camera, light) => {
    paintRidge(view, camera, light, 420, o.ridge ?? 24, [0.035, 0.06, 0.03], o.seed);
    paintRidge(
      view,
      camera,
      light,
      far + 62,
      7.5,
      mix(leaves[0] ?? [0.05, 0.08, 0.03], [0.03, 0.05, 0.02], 0.6),
      o.seed + 1,
    );
    paintTrees(view, camera, light, [
      ...ring(far + 36, far + 18, 6.5, 'broad', [height[0] * 1.1, height[1] * 1.25], leaves, o.seed * 10 + 3),
      ...ring(far + 22, far + 6, o.spacing ?? 5.5, o.kind ?? 'broad', height, leaves, o.seed * 10),
      ...(o.hedge === false ? [] : ring(far + 17, far, 2.2, 'hedge', [1.5, 3], leafColours.dark, o.seed * 10 + 5)),
    ]);
    if (o.lamps) floodLights(far).forEach((at) => paintLamp(view, camera, light, at));
  };
}

/** Masts all round the field, low enough to be seen through a long lens. */
const floodLights = (far: number): readonly Vec3[] => [
  ...[-54, -33, -13, 7, 28, 50].flatMap((x): Vec3[] => [
    [x, 9, far - 7],
    [x + 5, 8.5, -far + 7],
  ]),
  ...[-30, -12, 7, 27].flatMap((z): Vec3[] => [
    [far + 8, 8.5, z],
    [-far - 8, 9, z + 4],
  ]),
];

function paintLamp(
  view: Parameters<Backdrop>[0],
  camera: Parameters<Backdrop>[1],
  light: Parameters<Backdrop>[2],
  at: Vec3,
): void {
  const steelColour: Rgb = [0.05, 0.05, 0.055];
  for (let y = 0.5; y < at[1]; y += 0.5)
    paintPuff(view, camera, light, {
      at: [at[0], y, at[2]],
      wide: 0.16,
      tall: 0.4,
      color: steelColour,
      ragged: 0,
      light: 0.3,
    });
  for (let i = -2; i <= 2; i++) {
    for (let j = 0; j < 2; j++)
      paintPuff(view, camera, light, {
        at: [at[0] + i * 0.55, at[1] + j * 0.5, at[2]],
        wide: 0.24,
        tall: 0.2,
        color: [20, 20.5, 20],
        ragged: 0,
        light: 1,
      });
  }
}

/** A trophy cup of height `tall` standing on `foot`. */
export function cup(foot: Vec3, tall: number, color: Rgb = [0.72, 0.47, 0.13], turn: Turn = upright): Part[] {
  const metal: Surface = { kind: 'metal', color };
  const base: Surface = { kind: 'smooth', color: [0.03, 0.025, 0.022] };
  const at = (x: number, y: number): Vec3 => add(foot, apply(turn, [x * tall, y * tall, 0]));
  const ring = (s: number): Part[] => {
    const points = Array.from({ length: 7 }, (_, i) =>
      at(s * (0.2 + 0.13 * Math.sin((i / 6) * Math.PI)), 0.86 - 0.3 * (i / 6)),
    );
    return points
      .slice(1)
      .map((p, i) => limb(51, metal, points[i]!, p, 0.02 * tall, 0.02 * tall, { melt: 0.01 * tall }));
  };
  return [
    box(50, base, at(0, 0.07), turn, [0.14 * tall, 0.07 * tall, 0.14 * tall], 0.015 * tall),
    limb(51, metal, at(0, 0.14), at(0, 0.2), 0.11 * tall, 0.04 * tall, { melt: 0.04 * tall }),
    limb(51, metal, at(0, 0.2), at(0, 0.45), 0.03 * tall, 0.045 * tall, { melt: 0.05 * tall }),
    limb(51, metal, at(0, 0.48), at(0, 0.95), 0.09 * tall, 0.22 * tall, {
      melt: 0.08 * tall,
      cut: true,
    }),
    ...ring(1),
    ...ring(-1),
  ];
}
