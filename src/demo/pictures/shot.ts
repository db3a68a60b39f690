/** Short words for scenes: who stands where, under which light, seen by which lens. */
import type { CameraSpec } from './camera.ts';
import { soccerField } from './field.ts';
import type { Ground } from './field.ts';
import { lightOf } from './light.ts';
import type { Develop, Hour } from './light.ts';
import type { Panel } from './panel.ts';
import { dress, kits, person } from './people.ts';
import type { Person } from './people.ts';
import type { Pose } from './pose.ts';
import type { PoseName } from './poses.ts';
import { bodyOf } from './solid.ts';
import { mix } from './vector.ts';
import type { Backdrop, Particles, Scene, Thing, Water } from './render.ts';
import { ball, land } from './stage.ts';
import type { Set } from './stage.ts';

export type Shape = 'landscape' | 'portrait' | 'wide' | 'large';
const sizes: Readonly<Record<Shape, readonly [number, number]>> = {
  landscape: [2400, 1600],
  portrait: [1600, 2400],
  wide: [2400, 1350],
  large: [3000, 2000],
};

export type Shot = {
  readonly seed: number;
  readonly shape?: Shape;
  readonly size?: readonly [number, number];
  readonly hour: Hour;
  /** Where the sun stands, degrees clockwise from +z. A camera that looks along +z has it in front at 0 and behind at 180. */
  readonly sun: number;
  readonly light?: { height?: number; develop?: Partial<Develop>; cover?: number; haze?: number };
  readonly camera: CameraSpec;
  readonly ground?: Ground;
  readonly water?: Water;
  readonly backdrop?: Backdrop;
  readonly cast?: readonly Thing[];
  readonly sets?: readonly Set[];
  readonly panels?: readonly Panel[];
  readonly particles?: readonly Particles[];
};

/** A scene with the usual field and woods where the shot names nothing else. */
export function sceneOf(shot: Shot): Scene {
  const [width, height] = shot.size ?? sizes[shot.shape ?? 'landscape'];
  return {
    seed: shot.seed,
    width,
    height,
    camera: shot.camera,
    light: lightOf(shot.hour, shot.sun, shot.seed, shot.light),
    ground: shot.ground ?? soccerField(),
    ...(shot.water && { water: shot.water }),
    backdrop: shot.backdrop ?? land({ seed: shot.seed }),
    things: [...(shot.cast ?? []), ...(shot.sets ?? []).flatMap((s) => s.things)],
    panels: [...(shot.panels ?? []), ...(shot.sets ?? []).flatMap((s) => s.panels)],
    particles: shot.particles ?? [],
  };
}

type Place = readonly [number, number];
type Extra = Partial<Omit<Person, 'pose' | 'outfit' | 'facing'>>;
type Cast = (number: string, pose: PoseName | Pose, place: Place, facing: number, extra?: Extra) => Thing;

const team =
  (outfit: Person['outfit'], first: number): Cast =>
  (number, pose, [x, z], facing, extra = {}) =>
    // A player's seed follows from the number, so that number 10 is the same child all day.
    person({
      pose,
      facing,
      outfit,
      seed: first + Number(number) * 7,
      at: [x, 0, z],
      ...(number !== '0' && { number }),
      ...extra,
    });

export const hawk = team(kits.hawks, 100);
export const rival = team(kits.rivals, 4000);
export const hawkKeeper: Cast = (_number, pose, place, facing, extra) =>
  team(kits.hawksKeeper, 700)('1', pose, place, facing, extra);
export const rivalKeeper: Cast = (_number, pose, place, facing, extra) =>
  team(kits.rivalsKeeper, 800)('1', pose, place, facing, extra);
export const referee: Cast = (_number, pose, place, facing, extra) =>
  team(kits.referee, 901)('0', pose, place, facing, {
    height: 1.79,
    looks: { hair: 'short' },
    ...extra,
  });
export const coach: Cast = (_number, pose, place, facing, extra) =>
  team(kits.coach, 955)('0', pose, place, facing, {
    height: 1.77,
    looks: { hair: 'short', wears: 'cap' },
    ...extra,
  });

/** A Hawk with the ball between both hands, `up` metres above the palms. */
export function hawkWithBall(
  number: string,
  pose: PoseName,
  [x, z]: Place,
  facing: number,
  extra: Extra = {},
  up = 0.04,
): Thing[] {
  const keeper = number === '1';
  const { bones, parts } = dress({
    pose,
    facing,
    outfit: keeper ? kits.hawksKeeper : kits.hawks,
    seed: (keeper ? 700 : 100) + Number(number) * 7,
    at: [x, 0, z],
    number,
    ...extra,
  });
  const middle = mix(bones.left.palm, bones.right.palm, 0.5);
  return [{ body: bodyOf(parts) }, ball([middle[0], middle[1] + up, middle[2]], facing)];
}
