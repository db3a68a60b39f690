/** Smooth random fields, the texture of everything that grows, drifts or creases. All of them repeat after 256 units. */
import { chanceOf } from './chance.ts';

const side = 256;
const lattice = new Float32Array(side * side);
const shuffled = new Uint8Array(512);
{
  const chance = chanceOf(77);
  for (let i = 0; i < lattice.length; i++) lattice[i] = chance.next() * 2 - 1;
  const order = Array.from({ length: side }, (_, i) => i);
  for (let i = side - 1; i > 0; i--) {
    const j = chance.whole(0, i);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  for (let i = 0; i < 512; i++) shuffled[i] = order[i & 255]!;
}

/** -1..1, one bump per unit. */
export function noise2(x: number, y: number): number {
  const fx = Math.floor(x);
  const fy = Math.floor(y);
  const u = x - fx;
  const v = y - fy;
  const su = u * u * (3 - 2 * u);
  const sv = v * v * (3 - 2 * v);
  const x0 = fx & 255;
  const x1 = (fx + 1) & 255;
  const y0 = (fy & 255) << 8;
  const y1 = ((fy + 1) & 255) << 8;
  const a = lattice[y0 + x0]!;
  const b = lattice[y0 + x1]!;
  const c = lattice[y1 + x0]!;
  const d = lattice[y1 + x1]!;
  const top = a + (b - a) * su;
  return top + (c + (d - c) * su - top) * sv;
}

/** -1..1 in space; a slice of noise2 chosen by z, blended with the next one. */
export function noise3(x: number, y: number, z: number): number {
  const fz = Math.floor(z);
  const w = z - fz;
  const k = w * w * (3 - 2 * w);
  const low = shuffled[fz & 255]!;
  const high = shuffled[(fz + 1) & 255]!;
  const a = noise2(x + low * 7.31, y + low * 3.17);
  return a + (noise2(x + high * 7.31, y + high * 3.17) - a) * k;
}

/** Clouds of noise: `octaves` layers, each twice as fine and half as strong. About -1..1. */
export function fbm2(x: number, y: number, octaves: number): number {
  let sum = 0;
  let strength = 0.5;
  let u = x;
  let v = y;
  for (let i = 0; i < octaves; i++) {
    sum += strength * noise2(u, v);
    const turned = u * 1.6 + v * 1.2 + 17.3;
    v = v * 1.6 - u * 1.2 + 9.1;
    u = turned;
    strength *= 0.5;
  }
  return sum * 1.4;
}

/** 0..1 without any smoothness: the same for the same whole numbers. */
export function speckle(x: number, y: number): number {
  let h = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}
