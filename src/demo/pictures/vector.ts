/** Small vectors for setting up a scene. The inner loops of the renderer use plain numbers instead. */
export type Vec3 = readonly [number, number, number];
/** Linear light, not sRGB: 1 is paper white in full exposure, lamps and clouds may be brighter. */
export type Rgb = readonly [number, number, number];
/** A rotation, as the world directions of the local x, y and z axes. */
export type Turn = readonly [Vec3, Vec3, Vec3];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, k: number): Vec3 => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const size = (a: Vec3): number => Math.sqrt(dot(a, a));
export const mix = (a: Vec3, b: Vec3, k: number): Vec3 => [
  a[0] + (b[0] - a[0]) * k,
  a[1] + (b[1] - a[1]) * k,
  a[2] + (b[2] - a[2]) * k,
];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export function unit(a: Vec3): Vec3 {
  const length = size(a);
  return length > 1e-9 ? times(a, 1 / length) : [0, 1, 0];
}

export const clamp = (x: number, low: number, high: number): number => (x < low ? low : x > high ? high : x);
export function smoothstep(low: number, high: number, x: number): number {
  const k = clamp((x - low) / (high - low), 0, 1);
  return k * k * (3 - 2 * k);
}

export const upright: Turn = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Local to world: `turn` applied to `v`. */
export const apply = (turn: Turn, v: Vec3): Vec3 => [
  turn[0][0] * v[0] + turn[1][0] * v[1] + turn[2][0] * v[2],
  turn[0][1] * v[0] + turn[1][1] * v[1] + turn[2][1] * v[2],
  turn[0][2] * v[0] + turn[1][2] * v[1] + turn[2][2] * v[2],
];

/** First `inner`, then `outer`. */
const combine = (outer: Turn, inner: Turn): Turn => [
  apply(outer, inner[0]),
  apply(outer, inner[1]),
  apply(outer, inner[2]),
];

const radians = Math.PI / 180;
export function turnX(degrees: number): Turn {
  const c = Math.cos(degrees * radians);
  const s = Math.sin(degrees * radians);
  return [
    [1, 0, 0],
    [0, c, s],
    [0, -s, c],
  ];
}
export function turnY(degrees: number): Turn {
  const c = Math.cos(degrees * radians);
  const s = Math.sin(degrees * radians);
  return [
    [c, 0, -s],
    [0, 1, 0],
    [s, 0, c],
  ];
}
export function turnZ(degrees: number): Turn {
  const c = Math.cos(degrees * radians);
  const s = Math.sin(degrees * radians);
  return [
    [c, s, 0],
    [-s, c, 0],
    [0, 0, 1],
  ];
}
export const turns = (...all: readonly Turn[]): Turn => all.reduce(combine, upright);

/** `#rrggbb` as seen on a screen, in linear light. */
export function paintOf(hex: string): Rgb {
  const channel = (at: number): number => {
    const v = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}
