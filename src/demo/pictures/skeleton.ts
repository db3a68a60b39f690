/** From a pose to the places of the joints. Local x is the player's left, y up, z ahead. All lengths follow the height. */
import { add, apply, times, turns, turnX, turnY, turnZ } from './vector.ts';
import type { Turn, Vec3 } from './vector.ts';
import type { Pose } from './pose.ts';

export type Side = {
  readonly shoulder: Vec3;
  readonly elbow: Vec3;
  readonly wrist: Vec3;
  readonly palm: Vec3;
  readonly upperArm: Turn;
  readonly foreArm: Turn;
  readonly hand: Turn;
  readonly hip: Vec3;
  readonly knee: Vec3;
  readonly ankle: Vec3;
  readonly toe: Vec3;
  readonly heel: Vec3;
  readonly thigh: Turn;
  readonly shank: Turn;
  readonly foot: Turn;
};

export type Skeleton = {
  readonly height: number;
  readonly pelvis: Vec3;
  readonly pelvisTurn: Turn;
  readonly chest: Vec3;
  readonly chestTurn: Turn;
  readonly neck: Vec3;
  readonly head: Vec3;
  readonly headTurn: Turn;
  readonly headHeight: number;
  readonly left: Side;
  readonly right: Side;
};

export type Stance = {
  /** Where the figure stands (its middle, on the ground). */
  readonly at: Vec3;
  /** Degrees, 0 looks along +z, 90 along +x. */
  readonly facing: number;
  readonly height: number;
};

/** Joints of `pose`, lowered until its lowest point touches the ground, then lifted by `pose.air`; with `pose.hips` the hips are put at that height. */
export function skeletonOf(pose: Pose, stance: Stance): Skeleton {
  const h = stance.height;
  const young = Math.max(0, Math.min(1, (1.75 - h) / 0.5));
  const pelvisTurn = turns(turnY(stance.facing), turnY(pose.turn), turnX(pose.lean), turnZ(pose.roll));
  const chestTurn = turns(pelvisTurn, turnX(pose.bend), turnY(pose.twist), turnZ(pose.sway));
  const headTurn = turns(
    chestTurn,
    turnX(-pose.lean * 0.55 - pose.bend * 0.4),
    turnY(pose.look),
    turnX(pose.nod),
    turnZ(pose.tilt),
  );
  const pelvis: Vec3 = [0, 0, 0];
  const waist = add(pelvis, apply(pelvisTurn, [0, 0.085 * h, 0]));
  const chest = add(waist, apply(chestTurn, [0, 0.115 * h, 0]));
  const neck = add(waist, apply(chestTurn, [0, 0.222 * h, -0.004 * h]));
  const headHeight = h * (0.131 + young * 0.014);
  const head = add(neck, apply(headTurn, [0, 0.022 * h, 0.012 * h]));
  const raw = { height: h, pelvis, pelvisTurn, chest, chestTurn, neck, head, headTurn, headHeight };
  const left = sideOf(1, pose, raw, waist);
  const right = sideOf(-1, pose, raw, waist);
  const lowest = Math.min(
    ...[left, right].flatMap((s) => [
      s.toe[1],
      s.heel[1],
      s.knee[1] - 0.032 * h,
      s.palm[1] - 0.02 * h,
      s.elbow[1] - 0.025 * h,
    ]),
    pelvis[1] - 0.065 * h,
    neck[1] - 0.05 * h,
  );
  const lift = pose.hips === undefined ? -lowest + pose.air : pose.hips;
  const move = (v: Vec3): Vec3 => add(v, [stance.at[0], stance.at[1] + lift, stance.at[2]]);
  const moveSide = (s: Side): Side => ({
    ...s,
    shoulder: move(s.shoulder),
    elbow: move(s.elbow),
    wrist: move(s.wrist),
    palm: move(s.palm),
    hip: move(s.hip),
    knee: move(s.knee),
    ankle: move(s.ankle),
    toe: move(s.toe),
    heel: move(s.heel),
  });
  return {
    ...raw,
    pelvis: move(pelvis),
    chest: move(chest),
    neck: move(neck),
    head: move(head),
    left: moveSide(left),
    right: moveSide(right),
  };
}

type Trunk = {
  readonly height: number;
  readonly pelvis: Vec3;
  readonly pelvisTurn: Turn;
  readonly chestTurn: Turn;
};

function sideOf(s: 1 | -1, pose: Pose, trunk: Trunk, waist: Vec3): Side {
  const h = trunk.height;
  const [armFlex, armOut, armTwist, elbowBend, wristBend] = s > 0 ? pose.armL : pose.armR;
  const [legFlex, legOut, legTwist, kneeBend, ankleBend] = s > 0 ? pose.legL : pose.legR;
  const raised = Math.max(0, Math.min(1, (Math.max(armFlex, armOut) - 70) / 100));
  const shoulder = add(
    waist,
    apply(trunk.chestTurn, [s * (0.099 - raised * 0.014) * h, (0.172 + raised * 0.032) * h, -0.004 * h]),
  );
  const upperArm = turns(trunk.chestTurn, turnZ(s * armOut), turnX(-armFlex), turnY(-s * armTwist));
  const elbow = add(shoulder, times(upperArm[1], -0.168 * h));
  const foreArm = turns(upperArm, turnX(-elbowBend));
  const wrist = add(elbow, times(foreArm[1], -0.142 * h));
  const hand = turns(foreArm, turnX(-wristBend), turnY(s * 60));
  const palm = add(wrist, times(hand[1], -0.045 * h));
  const hip = add(trunk.pelvis, apply(trunk.pelvisTurn, [s * 0.05 * h, -0.012 * h, 0]));
  const thigh = turns(trunk.pelvisTurn, turnZ(s * legOut), turnX(-legFlex), turnY(-s * legTwist));
  const knee = add(hip, times(thigh[1], -0.238 * h));
  const shank = turns(thigh, turnX(kneeBend));
  const ankle = add(knee, times(shank[1], -0.232 * h));
  const foot = turns(shank, turnX(-ankleBend), turnY(s * 7));
  const toe = add(ankle, apply(foot, [0, -0.04 * h, 0.1 * h]));
  const heel = add(ankle, apply(foot, [0, -0.042 * h, -0.03 * h]));
  return {
    shoulder,
    elbow,
    wrist,
    palm,
    upperArm,
    foreArm,
    hand,
    hip,
    knee,
    ankle,
    toe,
    heel,
    thigh,
    shank,
    foot,
  };
}
