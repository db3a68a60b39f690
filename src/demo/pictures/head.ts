/** Head, face and hair; also what is worn on it. */
import { add, apply, paintOf, times, turns, turnX } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';
import { egg, limb } from './solid.ts';
import type { Part } from './solid.ts';
import type { Skeleton } from './skeleton.ts';
import type { Surface } from './surface.ts';

export type Hair = 'short' | 'crop' | 'tail' | 'bun' | 'long' | 'afro' | 'braids' | 'bald' | 'mop';
export type Looks = {
  readonly hair: Hair;
  readonly hairColor: Rgb;
  readonly wears?: 'cap' | 'swimCap' | 'band' | 'beanie' | 'goggles';
  readonly wearColor?: Rgb;
  /** How far loose hair flies behind, 0 hanging .. 1 streaming. */
  readonly flying?: number;
};

const groups = { skin: 0, hair: 30, tail: 31, cap: 32, band: 33, glass: 34 };

export function headOf(bones: Skeleton, skinColor: Rgb, looks: Looks): Part[] {
  const hh = bones.headHeight;
  const turn = bones.headTurn;
  const at = (x: number, y: number, z: number): Vec3 => add(bones.head, apply(turn, [x * hh, y * hh, z * hh]));
  const face: Surface = {
    kind: 'face',
    color: skinColor,
    second: looks.hairColor,
    frame: { at: bones.head, turn },
    unit: hh,
  };
  const skin: Surface = { kind: 'skin', color: skinColor };
  const parts: Part[] = [
    egg(groups.skin, face, at(0, 0.58, -0.03), turn, [0.325 * hh, 0.4 * hh, 0.395 * hh], 0.1 * hh),
    egg(groups.skin, face, at(0, 0.36, 0.09), turn, [0.265 * hh, 0.33 * hh, 0.27 * hh], 0.1 * hh),
    limb(groups.skin, face, at(0, 0.2, 0.13), at(0, 0.1, 0.225), 0.17 * hh, 0.1 * hh, {
      wide: 1.15,
      side: turn[0],
      melt: 0.1 * hh,
    }),
    limb(groups.skin, face, at(0, 0.47, 0.335), at(0, 0.345, 0.405), 0.03 * hh, 0.052 * hh, {
      melt: 0.05 * hh,
    }),
  ];
  for (const s of [-1, 1]) {
    parts.push(egg(groups.skin, skin, at(s * 0.335, 0.43, -0.04), turn, [0.03 * hh, 0.1 * hh, 0.06 * hh], 0.03 * hh));
  }
  if (looks.wears === 'swimCap') return [...parts, ...swimCap(at, hh, bones, looks)];
  return [...parts, ...hairOf(at, hh, bones, looks), ...headgear(at, hh, bones, looks)];
}

type At = (x: number, y: number, z: number) => Vec3;

/** A place on the scalp: `down` degrees from the crown, `round` degrees from the front to the left; 1 is skin, more is above it. */
function onScalp(at: At, down: number, round: number, lift: number): Vec3 {
  const d = (down * Math.PI) / 180;
  const r = (round * Math.PI) / 180;
  const [x, y, z] = [Math.sin(d) * Math.sin(r), Math.cos(d), Math.sin(d) * Math.cos(r)];
  const lean = 0.42;
  const tall = y * Math.cos(lean) + z * Math.sin(lean) * 0.6;
  return at(
    x * 0.345 * lift,
    0.61 + tall * 0.385 * lift,
    -0.05 + (z * Math.cos(lean * 0.6) - y * Math.sin(lean) * 0.55) * 0.41 * lift,
  );
}

/** How far hair grows down from the crown in that direction: short over the brow, long at the neck. */
const hairline = (round: number): number => 62 + 52 * (0.5 - 0.5 * Math.cos((round * Math.PI) / 180)) ** 0.7;

/** Tufts that follow the skull from the whorl outwards, so that the hair has an edge and a grain. */
function locks(at: At, hh: number, hair: Surface, long: number, thick: number): Part[] {
  return Array.from({ length: 64 }, (_, i): Part => {
    const round = (i * 137.5) % 360;
    const wild = Math.sin(i * 12.9898) * 0.5 + Math.sin(i * 4.137) * 0.5;
    const end = hairline(round) * Math.min(1, 0.32 + 0.78 * Math.sqrt((i + 6) / 64)) + wild * 5;
    const start = Math.max(4, end - 30 * long);
    const root = onScalp(at, start, round - 9 * wild, 1.02);
    const tip = onScalp(at, end, round + 14 * wild, 1.05 + 0.07 * long * Math.abs(wild));
    return limb(groups.hair, hair, root, tip, thick * hh, thick * hh * 0.42, { melt: 0.022 * hh });
  });
}

/** Curls all over the scalp. */
function curls(at: At, hh: number, hair: Surface): Part[] {
  return Array.from({ length: 96 }, (_, i): Part => {
    const round = (i * 137.5) % 360;
    const wild = Math.sin(i * 12.9898) * 0.5 + Math.sin(i * 4.137) * 0.5;
    const spot = onScalp(at, hairline(round) * Math.sqrt((i + 1) / 96) * 0.97, round, 1.14 + 0.05 * wild);
    return limb(
      groups.hair,
      hair,
      spot,
      onScalp(at, hairline(round) * Math.sqrt((i + 1) / 96), round + 8, 1.1),
      (0.072 + 0.014 * wild) * hh,
      0.06 * hh,
      { melt: 0.02 * hh },
    );
  });
}

function hairOf(at: At, hh: number, bones: Skeleton, looks: Looks): Part[] {
  if (looks.hair === 'bald') return [];
  const hair: Surface = {
    kind: 'hair',
    color: looks.hairColor,
    frame: { at: bones.head, turn: bones.headTurn },
    unit: hh,
  };
  const turn = turns(bones.headTurn, turnX(-24));
  const g = groups.hair;
  const m = 0.1 * hh;
  const f = 0.032 * hh;
  const shell = (thick: number): Part[] => [
    egg(g, hair, at(0, 0.665, -0.06), turn, [(0.335 + thick) * hh, (0.36 + thick) * hh, (0.395 + thick) * hh], m, f),
    egg(g, hair, at(0, 0.45, -0.21), bones.headTurn, [(0.275 + thick) * hh, 0.27 * hh, (0.2 + thick) * hh], m, f),
  ];
  const flying = looks.flying ?? 0;
  const swing = (from: Vec3, length: number, fall: number): readonly Vec3[] => {
    const back = bones.headTurn[2];
    return Array.from({ length: 5 }, (_, i): Vec3 => {
      const k = (i / 4) * length * hh;
      const out = 0.25 + flying * 0.75;
      return add(from, [
        -back[0] * k * out + 0.02 * Math.sin(i * 2),
        -k * fall * (1 - flying * 0.75) + flying * 0.05 * Math.sin(i * 1.6) * hh,
        -back[2] * k * out,
      ]);
    });
  };
  const strand = (points: readonly Vec3[], thick: number): Part[] =>
    points
      .slice(1)
      .map((p, i) =>
        limb(
          groups.tail,
          hair,
          points[i]!,
          p,
          thick * hh * (1 - i * 0.12) * (i === 0 ? 0.7 : 1),
          thick * hh * (0.95 - i * 0.2),
          { melt: 0.06 * hh, folds: 0.02 * hh },
        ),
      );
  switch (looks.hair) {
    case 'crop':
      return [...shell(-0.004), ...locks(at, hh, hair, 0.5, 0.05)];
    case 'short':
      return [...shell(0), ...locks(at, hh, hair, 1, 0.075)];
    case 'mop':
      return [...shell(0.02), ...locks(at, hh, hair, 1.5, 0.1)];
    case 'afro':
      return [...shell(0.05), ...curls(at, hh, hair)];
    case 'bun':
      return [
        ...shell(0.01),
        egg(groups.tail, hair, at(0, 0.86, -0.42), bones.headTurn, [0.15 * hh, 0.15 * hh, 0.15 * hh], 0.02, f),
      ];
    case 'braids':
      return [
        ...shell(0.01),
        ...strand(swing(at(0.2, 0.34, -0.26), 0.85, 1), 0.075),
        ...strand(swing(at(-0.2, 0.34, -0.26), 0.85, 1), 0.075),
      ];
    case 'long':
      return [
        ...shell(0.03),
        ...strand(swing(at(0.13, 0.42, -0.3), 0.85, 1), 0.17),
        ...strand(swing(at(-0.13, 0.42, -0.3), 0.85, 1), 0.17),
      ];
    default:
      return [...shell(0.008), ...strand(swing(at(0, 0.72, -0.45), 0.95, 1), 0.115)];
  }
}

function headgear(at: At, hh: number, bones: Skeleton, looks: Looks): Part[] {
  const color = looks.wearColor ?? paintOf('#1d2b33');
  const cloth: Surface = { kind: 'cloth', color };
  switch (looks.wears) {
    case 'cap': {
      const turn = turns(bones.headTurn, turnX(-6));
      return [
        egg(groups.cap, cloth, at(0, 0.7, -0.04), turn, [0.375 * hh, 0.36 * hh, 0.43 * hh], 0.02),
        limb(groups.cap + 5, cloth, at(0, 0.74, 0.24), at(0, 0.7, 0.56), 0.21 * hh, 0.2 * hh, {
          wide: 1.25,
          deep: 0.09,
          side: bones.headTurn[0],
          melt: 0.005,
        }),
      ];
    }
    case 'beanie':
      return [
        egg(groups.cap, cloth, at(0, 0.74, -0.05), bones.headTurn, [0.385 * hh, 0.37 * hh, 0.43 * hh], 0.02, 0.01 * hh),
      ];
    case 'band':
      return [egg(groups.band, cloth, at(0, 0.68, -0.04), bones.headTurn, [0.372 * hh, 0.055 * hh, 0.43 * hh], 0.005)];
    default:
      return [];
  }
}

function swimCap(at: At, hh: number, bones: Skeleton, looks: Looks): Part[] {
  const rubber: Surface = { kind: 'smooth', color: looks.wearColor ?? paintOf('#19b5b8') };
  const turn = turns(bones.headTurn, turnX(-20));
  const strap: Surface = { kind: 'smooth', color: [0.02, 0.025, 0.03] };
  const lens: Surface = { kind: 'metal', color: [0.02, 0.05, 0.09] };
  return [
    egg(groups.cap, rubber, at(0, 0.63, -0.075), turn, [0.352 * hh, 0.4 * hh, 0.41 * hh], 0.02),
    egg(
      groups.band,
      strap,
      times(add(at(0, 0.5, -0.05), at(0, 0.52, -0.05)), 0.5),
      bones.headTurn,
      [0.362 * hh, 0.022 * hh, 0.42 * hh],
      0.002,
    ),
    ...[-1, 1].map((s) =>
      egg(groups.glass, lens, at(s * 0.145, 0.475, 0.3), bones.headTurn, [0.085 * hh, 0.055 * hh, 0.06 * hh], 0.005),
    ),
  ];
}
