/** A camera in the stand or at the touch line: true perspective, focal lengths as on a 36 mm wide frame. */
import { cross, dot, sub, unit } from './vector.ts';
import type { Vec3 } from './vector.ts';

export type CameraSpec = {
  readonly from: Vec3;
  readonly at: Vec3;
  /** Millimetres, as on 36 x 24 mm film. */
  readonly focal: number;
  readonly aperture: number;
  /** Metres to the plane in focus; by default the distance to `at`. */
  readonly focus?: number;
  /** Degrees, clockwise; nobody holds a camera quite level. */
  readonly tilt?: number;
};

export type Camera = {
  readonly from: Vec3;
  readonly right: Vec3;
  readonly up: Vec3;
  readonly ahead: Vec3;
  readonly width: number;
  readonly height: number;
  /** Pixels per unit of tangent: how far apart things one metre wide at one metre stand on the picture. */
  readonly scale: number;
  /** Blur circle in pixels of something `distance` metres ahead (diameter). */
  blurAt(distance: number): number;
};

export function cameraOf(spec: CameraSpec, width: number, height: number): Camera {
  const ahead = unit(sub(spec.at, spec.from));
  const levelRight = unit(cross(ahead, [0, 1, 0]));
  const levelUp = cross(levelRight, ahead);
  const tilt = ((spec.tilt ?? 0) * Math.PI) / 180;
  const c = Math.cos(tilt);
  const s = Math.sin(tilt);
  const right: Vec3 = [
    levelRight[0] * c + levelUp[0] * s,
    levelRight[1] * c + levelUp[1] * s,
    levelRight[2] * c + levelUp[2] * s,
  ];
  const longSide = Math.max(width, height);
  const scale = (spec.focal / 36) * longSide;
  const focus = spec.focus ?? Math.max(0.5, dot(sub(spec.at, spec.from), ahead));
  const focalMetres = spec.focal / 1000;
  const strength = (focalMetres * focalMetres) / (spec.aperture * (focus - focalMetres)) / 0.036;
  return {
    from: spec.from,
    right,
    up: cross(right, ahead),
    ahead,
    width,
    height,
    scale,
    blurAt: (distance) => (strength * longSide * Math.abs(distance - focus)) / Math.max(0.3, distance),
  };
}

/** Where a point of the world lands: pixel x and y, and its distance ahead of the camera (negative: behind it). */
export function project(camera: Camera, point: Vec3): Vec3 {
  const v = sub(point, camera.from);
  const depth = dot(v, camera.ahead);
  const k = camera.scale / Math.max(0.05, depth);
  return [camera.width / 2 + dot(v, camera.right) * k, camera.height / 2 - dot(v, camera.up) * k, depth];
}

/** Direction through a pixel; its part along `ahead` is 1, so that a multiple of it is also the depth. */
export function rayThrough(camera: Camera, px: number, py: number): Vec3 {
  const x = (px + 0.5 - camera.width / 2) / camera.scale;
  const y = (camera.height / 2 - py - 0.5) / camera.scale;
  const { right, up, ahead } = camera;
  return [
    ahead[0] + right[0] * x + up[0] * y,
    ahead[1] + right[1] * x + up[1] * y,
    ahead[2] + right[2] * x + up[2] * y,
  ];
}
