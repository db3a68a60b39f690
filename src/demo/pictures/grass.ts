/** Grass by the blade near the camera, by the tuft further off, by the mown stripe far away. */
import { chanceOf } from './chance.ts';
import { fbm2, noise2, speckle } from './noise.ts';
import { clamp, smoothstep } from './vector.ts';
import type { Rgb } from './vector.ts';
import type { Paint } from './surface.ts';

/** A place on the ground as the camera sees it; `pixel` is the width of a pixel there in metres. */
export type Spot = {
  x: number;
  z: number;
  dx: number;
  dy: number;
  dz: number;
  distance: number;
  pixel: number;
};

export type Grass = {
  readonly deep: Rgb;
  readonly bright: Rgb;
  readonly dry: Rgb;
  /** Metres of the mowing stripes (0: none), which way they run, and how strong. */
  readonly stripe: number;
  readonly stripeAcross: boolean;
  readonly stripeStrength: number;
  /** Blade length in metres. */
  readonly length: number;
  /** Fallen leaves per square metre, about. */
  readonly leaves: number;
};

export const lawn: Grass = {
  deep: [0.024, 0.043, 0.013],
  bright: [0.125, 0.168, 0.05],
  dry: [0.26, 0.23, 0.115],
  stripe: 5.5,
  stripeAcross: true,
  stripeStrength: 0.2,
  length: 0.034,
  leaves: 0,
};

type Blade = { rise: number; tint: number };
const rows = 6;

/**
 * The blade that a ray meets on its way down, in rows of blades that stand across the view. `rise` is 0 at the root and 1 at
 * the tip, `tint` the blade's own shade. Further away whole tufts are taken for blades.
 */
function bladeAt(grass: Grass, dx: number, dy: number, dz: number, distance: number, pixel: number, out: Blade): void {
  const level = Math.sqrt(dx * dx + dz * dz);
  const reach = distance * level;
  const slope = -dy / level;
  const eye = reach * slope;
  // Widths go in steps, so that neighbouring rows keep one measure and no pattern shows.
  const wide = 0.0065 * 2 ** Math.max(0, Math.ceil(Math.log2((pixel * 2) / 0.0065)));
  const tall = grass.length * Math.sqrt(wide / 0.0065);
  const spacing = tall / (rows * eye);
  const nearestRow = Math.floor(Math.log(reach) / spacing);
  const bearing = Math.atan2(dx, dz);
  const step = Math.exp(-spacing);
  let root = Math.exp(nearestRow * spacing) * Math.exp(-spacing * (rows - 1));
  for (let j = rows - 1; j >= 0; j--) {
    const height = (reach - root) * slope;
    const place = (bearing * root) / wide + speckle(nearestRow - j, 11) * 9;
    const cell = Math.floor(place);
    const own = speckle(cell, nearestRow - j);
    const top = tall * (0.3 + 0.7 * own);
    if (height < top) {
      const lean = (speckle(cell, j - nearestRow) - 0.5) * 0.9 * (height / tall);
      if (Math.abs(place - cell - 0.5 + lean) < 0.5 * (1 - 0.75 * (height / top))) {
        out.rise = height / tall;
        out.tint = speckle(cell + 31, nearestRow - j) * 2 - 1;
        return;
      }
    }
    root /= step;
  }
  out.rise = 0;
  out.tint = 0;
}

const blade: Blade = { rise: 0, tint: 0 };

/** Paints the grass at `spot`. */
export function paintGrass(grass: Grass, spot: Spot, out: Paint): void {
  const { x, z, dx, dy, dz, distance, pixel } = spot;
  bladeAt(grass, dx, dy, dz, distance, pixel, blade);
  const crisp = 1 - 0.72 * smoothstep(0.004, 0.03, pixel);
  const tall = 0.55 + (blade.rise - 0.5) * crisp;
  const shade = blade.tint * crisp;
  const tuft =
    noise2(x * 9, z * 9) * (1 - smoothstep(0.02, 0.09, pixel)) +
    0.5 * noise2(x * 23, z * 23) * (1 - smoothstep(0.01, 0.03, pixel));
  const patch = fbm2(x * 0.35, z * 0.35, 4);
  const lay = grass.stripe > 0 ? mownStripe(grass, x, z, dx, dz) : 0;
  const k = clamp(0.08 + tall * 0.66 + shade * 0.2 + tuft * 0.08 + patch * 0.1, 0, 1.25);
  const dryness = clamp(patch * 0.3 + (shade > 0.72 ? 0.3 : 0) * crisp + 0.03 + noise2(x * 2.3, z * 2.3) * 0.1, 0, 0.6);
  out.r = (grass.deep[0] + (grass.bright[0] - grass.deep[0]) * k) * (1 - dryness) + grass.dry[0] * dryness * k;
  out.g = (grass.deep[1] + (grass.bright[1] - grass.deep[1]) * k) * (1 - dryness) + grass.dry[1] * dryness * k;
  out.b = (grass.deep[2] + (grass.bright[2] - grass.deep[2]) * k) * (1 - dryness) + grass.dry[2] * dryness * k;
  const brightness = 1 + lay;
  out.r *= brightness;
  out.g *= brightness;
  out.b *= brightness * (1 + lay * 0.5);
  if (grass.leaves > 0) strewLeaves(grass.leaves, x, z, pixel, out);
}

/** Blades bent away from the viewer shine, those bent towards him show their shaded side. */
function mownStripe(grass: Grass, x: number, z: number, dx: number, dz: number): number {
  const place = (grass.stripeAcross ? x : z) + 0.12 * noise2(x * 0.6, z * 0.6);
  const phase = place / grass.stripe;
  const wave = Math.sin(phase * Math.PI);
  const way = clamp(wave * 9, -1, 1);
  const seen = grass.stripeAcross ? dz : dx;
  return way * grass.stripeStrength * (0.35 + 0.65 * Math.abs(seen)) * Math.sign(seen || 1);
}

function strewLeaves(perMetre: number, x: number, z: number, pixel: number, out: Paint): void {
  const drift = fbm2(x * 0.22 + 40, z * 0.22, 3) * 0.5 + 0.5;
  const cell = 0.16;
  const cx = Math.floor(x / cell);
  const cz = Math.floor(z / cell);
  const here = chanceOf(cx * 7919 + cz * 104729);
  if (here.next() > perMetre * cell * cell * drift * 2) return;
  const ox = (cx + here.between(0.3, 0.7)) * cell - x;
  const oz = (cz + here.between(0.3, 0.7)) * cell - z;
  const angle = here.next() * 6.28;
  const u = (ox * Math.cos(angle) + oz * Math.sin(angle)) / 0.045;
  const v = (oz * Math.cos(angle) - ox * Math.sin(angle)) / 0.026;
  const inside =
    smoothstep(1.1, 0.8, u * u + v * v * (1 + 0.5 * Math.sin(u * 9))) * (1 - smoothstep(0.03, 0.1, pixel) * 0.7);
  const color = here.pick<Rgb>([
    [0.5, 0.17, 0.025],
    [0.56, 0.32, 0.04],
    [0.36, 0.09, 0.02],
    [0.3, 0.19, 0.07],
  ]);
  out.r += (color[0] - out.r) * inside;
  out.g += (color[1] - out.g) * inside;
  out.b += (color[2] - out.b) * inside;
}
