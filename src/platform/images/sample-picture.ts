/** A picture for those who want to see their mark before they have a photo: a field at dusk, drawn by arithmetic. */
import type { RawPicture } from '#src/platform/images/watermark-stamp.ts';

const WIDTH = 640;
const HEIGHT = 427;
const HORIZON = 0.42;

type Rgb = readonly [number, number, number];
const SKY: readonly [Rgb, Rgb] = [
  [88, 132, 178],
  [232, 206, 172],
];
const GRASS: readonly [Rgb, Rgb] = [
  [98, 140, 76],
  [44, 92, 48],
];
const LINE: Rgb = [232, 236, 226];

/** 640 x 427, sky and mown grass with a touch line, so that a mark is seen over light and dark. */
export function samplePicture(): RawPicture {
  const data = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const color = colorAt(x / WIDTH, y / HEIGHT);
      data.set(color, (y * WIDTH + x) * 3);
    }
  }
  return { data, width: WIDTH, height: HEIGHT };
}

function colorAt(x: number, y: number): number[] {
  if (y < HORIZON) return between(SKY, y / HORIZON);
  const depth = (y - HORIZON) / (1 - HORIZON);
  // Stripes of the mower run towards a point above the horizon.
  const across = (x - 0.5) / (0.25 + depth);
  const isLight = Math.floor(across * 7 + 100) % 2 === 0;
  if (Math.abs(across - 0.55) < 0.02 || Math.abs(depth - 0.18) < 0.008) return [...LINE];
  return between(GRASS, depth).map((level) => Math.min(255, level * (isLight ? 1.12 : 0.94)));
}

function between([from, to]: readonly [Rgb, Rgb], part: number): number[] {
  return from.map((level, channel) => level + ((to[channel] ?? level) - level) * part);
}
