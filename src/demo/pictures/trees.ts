/** Far things painted flat but deep: tree lines, hedges, hills, stands full of people. Each leaf mass is lit by the one sun. */
import { project } from './camera.ts';
import type { Camera } from './camera.ts';
import { chanceOf } from './chance.ts';
import type { Chance } from './chance.ts';
import type { View } from './frame.ts';
import { airColour } from './light.ts';
import type { Light } from './light.ts';
import { noise2 } from './noise.ts';
import { clamp, mix, smoothstep } from './vector.ts';
import type { Rgb, Vec3 } from './vector.ts';

/** A lit ball of colour in the world with a ragged edge: leaves, a head, a coat. */
type Puff = {
  readonly at: Vec3;
  readonly wide: number;
  readonly tall: number;
  readonly color: Rgb;
  readonly ragged: number;
  readonly light: number;
  /** Where in its crown it hangs, -1..1 across and up: the crown is lit as a whole. */ readonly bulk?: readonly [
    number,
    number,
  ];
};

/** Paints one puff over what stands farther away. */
export function paintPuff(view: View, camera: Camera, light: Light, puff: Puff): void {
  const [cx, cy, depth] = project(camera, puff.at);
  if (depth < 1) return;
  const rx = (puff.wide / depth) * camera.scale;
  const ry = (puff.tall / depth) * camera.scale;
  if (cx + rx < 0 || cx - rx > view.width || cy + ry < 0 || cy - ry > view.height || rx < 0.4) return;
  const [ru, rv] = [light.toSun[0] * camera.right[0] + light.toSun[2] * camera.right[2], light.toSun[1]];
  const toward = -(light.toSun[0] * camera.ahead[0] + light.toSun[2] * camera.ahead[2]);
  const haze = 1 - Math.exp(-depth * light.haze);
  const air = airColour(light, -toward);
  const beyond = puff.ragged > 0 ? light.beyond : 1;
  const ambient = beyond < 1 ? 0.4 : 1;
  const grain = 5.5 / Math.max(rx, 2);
  const fine = rx > 7;
  const { bulk } = puff;
  const deep = bulk ? Math.sqrt(Math.max(0, 1 - bulk[0] * bulk[0] - bulk[1] * bulk[1])) : 0;
  const left = Math.max(0, Math.floor(cx - rx));
  const right = Math.min(view.width - 1, Math.ceil(cx + rx));
  for (let py = Math.max(0, Math.floor(cy - ry)); py <= Math.min(view.height - 1, Math.ceil(cy + ry)); py++) {
    const v = (cy - py) / ry;
    for (let px = left; px <= right; px++) {
      const i = py * view.width + px;
      if (view.depth[i]! < depth - 3) continue;
      const u = (px - cx) / rx;
      const r = u * u + v * v;
      if (r > 1) continue;
      let rough = 0;
      if (puff.ragged > 0) {
        rough =
          noise2(px * grain, py * grain) * 0.5 + (fine ? noise2(px * grain * 2.7 + cx, py * grain * 2.7) * 0.7 : 0);
        if (rx > 18) rough += noise2(px * grain * 6.3, py * grain * 6.3 + cy) * 0.6;
      }
      const cover = smoothstep(1, puff.ragged > 0 ? 0.7 : 0.8, r + rough * puff.ragged);
      if (cover <= 0) continue;
      const w = Math.sqrt(Math.max(0, 1 - r));
      const own = u * ru + v * rv + w * toward * (bulk ? 0.25 : 1);
      const facing = bulk ? own * 0.35 + (bulk[0] * ru + bulk[1] * rv + deep * toward) * 0.65 : own;
      const through = puff.ragged > 0 ? clamp(-toward, 0, 1) * (bulk ? 0.1 + 0.5 * (1 - deep) : (1 - w) * 0.5) : 0;
      const direct = clamp(0.22 + facing * 0.78, 0, 1) * puff.light + through;
      const dapple = clamp(1 + rough * 1.1 * Math.sign(puff.ragged), 0.3, 1.9);
      const up = 0.55 + 0.45 * v;
      const o = i * 3;
      for (let c = 0; c < 3; c++) {
        const lit =
          puff.color[c]! *
          (light.sun[c]! * direct * 0.8 * dapple * beyond +
            light.above[c]! * up * (0.35 + 0.4 * dapple) * ambient +
            light.below[c]! * 0.4 * beyond +
            light.fill.color[c]! * 0.5 * beyond);
        const seen = lit + (air[c]! - lit) * haze;
        view.rgb[o + c] = view.rgb[o + c]! + (seen - view.rgb[o + c]!) * cover;
      }
      if (cover > 0.5) view.depth[i] = depth;
    }
  }
}

export type TreeLine = {
  /** From and to on the ground. */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly spacing: number;
  readonly height: readonly [number, number];
  readonly leaves: readonly Rgb[];
  readonly kind: 'broad' | 'needle' | 'poplar' | 'hedge';
  readonly seed: number;
};

export const leafColours = {
  summer: [
    [0.05, 0.1, 0.02],
    [0.07, 0.125, 0.028],
    [0.04, 0.085, 0.022],
    [0.085, 0.13, 0.03],
  ],
  dark: [
    [0.025, 0.06, 0.022],
    [0.032, 0.07, 0.028],
    [0.02, 0.05, 0.02],
  ],
  spring: [
    [0.1, 0.16, 0.03],
    [0.12, 0.17, 0.045],
    [0.075, 0.13, 0.03],
    [0.3, 0.2, 0.22],
  ],
  autumn: [
    [0.42, 0.15, 0.025],
    [0.5, 0.28, 0.04],
    [0.32, 0.08, 0.02],
    [0.2, 0.15, 0.035],
    [0.13, 0.13, 0.035],
    [0.55, 0.36, 0.06],
  ],
} as const satisfies Record<string, readonly Rgb[]>;

type Tree = {
  readonly at: Vec3;
  readonly height: number;
  readonly kind: TreeLine['kind'];
  readonly color: Rgb;
  readonly seed: number;
};

/** Plants all lines and paints them, the farthest tree first. */
export function paintTrees(view: View, camera: Camera, light: Light, lines: readonly TreeLine[]): void {
  const trees = lines.flatMap(plant);
  const distance = (t: Tree): number => project(camera, t.at)[2];
  trees.sort((a, b) => distance(b) - distance(a));
  for (const tree of trees) {
    const [x, , depth] = project(camera, tree.at);
    const reach = ((tree.height * 0.6) / Math.max(1, depth)) * camera.scale;
    if (depth > 2 && x > -reach && x < view.width + reach) growTree(view, camera, light, tree);
  }
}

function plant(line: TreeLine): Tree[] {
  const chance = chanceOf(line.seed);
  const length = Math.hypot(line.to[0] - line.from[0], line.to[1] - line.from[1]);
  const count = Math.max(1, Math.round(length / line.spacing));
  return Array.from({ length: count }, (_, i): Tree => {
    const k = (i + chance.between(0.1, 0.9)) / count;
    const tint = chance.between(0.8, 1.25);
    const leaf = chance.pick(line.leaves);
    return {
      at: [
        line.from[0] + (line.to[0] - line.from[0]) * k + chance.normal() * 1.5,
        0,
        line.from[1] + (line.to[1] - line.from[1]) * k + chance.normal() * 2.5,
      ],
      height: chance.between(...line.height),
      kind: line.kind,
      color: [leaf[0] * tint, leaf[1] * tint, leaf[2] * tint],
      seed: chance.whole(1, 1e6),
    };
  });
}

function growTree(view: View, camera: Camera, light: Light, tree: Tree): void {
  const chance = chanceOf(tree.seed);
  const h = tree.height;
  const [x, , z] = tree.at;
  for (let y = 0; tree.kind !== 'hedge' && y < h * 0.5; y += h * 0.03) {
    paintPuff(view, camera, light, {
      at: [x + Math.sin(y * 0.5 + tree.seed) * h * 0.012, y, z],
      wide: h * (0.02 - 0.012 * (y / h)),
      tall: h * 0.03,
      color: [0.06, 0.045, 0.032],
      ragged: 0.2,
      light: 0.6,
    });
  }
  for (const puff of crown(tree, chance, camera.right)) paintPuff(view, camera, light, puff);
}

/** The leaf masses of a tree, spread across the view. */
function crown(tree: Tree, chance: Chance, across: Vec3): Puff[] {
  const h = tree.height;
  const [x, , z] = tree.at;
  const puffs: Puff[] = [];
  const count = tree.kind === 'broad' ? 300 : tree.kind === 'hedge' ? 70 : 150;
  for (let i = 0; i < count; i++) {
    const k = i / count;
    const depth = chance.between(-1, 1);
    const angle = chance.next() * Math.PI * 2;
    const out = Math.sqrt(chance.next());
    const tint = chance.between(0.84, 1.18);
    let wide = h * chance.between(0.03, 0.075);
    let rise: number;
    let reach: number;
    if (tree.kind === 'needle') {
      rise = h * (0.08 + 0.9 * chance.next());
      reach = (h - rise) * 0.26 + h * 0.02;
      wide *= 0.3 + 0.75 * (1 - rise / h);
    } else if (tree.kind === 'poplar') {
      rise = h * (0.12 + 0.86 * chance.next());
      reach = h * 0.11 * Math.sin(Math.PI * clamp(rise / h, 0.1, 0.97)) + h * 0.01;
      wide *= 0.55;
    } else if (tree.kind === 'hedge') {
      rise = h * chance.next() * 0.9;
      reach = h * 1.5 * chance.next();
      wide *= 3;
    } else {
      const lobe = 1 + 0.22 * Math.sin(angle * 3 + tree.seed) + 0.12 * Math.sin(angle * 5 + tree.seed * 2);
      rise = h * (0.58 + 0.36 * Math.sin(angle) * out * lobe);
      reach = h * 0.33 * Math.abs(Math.cos(angle)) * out * lobe;
    }
    const aside = (Math.cos(angle) >= 0 ? reach : -reach) * chance.between(0.7, 1);
    const dark = 0.5 + 0.5 * smoothstep(0.2, 0.9, rise / h);
    puffs.push({
      at: [x + across[0] * aside, rise, z + across[2] * aside + depth * 0.4 * (1 - k)],
      wide,
      tall: wide * (tree.kind === 'needle' ? 0.6 : 0.8),
      color: [tree.color[0] * tint, tree.color[1] * tint, tree.color[2] * tint],
      ragged: 0.8,
      light: dark * chance.between(0.82, 1),
      bulk: [clamp(aside / (h * 0.36), -0.8, 0.8) * 0.9, clamp((rise / h - 0.5) * 1.5, -0.5, 0.85) * 0.7],
    });
  }
  const low = puffs
    .filter((_, i) => i % 3 === 0)
    .map((p): Puff => ({
      ...p,
      light: p.light * 0.4,
      wide: p.wide * 1.7,
      tall: p.tall * 1.6,
      color: mix(p.color, [0.01, 0.02, 0.008], 0.35),
    }));
  return [...low, ...puffs];
}

/** A hill or a far wood as one ragged silhouette at `distance`, `height` metres high, from azimuth to azimuth all round. */
export function paintRidge(
  view: View,
  camera: Camera,
  light: Light,
  distance: number,
  height: number,
  color: Rgb,
  seed: number,
): void {
  const horizon = camera.height / 2 + (camera.ahead[1] / Math.hypot(camera.ahead[0], camera.ahead[2])) * camera.scale;
  const scale = camera.scale / distance;
  const haze = 1 - Math.exp(-distance * light.haze);
  const air = airColour(light, camera.ahead[0] * light.toSun[0] + camera.ahead[2] * light.toSun[2]);
  const bearing = Math.atan2(camera.ahead[0], camera.ahead[2]);
  for (let px = 0; px < view.width; px++) {
    const angle = bearing - Math.atan((px - view.width / 2) / camera.scale);
    const metres = angle * distance;
    const rise =
      height * (0.8 + 0.12 * noise2(metres / (height * 14) + seed, seed)) +
      height * 0.06 * noise2(metres / (height * 0.7), seed + 3) +
      height * 0.05 * noise2(metres / (height * 0.21), seed + 7) +
      height * 0.06 * noise2(metres / (height * 0.07), seed + 9);
    const top = horizon - rise * scale + (camera.from[1] * camera.scale) / distance;
    for (let py = Math.max(0, Math.floor(top)); py < Math.min(view.height, horizon + 3); py++) {
      const i = py * view.width + px;
      if (view.depth[i]! < distance) continue;
      const cover = clamp(py - top, 0, 1);
      const deep = clamp((py - top) / (height * scale), 0, 1);
      const leaf = 1 + 0.35 * noise2(metres * 0.5, (py / scale) * 0.6) + 0.3 * noise2(metres * 1.6, (py / scale) * 1.8);
      for (let c = 0; c < 3; c++) {
        const lit =
          color[c]! *
          leaf *
          (light.sun[c]! * (0.42 - 0.2 * deep) * light.beyond + light.above[c]! * 0.6 * Math.sqrt(light.beyond));
        const seen = lit + (air[c]! - lit) * haze;
        view.rgb[i * 3 + c] = view.rgb[i * 3 + c]! + (seen - view.rgb[i * 3 + c]!) * cover;
      }
      view.depth[i] = distance;
    }
  }
}
