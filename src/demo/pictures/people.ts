/** The cast: kits of the clubs, builds and faces of many kinds, and short ways to put somebody somewhere. */
import { chanceOf } from './chance.ts';
import type { Chance } from './chance.ts';
import { personParts } from './figure.ts';
import type { Build, Outfit } from './figure.ts';
import type { Hair, Looks } from './head.ts';
import { loosened, mirrored } from './pose.ts';
import { poses } from './poses.ts';
import type { Pose } from './pose.ts';
import type { PoseName } from './poses.ts';
import { skeletonOf } from './skeleton.ts';
import type { Skeleton } from './skeleton.ts';
import { bodyOf } from './solid.ts';
import type { Part } from './solid.ts';
import type { Thing } from './render.ts';
import { paintOf } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';

export const hues = {
  teal: paintOf('#0a4552'),
  navy: paintOf('#10263d'),
  gold: paintOf('#f2b32c'),
  white: paintOf('#e9ebe8'),
  red: paintOf('#96202a'),
  black: paintOf('#17191c'),
  aqua: paintOf('#19b9bd'),
  coral: paintOf('#f2694f'),
  grey: paintOf('#8b9299'),
  lime: paintOf('#b8dc2e'),
  orange: paintOf('#ee7b1c'),
  denim: paintOf('#39506e'),
  khaki: paintOf('#a8946c'),
  sky: paintOf('#7db4d8'),
  rose: paintOf('#c96f81'),
  cream: paintOf('#e5dcc5'),
  forest: paintOf('#2c5140'),
  plum: paintOf('#5b3558'),
  rust: paintOf('#a4512c'),
} as const satisfies Record<string, Rgb>;

const skins: readonly Rgb[] = [
  '#b88b70',
  '#b08266',
  '#b07f60',
  '#a1704f',
  '#87593a',
  '#6d432b',
  '#523321',
  '#b4866a',
  '#7a5036',
].map(paintOf);
const hairs: readonly Rgb[] = [
  '#15110f',
  '#241812',
  '#3d2818',
  '#5c3b1f',
  '#8a6234',
  '#b68d4c',
  '#1b1512',
  '#6e2f17',
  '#2b1e17',
].map(paintOf);

export const kits = {
  hawks: {
    shirt: hues.teal,
    shirtSecond: hues.navy,
    shirtTrim: hues.gold,
    pattern: 'sides',
    sleeves: 'short',
    legs: 'shorts',
    bottom: hues.navy,
    bottomTrim: hues.gold,
    socks: hues.teal,
    sockTrim: hues.gold,
    shoes: hues.black,
    shoeTrim: hues.gold,
  },
  hawksKeeper: {
    shirt: hues.orange,
    shirtSecond: hues.black,
    shirtTrim: hues.black,
    pattern: 'sides',
    sleeves: 'long',
    legs: 'shorts',
    bottom: hues.black,
    socks: hues.orange,
    sockTrim: hues.black,
    shoes: hues.white,
    shoeTrim: hues.orange,
    gloves: hues.white,
  },
  rivals: {
    shirt: hues.red,
    shirtSecond: hues.white,
    shirtTrim: hues.white,
    pattern: 'plain',
    sleeves: 'short',
    legs: 'shorts',
    bottom: hues.white,
    bottomTrim: hues.red,
    socks: hues.red,
    sockTrim: hues.white,
    shoes: hues.white,
    shoeTrim: hues.red,
  },
  rivalsKeeper: {
    shirt: hues.lime,
    shirtTrim: hues.black,
    pattern: 'plain',
    sleeves: 'long',
    legs: 'shorts',
    bottom: hues.black,
    socks: hues.lime,
    sockTrim: hues.black,
    shoes: hues.black,
    shoeTrim: hues.lime,
    gloves: hues.black,
  },
  referee: {
    shirt: hues.black,
    shirtTrim: hues.white,
    pattern: 'plain',
    sleeves: 'short',
    legs: 'shorts',
    bottom: hues.black,
    socks: hues.black,
    sockTrim: hues.white,
    shoes: hues.black,
    shoeTrim: hues.white,
  },
  coach: {
    shirt: hues.navy,
    shirtTrim: hues.gold,
    pattern: 'plain',
    sleeves: 'long',
    legs: 'trousers',
    bottom: hues.khaki,
    shoes: hues.white,
    shoeTrim: hues.grey,
    jacket: true,
  },
} as const satisfies Record<string, Outfit>;

function randomBuild(chance: Chance, changes: Partial<Looks> = {}): Build {
  const skin = chance.pick(skins);
  const dark = skin[0] < 0.25;
  const hair = chance.pick<Hair>(
    dark
      ? ['crop', 'short', 'afro', 'braids', 'tail', 'bun']
      : ['short', 'mop', 'tail', 'crop', 'long', 'bun', 'tail', 'braids', 'short'],
  );
  return {
    skin,
    heft: chance.between(-0.2, 0.4),
    looks: { hair, hairColor: dark ? hairs[0]! : chance.pick(hairs), flying: 0, ...changes },
  };
}

/** Clothes of people who came to watch. */
export function streetClothes(chance: Chance, team: 'hawks' | 'tides' | 'none' = 'none'): Outfit {
  const cheerful =
    team === 'hawks'
      ? [hues.teal, hues.navy, hues.gold, hues.teal]
      : team === 'tides'
        ? [hues.aqua, hues.coral, hues.aqua]
        : [hues.white, hues.grey, hues.rose, hues.sky, hues.cream, hues.forest, hues.plum, hues.rust, hues.red];
  const shirt = chance.happens(0.68)
    ? chance.pick(cheerful)
    : chance.pick([hues.white, hues.grey, hues.cream, hues.sky, hues.forest, hues.rust]);
  const long = chance.happens(0.3);
  return {
    shirt,
    sleeves: long ? 'long' : 'short',
    jacket: long,
    legs: chance.happens(0.55) ? 'trousers' : 'shorts',
    bottom: chance.pick([hues.denim, hues.khaki, hues.navy, hues.grey, hues.denim, hues.black]),
    shoes: chance.pick([hues.white, hues.grey, hues.black, hues.rust, hues.navy]),
    shoeTrim: hues.white,
    socks: hues.white,
  };
}

export type Person = {
  readonly pose: PoseName | Pose;
  readonly at: Vec3;
  readonly facing: number;
  readonly outfit: Outfit;
  readonly seed: number;
  readonly height?: number;
  readonly number?: string;
  readonly mirror?: boolean;
  /** Changes to the pose in degrees or metres. */
  readonly change?: Partial<Pose>;
  readonly looks?: Partial<Looks>;
  readonly loose?: number;
  readonly heft?: number;
};

/** Bones and parts of a person, for scenes that hang something on the hands. */
export function dress(person: Person): { bones: Skeleton; parts: Part[] } {
  const chance = chanceOf(person.seed * 13 + 5);
  const build = randomBuild(chance, person.looks);
  const height = person.height ?? chance.between(1.48, 1.64);
  const named = typeof person.pose === 'string' ? poses[person.pose] : person.pose;
  const turned = person.mirror ? mirrored(named) : named;
  const held: Pose = { ...loosened(turned, chance, person.loose ?? 4), ...person.change };
  const bones = skeletonOf(held, { at: person.at, facing: person.facing, height });
  const outfit = person.number ? { ...person.outfit, number: person.number } : person.outfit;
  return {
    bones,
    parts: personParts(bones, { ...build, heft: person.heft ?? build.heft }, outfit),
  };
}

export const person = (p: Person): Thing => ({ body: bodyOf(dress(p).parts) });
