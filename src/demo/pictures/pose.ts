/** How a body holds itself, in degrees at the joints. */
import type { Chance } from './chance.ts';

/** flex (ahead and up), out (to the side; of an arm above the head: inwards), twist (inwards), bend of elbow or knee, bend of wrist or ankle (toe up). */
export type LimbPose = readonly [number, number, number, number, number];

export type Pose = {
  /** Pelvis: forward lean, roll to the left, turn. */
  readonly lean: number;
  readonly roll: number;
  readonly turn: number;
  /** Back against the pelvis: bend ahead, twist, sway. */
  readonly bend: number;
  readonly twist: number;
  readonly sway: number;
  /** Head against the chest: nod, look to the left, tilt. */
  readonly nod: number;
  readonly look: number;
  readonly tilt: number;
  readonly armL: LimbPose;
  readonly armR: LimbPose;
  readonly legL: LimbPose;
  readonly legR: LimbPose;
  /** Metres between the lowest point and the ground. */
  readonly air: number;
  /** Fixed height of the hips, for seats and water. */
  readonly hips?: number;
};

const still = {
  lean: 0,
  roll: 0,
  turn: 0,
  bend: 0,
  twist: 0,
  sway: 0,
  nod: 0,
  look: 0,
  tilt: 0,
  air: 0,
};
export const hang: LimbPose = [4, 9, 20, 14, 0];
const stand: LimbPose = [1, 4, -8, 3, 0];
/** A pose by what differs from standing at ease. */
export const pose = (changes: Partial<Pose>): Pose => ({
  ...still,
  armL: hang,
  armR: hang,
  legL: stand,
  legR: [-3, 4, -9, 2, 0],
  ...changes,
});

/** Left and right exchanged. */
export const mirrored = (p: Pose): Pose => ({
  ...p,
  roll: -p.roll,
  turn: -p.turn,
  twist: -p.twist,
  sway: -p.sway,
  look: -p.look,
  tilt: -p.tilt,
  armL: p.armR,
  armR: p.armL,
  legL: p.legR,
  legR: p.legL,
});

/** Nobody holds a pose twice: every joint off by a few degrees. */
export function loosened(p: Pose, chance: Chance, degrees: number): Pose {
  const off = (x: number, k = 1): number => x + chance.normal() * degrees * k;
  const loose = (l: LimbPose): LimbPose => [
    off(l[0]),
    off(l[1], 0.6),
    off(l[2]),
    Math.max(0, off(l[3])),
    off(l[4], 0.5),
  ];
  return {
    ...p,
    lean: off(p.lean, 0.5),
    roll: off(p.roll, 0.4),
    turn: off(p.turn, 0.8),
    bend: off(p.bend, 0.5),
    twist: off(p.twist, 0.8),
    sway: off(p.sway, 0.5),
    nod: off(p.nod, 0.7),
    look: off(p.look, 2),
    tilt: off(p.tilt, 0.8),
    armL: loose(p.armL),
    armR: loose(p.armR),
    legL: loose(p.legL),
    legR: loose(p.legR),
  };
}
