/** A person: flesh on the joints of a skeleton, then clothes over it. */
import { add, apply, mix, paintOf, times } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';
import { egg, limb } from './solid.ts';
import type { Part } from './solid.ts';
import type { Side, Skeleton } from './skeleton.ts';
import type { Surface } from './surface.ts';
import { handOf } from './hand.ts';
import { headOf } from './head.ts';
import type { Looks } from './head.ts';

export type Outfit = {
  readonly shirt: Rgb;
  readonly shirtSecond?: Rgb;
  readonly shirtTrim?: Rgb;
  readonly pattern?: Surface['pattern'];
  readonly number?: string;
  readonly sleeves: 'short' | 'long' | 'none';
  /** `suit` is a swimsuit, `brief` swimming trunks only. */
  readonly legs: 'shorts' | 'trousers' | 'skirt' | 'suit' | 'trunks';
  readonly bottom: Rgb;
  readonly bottomTrim?: Rgb;
  readonly socks?: Rgb;
  readonly sockTrim?: Rgb;
  readonly shoes?: Rgb;
  readonly shoeTrim?: Rgb;
  readonly gloves?: Rgb;
  readonly jacket?: boolean;
};

export type Build = { readonly skin: Rgb; readonly heft: number; readonly looks: Looks };

const groups = {
  skin: 0,
  shirt: 10,
  sleeveL: 11,
  sleeveR: 12,
  bottom: 13,
  sockL: 14,
  sockR: 15,
  shoes: 16,
  gloves: 17,
};

/** The parts of one person; `bodyOf` makes them one body, together with whatever the person holds. */
export function personParts(bones: Skeleton, build: Build, outfit: Outfit): Part[] {
  const swims = outfit.legs === 'suit' || outfit.legs === 'trunks';
  return [
    ...flesh(bones, build, swims ? outfit : undefined),
    ...headOf(bones, build.skin, build.looks),
    ...(swims ? [] : [...shirt(bones, build, outfit), ...bottoms(bones, build, outfit)]),
    ...[bones.left, bones.right].flatMap((side, i) => footwear(side, bones.height, build, outfit, i)),
  ];
}

/** From shoulder to shoulder and up to the neck: the slope that a shirt hangs on. */
function yoke(bones: Skeleton, group: number, surface: Surface, thick: number, melt: number, folds: number): Part[] {
  const top = add(bones.neck, times(bones.chestTurn[1], -0.022 * bones.height));
  const base = add(bones.chest, times(bones.chestTurn[1], 0.05 * bones.height));
  return [bones.left, bones.right].flatMap((side) => [
    limb(group, surface, top, side.shoulder, thick * 0.9, thick * 0.92, {
      melt: melt * 0.7,
      folds,
    }),
    limb(group, surface, base, side.shoulder, thick * 1.3, thick, { melt: melt * 0.7, folds }),
  ]);
}

function flesh(bones: Skeleton, build: Build, suit: Outfit | undefined): Part[] {
  const h = bones.height;
  const k = h * (0.92 + build.heft * 0.16);
  const skin: Surface = { kind: 'skin', color: build.skin };
  const g = groups.skin;
  const cloth: Surface = suit
    ? { kind: 'cloth', color: suit.shirt, frame: { at: bones.chest, turn: bones.chestTurn } }
    : skin;
  const trunks: Surface = suit ? { kind: 'cloth', color: suit.bottom } : skin;
  const torso = suit?.legs === 'suit' ? cloth : skin;
  const belly = add(bones.pelvis, apply(bones.pelvisTurn, [0, 0.06 * h, 0.004 * h]));
  const melt = 0.045 * h;
  const parts: Part[] = [
    egg(
      g,
      trunks,
      add(bones.pelvis, apply(bones.pelvisTurn, [0, 0.0, -0.006 * h])),
      bones.pelvisTurn,
      [0.087 * k, 0.066 * k, 0.062 * k],
      melt,
    ),
    limb(g, torso, belly, bones.chest, 0.058 * k, 0.064 * k, {
      wide: 1.28,
      deep: 0.92,
      side: bones.chestTurn[0],
      melt,
    }),
    egg(
      g,
      torso,
      add(bones.chest, apply(bones.chestTurn, [0, 0.015 * h, 0])),
      bones.chestTurn,
      [0.088 * k, 0.075 * h, 0.06 * k],
      melt,
    ),
    ...yoke(bones, g, torso, 0.03 * k, melt, 0),
    limb(
      g,
      skin,
      add(bones.neck, times(bones.chestTurn[1], -0.03 * h)),
      add(bones.head, times(bones.headTurn[1], 0.035 * h)),
      0.034 * k,
      0.029 * k,
      { melt: 0.03 * h },
    ),
  ];
  for (const side of [bones.left, bones.right]) {
    const upper = side.upperArm;
    const calf = add(mix(side.knee, side.ankle, 0.3), times(side.shank[2], -0.008 * h));
    const thighMid = add(mix(side.hip, side.knee, 0.35), times(side.thigh[2], 0.007 * h));
    parts.push(
      egg(
        g,
        skin,
        add(side.shoulder, times(upper[1], -0.014 * h)),
        upper,
        [0.033 * k, 0.042 * k, 0.035 * k],
        melt * 0.7,
      ),
      limb(g, skin, side.shoulder, side.elbow, 0.031 * k, 0.0225 * k, { melt: 0.02 * h }),
      limb(g, skin, mix(side.elbow, side.wrist, 0.16), mix(side.elbow, side.wrist, 0.4), 0.0245 * k, 0.022 * k, {
        melt: 0.02 * h,
      }),
      limb(g, skin, side.elbow, side.wrist, 0.0215 * k, 0.0148 * k, { melt: 0.02 * h }),
      ...handOf(g, side, h, skin),
      limb(g, trunks, side.hip, mix(side.hip, side.knee, suit ? 0.34 : 0.5), 0.054 * k, 0.046 * k, {
        melt: 0.03 * h,
      }),
      limb(g, skin, thighMid, side.knee, 0.046 * k, 0.031 * k, { melt: 0.02 * h }),
      egg(
        g,
        skin,
        add(side.knee, times(side.thigh[2], 0.006 * h)),
        side.shank,
        [0.03 * k, 0.034 * k, 0.031 * k],
        0.02 * h,
      ),
      limb(g, skin, side.knee, side.ankle, 0.03 * k, 0.0185 * k, { melt: 0.02 * h }),
      egg(g, skin, calf, side.shank, [0.031 * k, 0.066 * h, 0.033 * k], 0.03 * h),
    );
  }
  return parts;
}

function shirt(bones: Skeleton, build: Build, outfit: Outfit): Part[] {
  const h = bones.height;
  const k = h * (0.94 + build.heft * 0.18);
  const g = groups.shirt;
  const surface: Surface = {
    kind: 'jersey',
    color: outfit.shirt,
    frame: { at: bones.chest, turn: bones.chestTurn },
    unit: 0.3 * h,
    ...(outfit.shirtSecond && { second: outfit.shirtSecond }),
    ...(outfit.shirtTrim && { trim: outfit.shirtTrim }),
    ...(outfit.pattern && { pattern: outfit.pattern }),
    ...(outfit.number && { text: outfit.number }),
  };
  const thick = outfit.jacket ? 1.12 : 1;
  const folds = (outfit.jacket ? 0.008 : 0.0065) * h;
  const melt = 0.05 * h;
  const hem = add(bones.pelvis, apply(bones.pelvisTurn, [0, -0.035 * h, -0.003 * h]));
  const waist = add(bones.pelvis, apply(bones.pelvisTurn, [0, 0.085 * h, 0.003 * h]));
  const collar: Surface = { kind: 'cloth', color: outfit.shirtTrim ?? outfit.shirt };
  const parts: Part[] = [
    limb(g, surface, waist, hem, 0.074 * k * thick, 0.087 * k * thick, {
      wide: 1.46,
      deep: 1.04,
      side: bones.pelvisTurn[0],
      melt,
      folds,
      cut: true,
    }),
    limb(g, surface, bones.chest, waist, 0.073 * k * thick, 0.071 * k * thick, {
      wide: 1.3,
      deep: 0.93,
      side: bones.chestTurn[0],
      melt,
      folds: folds * 0.9,
    }),
    egg(
      g,
      surface,
      add(bones.chest, apply(bones.chestTurn, [0, 0.02 * h, 0])),
      bones.chestTurn,
      [0.095 * k * thick, 0.077 * h, 0.067 * k * thick],
      melt,
      folds * 0.5,
    ),
    ...yoke(bones, g, surface, 0.0345 * k * thick, melt, folds * 0.3),
    limb(
      groups.shirt + 9,
      collar,
      add(bones.neck, times(bones.chestTurn[1], -0.03 * h)),
      add(bones.neck, times(bones.chestTurn[1], 0.002 * h)),
      0.042 * k,
      0.0365 * k,
      { melt: 0.01, cut: true },
    ),
  ];
  [bones.left, bones.right].forEach((side, i) => {
    if (outfit.sleeves === 'none') return;
    const sleeveGroup = i === 0 ? groups.sleeveL : groups.sleeveR;
    const sleeve: Surface = {
      kind: 'sleeve',
      color: outfit.pattern === 'sides' && outfit.shirtSecond ? outfit.shirtSecond : outfit.shirt,
      frame: { at: side.shoulder, turn: side.upperArm },
      unit: 0.124 * h,
      ...(outfit.shirtTrim && outfit.sleeves === 'short' && { trim: outfit.shirtTrim }),
    };
    const end = mix(side.shoulder, side.elbow, outfit.sleeves === 'short' ? 0.74 : 1);
    const wide = outfit.sleeves === 'short' ? 0.0405 : 0.032;
    parts.push(
      limb(g, surface, side.shoulder, mix(side.shoulder, side.elbow, 0.3), 0.0365 * k * thick, 0.036 * k * thick, {
        melt: 0.03 * h,
        folds: folds * 0.6,
      }),
    );
    parts.push(
      limb(sleeveGroup, sleeve, mix(side.shoulder, side.elbow, 0.12), end, 0.0375 * k * thick, wide * k * thick, {
        melt: 0.02,
        folds: folds * 0.7,
        cut: outfit.sleeves === 'short',
      }),
    );
    if (outfit.sleeves === 'long') {
      parts.push(
        limb(sleeveGroup, sleeve, side.elbow, mix(side.elbow, side.wrist, 0.93), 0.033 * k * thick, 0.024 * k * thick, {
          melt: 0.03 * h,
          folds,
          cut: true,
        }),
      );
    }
  });
  return parts;
}

/** The thigh's directions with x pointing away from the other leg. */
const outward = (side: Side, bones: Skeleton): Side['thigh'] =>
  side === bones.left ? side.thigh : [times(side.thigh[0], -1), side.thigh[1], side.thigh[2]];

function bottoms(bones: Skeleton, build: Build, outfit: Outfit): Part[] {
  const h = bones.height;
  const k = h * (0.94 + build.heft * 0.16);
  const g = groups.bottom;
  const folds = 0.0065 * h;
  const surface = (side?: Side): Surface => ({
    kind: outfit.legs === 'trousers' ? 'cloth' : 'shorts',
    color: outfit.bottom,
    unit: 0.12 * h,
    ...(side && { frame: { at: side.hip, turn: outward(side, bones) } }),
    ...(outfit.bottomTrim && { trim: outfit.bottomTrim }),
  });
  const parts: Part[] = [
    egg(
      g,
      { ...surface(), kind: 'cloth' },
      add(bones.pelvis, apply(bones.pelvisTurn, [0, -0.004 * h, -0.006 * h])),
      bones.pelvisTurn,
      [0.088 * k, 0.066 * k, 0.064 * k],
      0.035 * h,
      folds * 0.6,
    ),
  ];
  for (const side of [bones.left, bones.right]) {
    if (outfit.legs === 'trousers') {
      parts.push(
        limb(g, surface(side), side.hip, side.knee, 0.064 * k, 0.049 * k, {
          melt: 0.035 * h,
          folds,
        }),
      );
      parts.push(
        limb(g, surface(side), side.knee, mix(side.knee, side.ankle, 0.97), 0.048 * k, 0.04 * k, {
          melt: 0.03 * h,
          folds: folds * 1.2,
          cut: true,
        }),
      );
    } else {
      const end = mix(side.hip, side.knee, outfit.legs === 'skirt' ? 0.5 : 0.72);
      parts.push(
        limb(
          g,
          surface(side),
          mix(side.hip, side.knee, 0.08),
          end,
          0.057 * k,
          (outfit.legs === 'skirt' ? 0.08 : 0.066) * k,
          { melt: 0.03 * h, folds, cut: true, wide: 1.03, deep: 1.08, side: side.thigh[0] },
        ),
      );
    }
  }
  return parts;
}

function footwear(side: Side, h: number, build: Build, outfit: Outfit, index: number): Part[] {
  const parts: Part[] = [];
  const foot = { side: side.foot[0], wide: 1.08, deep: 0.9 };
  const ball = mix(side.heel, side.toe, 0.72);
  const shoe: Surface = outfit.shoes
    ? {
        kind: 'boot',
        color: outfit.shoes,
        frame: { at: side.ankle, turn: side.foot },
        unit: 0.055 * h,
        ...(outfit.shoeTrim && { trim: outfit.shoeTrim }),
      }
    : { kind: 'skin', color: build.skin };
  const g = outfit.shoes ? groups.shoes + index * 5 : groups.skin;
  const lift = (v: Vec3, by: number): Vec3 => add(v, times(side.foot[1], by * h));
  parts.push(
    limb(g, shoe, lift(side.heel, 0.018), lift(ball, 0.014), 0.0215 * h, 0.0205 * h, {
      ...foot,
      melt: 0.02 * h,
    }),
    limb(g, shoe, lift(ball, 0.014), lift(side.toe, 0.011), 0.0205 * h, 0.0155 * h, {
      ...foot,
      wide: 1.25,
      melt: 0.02 * h,
    }),
    limb(g, shoe, lift(side.ankle, 0.002), lift(mix(side.heel, side.toe, 0.42), 0.022), 0.0205 * h, 0.017 * h, {
      melt: 0.03 * h,
    }),
  );
  if (outfit.shoes) {
    const sole: Surface = { kind: 'smooth', color: outfit.shoeTrim ?? paintOf('#20242a') };
    parts.push(
      limb(g + 1, sole, lift(side.heel, 0.003), lift(side.toe, 0.003), 0.0125 * h, 0.0125 * h, {
        side: side.foot[0],
        wide: 1.5,
        deep: 0.6,
        melt: 0.01,
      }),
    );
  }
  if (outfit.socks && outfit.legs !== 'trousers') {
    const surface: Surface = {
      kind: 'sock',
      color: outfit.socks,
      frame: { at: side.ankle, turn: side.shank },
      unit: 0.2 * h,
      ...(outfit.sockTrim && { trim: outfit.sockTrim }),
    };
    const sg = index === 0 ? groups.sockL : groups.sockR;
    const top = mix(side.ankle, side.knee, 0.83);
    const calf = add(mix(side.knee, side.ankle, 0.32), times(side.shank[2], -0.007 * h));
    parts.push(
      limb(sg, surface, lift(side.ankle, -0.006), top, 0.0225 * h, 0.0345 * h, {
        melt: 0.02 * h,
        folds: 0.0012 * h,
        cut: true,
      }),
      egg(sg, surface, calf, side.shank, [0.0345 * h, 0.062 * h, 0.0365 * h], 0.03 * h),
      egg(
        sg,
        surface,
        add(mix(side.ankle, side.knee, 0.45), times(side.shank[2], 0.008 * h)),
        side.shank,
        [0.027 * h, 0.085 * h, 0.029 * h],
        0.02 * h,
      ),
    );
  }
  if (outfit.gloves) parts.push(...handOf(groups.gloves, side, h, { kind: 'cloth', color: outfit.gloves }));
  return parts;
}
