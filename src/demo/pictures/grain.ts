/** The darkroom: from linear light to the bytes of a picture, with bloom, vignette, tone curve, colour and grain. */
import { chanceOf } from './chance.ts';
import type { View } from './frame.ts';
import type { Develop } from './light.ts';
import { discBlur } from './lens.ts';
import { clamp } from './vector.ts';

/** Bytes, three a pixel, sRGB. */
export function develop(view: View, how: Develop, seed: number): Uint8Array {
  const { width, height, rgb } = view;
  addBloom(view, how.bloom);
  const bytes = new Uint8Array(width * height * 3);
  const grain = grainOf(width, height, seed);
  const warm = [1 + how.warmth * 0.55, 1 + how.warmth * 0.08, 1 - how.warmth * 0.75] as const;
  const reach = Math.hypot(width, height) / 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const away = Math.hypot(x - width / 2, y - height / 2) / reach;
      const fall = how.exposure * (1 - how.vignette * away ** 2.6);
      let r = toned(rgb[i * 3]! * fall * warm[0]);
      let g = toned(rgb[i * 3 + 1]! * fall * warm[1]);
      let b = toned(rgb[i * 3 + 2]! * fall * warm[2]);
      const luma = 0.3 * r + 0.59 * g + 0.11 * b;
      const shadowTint = (1 - luma) ** 3 * 0.012;
      r = contrasted(luma + (r - luma) * how.saturation, how.contrast) - shadowTint * 0.4;
      g = contrasted(luma + (g - luma) * how.saturation, how.contrast) + shadowTint * 0.1;
      b = contrasted(luma + (b - luma) * how.saturation, how.contrast) + shadowTint;
      const coarse = how.grain * (1.15 - 0.65 * luma) * grain[i]!;
      bytes[i * 3] = clamp((r + coarse) * 255 + 0.5, 0, 255);
      bytes[i * 3 + 1] = clamp((g + coarse) * 255 + 0.5, 0, 255);
      bytes[i * 3 + 2] = clamp((b + coarse * 1.05) * 255 + 0.5, 0, 255);
    }
  }
  return bytes;
}

/** A film curve: soft shoulder for highlights, a little toe, then the sRGB gamma. */
function toned(x: number): number {
  const v = Math.max(0, x);
  const film = (v * (2.51 * v + 0.035)) / (v * (2.43 * v + 0.59) + 0.13);
  const l = Math.min(1, film);
  return l <= 0.0031308 ? l * 12.92 : 1.055 * l ** (1 / 2.4) - 0.055;
}

const contrasted = (x: number, k: number): number => 0.46 + (x - 0.46) * k;

function addBloom(view: View, strength: number): void {
  if (strength <= 0) return;
  const { width, height, rgb } = view;
  const bright = new Float32Array(rgb.length);
  for (let i = 0; i < rgb.length; i++) bright[i] = Math.min(6, Math.max(0, rgb[i]! - 0.85));
  const radius = Math.max(width, height);
  const close = discBlur(discBlur(bright, width, height, 3, radius * 0.006), width, height, 3, radius * 0.006);
  const wide = discBlur(discBlur(bright, width, height, 3, radius * 0.03), width, height, 3, radius * 0.03);
  for (let i = 0; i < rgb.length; i++) rgb[i] = rgb[i]! + strength * (0.9 * close[i]! + 1.5 * wide[i]!);
}

/** Silver grain is not one pixel wide: neighbours share a part of it. */
function grainOf(width: number, height: number, seed: number): Float32Array {
  const chance = chanceOf(seed * 31 + 7);
  const raw = new Float32Array(width * height);
  for (let i = 0; i < raw.length; i++) raw[i] = chance.next() + chance.next() + chance.next() - 1.5;
  const soft = new Float32Array(raw.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const left = x > 0 ? raw[i - 1]! : 0;
      const up = y > 0 ? raw[i - width]! : 0;
      const right = x < width - 1 ? raw[i + 1]! : 0;
      const down = y < height - 1 ? raw[i + width]! : 0;
      soft[i] = (raw[i]! * 0.9 + (left + up + right + down) * 0.42) * 1.5;
    }
  }
  return soft;
}
