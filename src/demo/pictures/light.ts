/** The light of a day: sun, sky and air by the hour, and how the photographer developed the picture. */
import { clamp, mix, smoothstep, times, unit } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';
import { fbm2 } from './noise.ts';

export type Light = {
  readonly toSun: Vec3;
  readonly sun: Rgb;
  /** Light from the whole upper sky, and what the ground throws back. */
  readonly above: Rgb;
  readonly below: Rgb;
  /** A second lamp without shadows: the opposite flood lights, a reflector. */
  readonly fill: { readonly from: Vec3; readonly color: Rgb };
  readonly zenith: Rgb;
  readonly horizon: Rgb;
  /** Part of the light swallowed by each metre of air. */
  readonly haze: number;
  /** How much of the sun or the lamps reaches what stands beyond the field. */
  readonly beyond: number;
  readonly clouds: { readonly cover: number; readonly wisp: number; readonly seed: number };
  readonly develop: Develop;
};

export type Develop = {
  readonly exposure: number;
  /** Above 0 warmer, below 0 cooler. */
  readonly warmth: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly vignette: number;
  readonly grain: number;
  /** Light spilling around bright things. */
  readonly bloom: number;
};

/** Direction to a sun at `height` degrees above the horizon, `round` degrees clockwise from +z (seen from above). */
function sunAt(height: number, round: number): Vec3 {
  const h = (height * Math.PI) / 180;
  const r = (round * Math.PI) / 180;
  return [Math.sin(r) * Math.cos(h), Math.sin(h), Math.cos(r) * Math.cos(h)];
}

export type Hour =
  | 'fog'
  | 'morning'
  | 'noon'
  | 'afternoon'
  | 'golden'
  | 'overcast'
  | 'flood'
  | 'autumn'
  | 'indoor'
  | 'dusk';

const plainDevelop: Develop = {
  exposure: 1,
  warmth: 0,
  contrast: 1,
  saturation: 0.92,
  vignette: 0.3,
  grain: 0.011,
  bloom: 0.05,
};
const noFill = { from: [0, 1, 0] as Vec3, color: [0, 0, 0] as Rgb };

type Sky = Omit<Light, 'toSun' | 'develop' | 'clouds' | 'beyond'> & {
  beyond?: number;
  height: number;
  clouds: { cover: number; wisp: number };
  develop: Partial<Develop>;
};

const hours: Readonly<Record<Hour, Sky>> = {
  fog: {
    height: 16,
    sun: [0.75, 0.62, 0.46],
    above: [0.72, 0.76, 0.8],
    below: [0.16, 0.17, 0.11],
    fill: noFill,
    zenith: [0.6, 0.66, 0.74],
    horizon: [0.86, 0.83, 0.78],
    haze: 0.014,
    clouds: { cover: 0, wisp: 0 },
    develop: {
      exposure: 1.05,
      contrast: 0.9,
      saturation: 0.82,
      warmth: 0.03,
      vignette: 0.34,
      grain: 0.013,
      bloom: 0.12,
    },
  },
  morning: {
    height: 21,
    sun: [2.7, 2.15, 1.45],
    above: [0.36, 0.45, 0.62],
    below: [0.15, 0.17, 0.07],
    fill: noFill,
    zenith: [0.22, 0.4, 0.72],
    horizon: [0.82, 0.8, 0.74],
    haze: 0.0016,
    clouds: { cover: 0.3, wisp: 0.7 },
    develop: { exposure: 1, warmth: 0.06, contrast: 0.98, bloom: 0.08 },
  },
  noon: {
    height: 57,
    sun: [2.75, 2.62, 2.38],
    above: [0.4, 0.5, 0.68],
    below: [0.17, 0.2, 0.08],
    fill: noFill,
    zenith: [0.13, 0.3, 0.68],
    horizon: [0.58, 0.7, 0.86],
    haze: 0.0009,
    clouds: { cover: 0.5, wisp: 0.25 },
    develop: { exposure: 0.88, contrast: 1.05, saturation: 0.92, warmth: 0.02 },
  },
  afternoon: {
    height: 38,
    sun: [2.8, 2.45, 1.95],
    above: [0.36, 0.46, 0.64],
    below: [0.16, 0.18, 0.08],
    fill: noFill,
    zenith: [0.15, 0.33, 0.7],
    horizon: [0.66, 0.74, 0.84],
    haze: 0.0012,
    clouds: { cover: 0.42, wisp: 0.4 },
    develop: { exposure: 0.92, contrast: 1.03, warmth: 0.03 },
  },
  golden: {
    height: 12,
    sun: [3.2, 2.1, 1.1],
    above: [0.33, 0.39, 0.54],
    below: [0.15, 0.13, 0.05],
    fill: noFill,
    zenith: [0.2, 0.33, 0.58],
    horizon: [1.15, 0.92, 0.68],
    haze: 0.0009,
    clouds: { cover: 0.4, wisp: 0.8 },
    develop: {
      exposure: 1,
      warmth: 0.035,
      contrast: 1.02,
      saturation: 0.95,
      vignette: 0.36,
      bloom: 0.12,
    },
  },
  overcast: {
    height: 52,
    sun: [0.28, 0.28, 0.27],
    above: [0.86, 0.92, 1],
    below: [0.17, 0.2, 0.12],
    fill: noFill,
    zenith: [0.62, 0.67, 0.74],
    horizon: [0.8, 0.83, 0.86],
    haze: 0.0011,
    clouds: { cover: 0.9, wisp: 0.5 },
    develop: { exposure: 0.96, contrast: 1.05, saturation: 0.9, warmth: -0.05, grain: 0.013 },
  },
  flood: {
    height: 40,
    sun: [2.0, 2.05, 2.0],
    above: [0.13, 0.16, 0.22],
    below: [0.09, 0.11, 0.05],
    fill: { from: unit([-0.7, 0.5, -0.5]), color: [0.75, 0.8, 0.82] },
    zenith: [0.008, 0.012, 0.03],
    horizon: [0.035, 0.045, 0.08],
    haze: 0.0006,
    beyond: 0.2,
    clouds: { cover: 0, wisp: 0.9 },
    develop: {
      exposure: 0.98,
      contrast: 1.04,
      saturation: 0.82,
      warmth: -0.01,
      vignette: 0.42,
      grain: 0.015,
      bloom: 0.13,
    },
  },
  autumn: {
    height: 24,
    sun: [2.8, 2.2, 1.45],
    above: [0.36, 0.44, 0.58],
    below: [0.17, 0.15, 0.07],
    fill: noFill,
    zenith: [0.2, 0.38, 0.7],
    horizon: [0.78, 0.77, 0.74],
    haze: 0.0013,
    clouds: { cover: 0.35, wisp: 0.6 },
    develop: { exposure: 0.98, warmth: 0.08, saturation: 1, contrast: 1 },
  },
  indoor: {
    height: 50,
    sun: [0.95, 0.86, 0.72],
    above: [0.5, 0.47, 0.42],
    below: [0.2, 0.16, 0.11],
    fill: { from: unit([-0.8, 0.35, 0.5]), color: [0.42, 0.46, 0.52] },
    zenith: [0.3, 0.3, 0.3],
    horizon: [0.4, 0.4, 0.4],
    haze: 0.0005,
    clouds: { cover: 0, wisp: 0 },
    develop: {
      exposure: 1.15,
      warmth: 0.05,
      contrast: 1,
      saturation: 0.95,
      vignette: 0.4,
      grain: 0.016,
      bloom: 0.1,
    },
  },
  dusk: {
    height: 5,
    sun: [1.3, 0.6, 0.3],
    above: [0.34, 0.38, 0.56],
    below: [0.1, 0.1, 0.08],
    fill: noFill,
    zenith: [0.09, 0.15, 0.36],
    horizon: [0.85, 0.55, 0.45],
    haze: 0.0011,
    clouds: { cover: 0.55, wisp: 0.9 },
    develop: {
      exposure: 1.1,
      warmth: 0.02,
      contrast: 1,
      saturation: 1,
      vignette: 0.38,
      grain: 0.016,
      bloom: 0.16,
    },
  },
};

/** The light of an hour with the sun `round` degrees clockwise from +z; `change` adjusts anything for one picture. */
export function lightOf(
  hour: Hour,
  round: number,
  seed: number,
  change: { height?: number; develop?: Partial<Develop>; cover?: number; haze?: number } = {},
): Light {
  const { height, clouds, develop, ...sky } = hours[hour];
  return {
    beyond: 1,
    ...sky,
    haze: change.haze ?? sky.haze,
    toSun: sunAt(change.height ?? height, round),
    clouds: { cover: change.cover ?? clouds.cover, wisp: clouds.wisp, seed },
    develop: { ...plainDevelop, ...develop, ...change.develop },
  };
}

/** Sky seen in a direction (unit): gradient, glow around the sun, drifting clouds lit from the sun's side. */
export function skyAlong(light: Light, x: number, y: number, z: number): Rgb {
  const rise = clamp(y, 0, 1);
  const blue = 1 - (1 - rise) ** 4.5;
  const toSun = clamp(x * light.toSun[0] + y * light.toSun[1] + z * light.toSun[2], 0, 1);
  const glow = toSun ** 6 * 0.28 + toSun ** 60 * 0.6 + toSun ** 900 * 3;
  const bare = mix(light.horizon, light.zenith, blue);
  const lit: Rgb = [
    bare[0] + light.sun[0] * glow * 0.3,
    bare[1] + light.sun[1] * glow * 0.3,
    bare[2] + light.sun[2] * glow * 0.3,
  ];
  if (light.clouds.cover <= 0 || y < 0.004) return lit;
  return cloudsOver(light, lit, x, y, z, toSun);
}

function cloudsOver(light: Light, behind: Rgb, x: number, y: number, z: number, toSun: number): Rgb {
  const { cover, wisp, seed } = light.clouds;
  const flat = 1 / (y + 0.09);
  const u = x * flat * 1.15 + seed * 3.7;
  const v = z * flat * 1.15 + seed * 1.9;
  const bend = fbm2(u * 0.7 + 5, v * 0.7, 3) * 0.7 * wisp;
  const thick = (du: number): number =>
    fbm2(u + bend + du * light.toSun[0], (v + bend) * (1 + wisp * 0.8) + du * light.toSun[2], 6) * 0.5 + 0.5;
  const here = thick(0);
  const amount = smoothstep(0.86 - cover * 0.72, 1.08 - cover * 0.62, here) * smoothstep(0.004, 0.12, y);
  if (amount <= 0) return behind;
  const towards = thick(0.22);
  const shade = clamp(0.62 + (here - towards) * 1.6 - (here - 0.5) * 0.35, 0.18, 1.1);
  const edge = toSun ** 8 * (1 - amount) * 0.6;
  const bright: Rgb = [
    light.above[0] * 0.55 + light.sun[0] * (0.3 * shade + edge),
    light.above[1] * 0.55 + light.sun[1] * (0.3 * shade + edge),
    light.above[2] * 0.55 + light.sun[2] * (0.3 * shade + edge),
  ];
  return mix(behind, mix(bright, light.horizon, 0.22), amount * 0.93);
}

/** What air of that depth does to a colour: it takes the horizon's. */
export const airColour = (light: Light, alongSun: number): Rgb =>
  mix(light.horizon, times(light.sun, 0.36), clamp(alongSun, 0, 1) ** 5 * 0.3);
