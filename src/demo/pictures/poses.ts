/** How bodies hold themselves on a match day, in degrees at the joints. */
import type { Chance } from './chance.ts';

/** flex (ahead and up), out (to the side), twist (inwards), bend of elbow or knee, bend of wrist or ankle (toe up). */
export type LimbPose = readonly [number, number, number, number, number];

export type Pose = {
  /** Pelvis: forward lean, roll to the left, turn. */
  readonly lean: number; readonly roll: number; readonly turn: number;
  /** Back against the pelvis: bend ahead, twist, sway. */
  readonly bend: number; readonly twist: number; readonly sway: number;
  /** Head against the chest: nod, look to the left, tilt. */
  readonly nod: number; readonly look: number; readonly tilt: number;
  readonly armL: LimbPose; readonly armR: LimbPose; readonly legL: LimbPose; readonly legR: LimbPose;
  /** Metres between the lowest point and the ground. */
  readonly air: number;
  /** Fixed height of the hips, for seats and water. */
  readonly hips?: number;
};

const still = { lean: 0, roll: 0, turn: 0, bend: 0, twist: 0, sway: 0, nod: 0, look: 0, tilt: 0, air: 0 };
const hang: LimbPose = [4, 9, 20, 14, 0];
const stand: LimbPose = [1, 4, -8, 3, 0];
const pose = (changes: Partial<Pose>): Pose => ({ ...still, armL: hang, armR: hang, legL: stand, legR: [-3, 4, -9, 2, 0], ...changes });

export const poses = {
  sprint: pose({ lean: 15, bend: 6, twist: 16, turn: -8, armL: [-52, 12, 10, 88, 0], armR: [48, 4, 28, 98, 0], legL: [74, 2, 0, 92, 5], legR: [-24, 2, 0, 22, -32], air: 0.03 }),
  run: pose({ lean: 9, bend: 5, twist: -12, turn: 6, armL: [36, 6, 30, 82, 0], armR: [-40, 14, 10, 74, 0], legL: [-14, 3, 0, 84, -18], legR: [30, 2, 0, 22, 4] }),
  stride: pose({ lean: 11, bend: 3, twist: 10, turn: -6, armL: [-36, 18, 10, 62, 0], armR: [38, 12, 30, 76, 0], legL: [46, 4, 0, 34, 12], legR: [-28, 3, 0, 44, -25], air: 0.1 }),
  jog: pose({ lean: 5, bend: 3, twist: -6, armL: [20, 8, 25, 75, 0], armR: [-24, 10, 15, 70, 0], legL: [-10, 3, 0, 50, -8], legR: [18, 2, 0, 16, 2] }),
  walk: pose({ lean: 2, twist: 7, turn: -4, armL: [-20, 7, 15, 16, 0], armR: [18, 6, 20, 22, 0], legL: [22, 2, -4, 8, 8], legR: [-17, 2, -4, 16, -14] }),
  windup: pose({ lean: 4, bend: 8, twist: -26, turn: 12, sway: 6, nod: 20, armL: [58, 62, 10, 22, 0], armR: [-42, 38, 10, 30, 0], legL: [16, 10, 0, 26, 6], legR: [-38, 10, 0, 94, -32] }),
  strike: pose({ lean: -7, bend: 16, twist: 20, turn: -12, roll: -4, nod: 18, armL: [-25, 58, 10, 24, 0], armR: [42, 44, 10, 30, 0], legL: [-6, 8, 0, 16, -6], legR: [46, 4, 0, 20, -36] }),
  follow: pose({ lean: -14, bend: 14, twist: 26, turn: -14, armL: [-30, 66, 10, 20, 0], armR: [60, 40, 10, 26, 0], legL: [-14, 6, 0, 8, -28], legR: [88, -4, 0, 14, -30], air: 0.04 }),
  pass: pose({ lean: 3, bend: 12, twist: 14, turn: -10, nod: 22, armL: [-18, 42, 10, 30, 0], armR: [26, 34, 10, 34, 0], legL: [6, 8, -14, 24, 4], legR: [34, 12, -55, 20, 8] }),
  dribble: pose({ lean: 12, bend: 12, twist: -10, nod: 14, armL: [24, 26, 20, 56, 0], armR: [-30, 30, 10, 52, 0], legL: [-16, 4, 0, 46, -20], legR: [38, 4, -8, 36, -14] }),
  shield: pose({ lean: 16, bend: 8, sway: -8, nod: 8, armL: [10, 66, 20, 62, 0], armR: [-10, 48, 10, 40, 0], legL: [36, 18, -10, 52, 10], legR: [8, 16, -10, 34, 8] }),
  jockey: pose({ lean: 18, bend: 8, nod: 2, armL: [18, 38, 20, 48, 0], armR: [10, 40, 20, 44, 0], legL: [46, 16, -12, 58, 12], legR: [30, 18, -12, 50, 14] }),
  header: pose({ lean: -4, bend: 10, nod: 16, armL: [38, 54, 20, 66, 0], armR: [20, 62, 20, 72, 0], legL: [-6, 8, 0, 58, -26], legR: [18, 8, 0, 76, -26], air: 0.46 }),
  challenge: pose({ lean: 6, bend: 4, sway: 8, nod: -12, armL: [20, 60, 20, 50, 0], armR: [64, 34, 20, 60, 0], legL: [24, 6, 0, 70, -24], legR: [-12, 6, 0, 40, -30], air: 0.32 }),
  throwIn: pose({ lean: -6, bend: -14, nod: -4, armL: [168, 12, 24, 62, 20], armR: [168, 12, 24, 62, 20], legL: [24, 4, -4, 22, 4], legR: [-22, 4, -4, 18, -30] }),
  tackle: pose({ lean: -46, bend: 20, twist: -18, roll: 12, nod: 14, armL: [-38, 44, 0, 24, 0], armR: [10, 70, 10, 20, 0], legL: [64, 22, 0, 112, 0], legR: [72, 4, 0, 10, 12] }),
  keeperSet: pose({ lean: 24, bend: 10, nod: 4, armL: [34, 34, 30, 54, 10], armR: [34, 34, 30, 54, 10], legL: [48, 17, -12, 62, 14], legR: [48, 17, -12, 62, 14] }),
  dive: pose({ roll: 66, lean: 6, sway: 16, twist: -10, look: 12, nod: -10, armL: [150, 26, 10, 10, 20], armR: [168, 8, 10, 22, 20], legL: [2, 4, 0, 40, -30], legR: [30, 20, 0, 64, -28], air: 0.55 }),
  save: pose({ lean: -6, bend: -6, nod: -22, sway: 10, armL: [172, 16, 0, 12, 14], armR: [164, 4, 10, 16, 14], legL: [4, 8, 0, 22, -32], legR: [40, 12, 0, 82, -26], air: 0.38 }),
  punt: pose({ lean: -12, bend: 20, twist: 16, nod: 8, armL: [36, 52, 10, 20, 0], armR: [-30, 54, 10, 20, 0], legL: [-4, 4, 0, 8, -22], legR: [98, 0, 0, 8, -32], air: 0.02 }),
  joy: pose({ lean: -6, bend: -8, nod: -16, armL: [20, 112, 0, 24, 0], armR: [20, 106, 0, 30, 0], legL: [52, 6, 0, 62, -8], legR: [-16, 4, 0, 40, -26], air: 0.04 }),
  fist: pose({ lean: -4, bend: -8, nod: -18, twist: -14, armL: [30, 30, 10, 96, 0], armR: [172, 12, 0, 22, 20], legL: [48, 8, 0, 88, -22], legR: [4, 4, 0, 52, -30], air: 0.42 }),
  kneeSlide: pose({ lean: -20, bend: -10, nod: -18, armL: [10, 118, 0, 30, 0], armR: [10, 112, 0, 36, 0], legL: [-4, 14, 0, 124, -50], legR: [-8, 14, 0, 118, -50] }),
  embrace: pose({ lean: 10, bend: 10, nod: 10, look: 24, armL: [76, 36, 44, 52, 0], armR: [94, 24, 40, 44, 0], legL: [20, 6, 0, 12, 0], legR: [-14, 6, 0, 20, -22] }),
  highFive: pose({ lean: 2, bend: -4, twist: 18, nod: -6, armL: [6, 16, 20, 40, 0], armR: [142, 10, 10, 26, -20], legL: [22, 4, 0, 16, 0], legR: [-16, 4, 0, 20, -26] }),
  atEase: pose({ roll: 2, sway: -3, look: 8, legL: [2, 5, -14, 2, 0], legR: [6, 8, -20, 14, 2] }),
  hipsHands: pose({ nod: 2, look: -14, armL: [-22, 44, 52, 92, 20], armR: [-22, 44, 52, 92, 20], legL: [0, 8, -14, 2, 0], legR: [2, 9, -14, 4, 0] }),
  armsCrossed: pose({ bend: 2, armL: [34, 14, 62, 100, 0], armR: [30, 16, 58, 96, 0], legL: [0, 6, -12, 2, 0], legR: [0, 6, -12, 2, 0] }),
  handsBack: pose({ bend: -2, armL: [-24, 12, 46, 44, 0], armR: [-24, 12, 46, 44, 0], legL: [0, 7, -12, 0, 0], legR: [0, 7, -12, 0, 0] }),
  clap: pose({ nod: 4, armL: [52, 10, 34, 72, 0], armR: [52, 10, 34, 72, 0] }),
  clapHigh: pose({ nod: -10, bend: -3, armL: [112, 12, 26, 44, 0], armR: [112, 12, 26, 44, 0] }),
  cheer: pose({ nod: -12, bend: -4, armL: [158, 26, 0, 24, 10], armR: [166, 20, 0, 16, 10], legL: [4, 6, -10, 6, 0] }),
  cheerOne: pose({ nod: -8, twist: 10, armL: [10, 14, 20, 50, 0], armR: [160, 16, 0, 30, 10] }),
  pointing: pose({ twist: 12, nod: -2, look: -8, armL: [-16, 38, 48, 84, 20], armR: [84, 14, 0, 8, 0] }),
  shout: pose({ lean: 6, bend: 4, armL: [64, 26, 66, 128, 0], armR: [64, 26, 66, 128, 0], legL: [10, 7, -8, 8, 0] }),
  clipboard: pose({ nod: 20, armL: [30, 8, 40, 82, 0], armR: [36, 12, 44, 76, 0] }),
  crouch: pose({ lean: 32, bend: 14, nod: -10, armL: [46, 6, 20, 54, 0], armR: [46, 6, 20, 54, 0], legL: [112, 16, -8, 128, 24], legR: [74, 14, -8, 118, -20] }),
  kneel: pose({ lean: 4, bend: 2, armL: [44, 4, 24, 56, 0], armR: [30, 8, 34, 54, 0], legL: [84, 5, 0, 86, 2], legR: [-2, 5, 0, 96, -36] }),
  sit: pose({ lean: -6, bend: 8, armL: [34, 8, 30, 50, 0], armR: [34, 8, 30, 50, 0], legL: [88, 10, 0, 84, 4], legR: [86, 8, 0, 78, 4], hips: 0.5 }),
  sitForward: pose({ lean: 16, bend: 14, nod: -8, armL: [44, 6, 34, 62, 0], armR: [44, 6, 34, 62, 0], legL: [104, 12, 0, 92, 8], legR: [100, 14, 0, 98, 0], hips: 0.5 }),
  sitGround: pose({ lean: -14, bend: 18, armL: [-34, 22, 0, 8, -40], armR: [60, 4, 30, 34, 0], legL: [96, 14, 0, 108, -10], legR: [88, 8, 0, 66, -8], }),
  liftCup: pose({ nod: -16, bend: -6, armL: [158, 14, 10, 24, 0], armR: [158, 14, 10, 24, 0], legL: [3, 6, -8, 3, 0] }),
  holdFront: pose({ nod: 3, armL: [36, 4, 30, 78, 0], armR: [36, 4, 30, 78, 0], legL: [0, 6, -10, 2, 0], legR: [2, 5, -10, 6, 0] }),
  carry: pose({ lean: 4, twist: 6, sway: 5, armL: [6, 14, 10, 8, 0], armR: [20, 6, 20, 26, 0], legL: [20, 3, -4, 8, 6], legR: [-15, 3, -4, 14, -14] }),
  ballUnderArm: pose({ look: 6, sway: -2, armL: [-6, 26, 46, 78, 20], armR: [-18, 36, 50, 88, 20], legL: [0, 8, -14, 2, 0], legR: [8, 8, -16, 14, 0] }),
  footOnBall: pose({ lean: 2, nod: 2, armL: [-22, 44, 52, 92, 20], armR: [-20, 42, 52, 90, 20], legL: [-1, 6, -12, 2, 0], legR: [40, 6, -10, 52, 8] }),
  bow: pose({ lean: 46, bend: 18, nod: 10, armL: [58, 14, 20, 14, 0], armR: [58, 14, 20, 14, 0], legL: [58, 9, -8, 22, 8], legR: [54, 10, -8, 20, 8] }),
  phone: pose({ nod: -2, armL: [58, 4, 34, 92, 0], armR: [62, 6, 34, 94, 0] }),
  wave: pose({ look: 8, armL: hang, armR: [130, 34, 10, 46, 0], legL: [0, 5, -10, 2, 0] }),
  swimDive: pose({ lean: 104, bend: 6, nod: 26, armL: [170, -4, 10, 3, 0], armR: [170, -4, 10, 3, 0], legL: [-10, 2, 0, 10, -45], legR: [-4, 2, 0, 6, -45], air: 0 }),
  onBlock: pose({ lean: 92, bend: 28, nod: 8, armL: [62, 3, 0, 8, 0], armR: [62, 3, 0, 8, 0], legL: [122, 5, 0, 60, 26], legR: [84, 4, 0, 62, -18] }),
  leap: pose({ lean: 62, bend: 4, nod: -2, armL: [158, 4, 10, 6, 0], armR: [150, 6, 10, 10, 0], legL: [14, 2, 0, 18, -40], legR: [-10, 2, 0, 26, -40], air: 0 }),
  freestyle: pose({ lean: 86, roll: 0, turn: 0, twist: -26, nod: 4, look: -58, armL: [172, 4, 0, 6, 0], armR: [-58, 46, 0, 74, -10], legL: [8, 3, 0, 10, -45], legR: [-8, 3, 0, 12, -45], hips: -0.08 }),
  butterfly: pose({ lean: 74, bend: -22, nod: -14, armL: [0, 112, 0, 10, 0], armR: [0, 112, 0, 10, 0], legL: [4, 3, 0, 16, -45], legR: [4, 3, 0, 16, -45], hips: -0.2 }),
  breaststroke: pose({ lean: 62, bend: -16, nod: -8, armL: [66, 8, 60, 110, 0], armR: [66, 8, 60, 110, 0], legL: [30, 18, 0, 80, -10], legR: [30, 18, 0, 80, -10], hips: -0.32 }),
  backstroke: pose({ lean: -84, twist: 22, nod: 8, armL: [172, 6, 0, 3, 0], armR: [8, 8, 0, 12, 0], legL: [8, 3, 0, 12, -45], legR: [-4, 3, 0, 10, -45], hips: -0.08 }),
  backReach: pose({ lean: -84, twist: 22, nod: 8, armL: [92, 4, 0, 2, 0], armR: [8, 8, 0, 12, 0], legL: [8, 3, 0, 12, -45], legR: [-4, 3, 0, 10, -45], hips: -0.08 }),
  backStart: pose({ lean: -14, bend: 20, nod: 14, armL: [104, 10, 10, 30, 0], armR: [104, 10, 10, 30, 0], legL: [112, 8, 0, 104, 10], legR: [112, 8, 0, 104, 10], hips: 0.1 }),
  armUpInWater: pose({ lean: 4, nod: -16, armL: [60, 40, 20, 50, 0], armR: [168, 8, 0, 24, 10], legL: [10, 6, 0, 20, -30], legR: [-5, 6, 0, 20, -30], hips: -0.5 }),
} as const satisfies Readonly<Record<string, Pose>>;

export type PoseName = keyof typeof poses;

/** Left and right exchanged. */
export const mirrored = (p: Pose): Pose => ({
  ...p, roll: -p.roll, turn: -p.turn, twist: -p.twist, sway: -p.sway, look: -p.look, tilt: -p.tilt,
  armL: p.armR, armR: p.armL, legL: p.legR, legR: p.legL,
});

/** Nobody holds a pose twice: every joint off by a few degrees. */
export function loosened(p: Pose, chance: Chance, degrees: number): Pose {
  const off = (x: number, k = 1): number => x + chance.normal() * degrees * k;
  const loose = (l: LimbPose): LimbPose => [off(l[0]), off(l[1], 0.6), off(l[2]), Math.max(0, off(l[3])), off(l[4], 0.5)];
  return {
    ...p,
    lean: off(p.lean, 0.5), roll: off(p.roll, 0.4), turn: off(p.turn, 0.8), bend: off(p.bend, 0.5), twist: off(p.twist, 0.8), sway: off(p.sway, 0.5),
    nod: off(p.nod, 0.7), look: off(p.look, 2), tilt: off(p.tilt, 0.8),
    armL: loose(p.armL), armR: loose(p.armR), legL: loose(p.legL), legR: loose(p.legR),
  };
}
