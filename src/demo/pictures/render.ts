/** Takes a picture of a scene: ground and sky, what stands far away, then every body from far to near, each as sharp as the lens allows. */
import { cameraOf, rayThrough } from './camera.ts';
import type { Camera, CameraSpec } from './camera.ts';
import type { Ground } from './field.ts';
import type { Spot } from './grass.ts';
import { layerOf, viewOf } from './frame.ts';
import type { Layer, View } from './frame.ts';
import { develop } from './grain.ts';
import { blurLayer, composite, focusView, smearLayer } from './lens.ts';
import { airColour, skyAlong } from './light.ts';
import type { Light } from './light.ts';
import { tracePanel } from './panel.ts';
import type { Panel } from './panel.ts';
import { shadePoint } from './shade.ts';
import type { Lit, Point } from './shade.ts';
import { shadowOf, sunAxesOf, sunlightAt } from './shadow.ts';
import { endsOf } from './solid.ts';
import type { Body } from './solid.ts';
import { freshPaint } from './surface.ts';
import { depthOf, traceBody } from './trace.ts';
import { add, clamp, dot, sub, times } from './vector.ts';
import type { Vec3 } from './vector.ts';

/** `smear` is how far it moves, in metres, while the shutter is open. */
export type Thing = { readonly body: Body; readonly smear?: Vec3; readonly noShadow?: boolean };
/** Paints what is too far away to be a body. */
export type Backdrop = (view: View, camera: Camera, light: Light) => void;
/** Spray, confetti, bubbles: painted over the bodies at its distance. */
export type Particles = {
  readonly distance: number;
  readonly paint: (layer: Layer, camera: Camera, lit: Lit) => void;
};

/** A surface of its own instead of plain ground: the pool. Gives the light that leaves the spot towards the camera. */
export type Water = {
  readonly covers: (x: number, z: number) => boolean;
  readonly shade: (lit: Lit, spot: Spot, out: [number, number, number]) => void;
  /** Tints what lies below the surface; answers how much of it the mirror of the surface lets through, 0..1. */
  readonly over: (lit: Lit, p: Point) => number;
};

export type Scene = {
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly camera: CameraSpec;
  readonly light: Light;
  readonly ground: Ground;
  readonly water?: Water;
  readonly backdrop?: Backdrop;
  readonly things: readonly Thing[];
  readonly panels?: readonly Panel[];
  readonly particles?: readonly Particles[];
};

/** Bytes of the picture, three a pixel. `scale` below 1 makes a smaller proof. */
export function takePicture(scene: Scene, scale = 1): { data: Uint8Array; width: number; height: number } {
  const width = Math.round(scene.width * scale);
  const height = Math.round(scene.height * scale);
  const camera = cameraOf(scene.camera, width, height);
  const sun = sunAxesOf(scene.light.toSun);
  const cell = (body: Body): number => clamp(body.radius / 110, 0.006, 0.05);
  const shadows = scene.things
    .filter((t) => !t.noShadow && depthOf(camera, t.body) < 130)
    .map((t) => shadowOf(t.body, sun, cell(t.body)));
  const lit: Lit = { light: scene.light, sun, shadows };
  const view = viewOf(width, height);
  paintGround(view, camera, scene, lit);
  scene.backdrop?.(view, camera, scene.light);
  focusView(view, camera);
  paintThings(view, camera, scene, lit);
  return { data: develop(view, scene.light.develop, scene.seed), width, height };
}

type Ball = readonly [number, number, number, number];

function paintGround(view: View, camera: Camera, scene: Scene, lit: Lit): void {
  const { light, ground, water } = scene;
  const balls = lowBalls(scene.things);
  const feel = freshPaint();
  const p: Point = {
    x: 0,
    y: 0,
    z: 0,
    nx: 0,
    ny: 1,
    nz: 0,
    dx: 0,
    dy: 0,
    dz: 0,
    distance: 0,
    open: 1,
    skin: false,
    out: [0, 0, 0],
  };
  const spot: Spot = { x: 0, z: 0, dx: 0, dy: 0, dz: 0, distance: 0, pixel: 0 };
  for (let py = 0; py < view.height; py++) {
    for (let px = 0; px < view.width; px++) {
      const ray = rayThrough(camera, px, py);
      const length = Math.sqrt(dot(ray, ray));
      const i = py * view.width + px;
      const t = ray[1] < -1e-4 ? -camera.from[1] / ray[1] : 1e9;
      p.dx = ray[0] / length;
      p.dy = ray[1] / length;
      p.dz = ray[2] / length;
      if (t > 900) {
        const sky = skyAlong(light, p.dx, p.dy, p.dz);
        view.rgb.set(sky, i * 3);
        continue;
      }
      p.x = camera.from[0] + ray[0] * t;
      p.y = 0;
      p.z = camera.from[2] + ray[2] * t;
      p.distance = t * length;
      Object.assign(spot, {
        x: p.x,
        z: p.z,
        dx: p.dx,
        dy: p.dy,
        dz: p.dz,
        distance: p.distance,
        pixel: t / camera.scale,
      });
      view.depth[i] = t;
      if (water?.covers(p.x, p.z)) water.shade(lit, spot, p.out);
      else {
        feel.gloss = 0;
        feel.sheen = 0;
        ground.paint(spot, feel);
        p.open = openness(balls, p.x, p.z);
        if (ground.grassy) shadeGrass(lit, p, feel.r, feel.g, feel.b);
        else shadePoint(lit, p, feel);
      }
      view.rgb.set(p.out, i * 3);
    }
  }
}

/** Blades stand upright: a low sun still finds them, and against the light they glow. */
function shadeGrass(lit: Lit, p: Point, r: number, g: number, b: number): void {
  const { light } = lit;
  const direct = sunlightAt(lit.shadows, lit.sun, p.x, p.y + 0.015, p.z, 0.02) * (0.3 + 0.62 * light.toSun[1]);
  const against = clamp(p.dx * light.toSun[0] + p.dz * light.toSun[2], 0, 1) * (1 - light.toSun[1]);
  const glow = 1 + against * 0.75;
  const haze = 1 - Math.exp(-p.distance * light.haze);
  const air = airColour(light, p.dx * light.toSun[0] + p.dy * light.toSun[1] + p.dz * light.toSun[2]);
  const albedo = [r * (1 + against * 0.2), g, b] as const;
  for (let c = 0; c < 3; c++) {
    const fill = light.fill.color[c]! * light.fill.from[1];
    const color = albedo[c]! * (light.sun[c]! * direct * glow + light.above[c]! * p.open + fill * p.open);
    p.out[c] = color + (air[c]! - color) * haze;
  }
}

/** The lower parts of everything that stands, as balls that keep the sky from the ground. */
function lowBalls(things: readonly Thing[]): readonly (readonly [Body, readonly Ball[]])[] {
  return things
    .filter((t) => !t.noShadow)
    .map(
      (thing) =>
        [
          thing.body,
          thing.body.parts.flatMap((part) =>
            endsOf(part)
              .filter(([c]) => c[1] < 1.1 && c[1] > -0.2)
              .map(([c, r]): Ball => [c[0], Math.max(0.02, c[1]), c[2], Math.min(r, 0.3)]),
          ),
        ] as const,
    );
}

function openness(all: readonly (readonly [Body, readonly Ball[]])[], x: number, z: number): number {
  let closed = 0;
  for (const [body, balls] of all) {
    const reach = body.radius + 0.5;
    const bx = body.centre[0] - x;
    const bz = body.centre[2] - z;
    if (bx * bx + bz * bz > reach * reach) continue;
    for (const [cx, cy, cz, r] of balls) {
      const dx = cx - x;
      const dz = cz - z;
      const d2 = dx * dx + cy * cy + dz * dz;
      closed += (((cy / Math.sqrt(d2)) * r * r) / Math.max(d2, r * r)) * 0.3;
    }
  }
  return 1 / (1 + closed * 0.9);
}

type Drawable = {
  readonly depth: number;
  readonly smear?: Vec3;
  readonly draw: (layer: Layer) => void;
};

function paintThings(view: View, camera: Camera, scene: Scene, lit: Lit): void {
  const cover = {
    grass: scene.ground.grassy && !scene.water ? 0.02 : -9,
    ...(scene.water && { water: (p: Point) => scene.water?.over(lit, p) ?? 1 }),
  };
  const drawables: Drawable[] = [
    ...scene.things.map((thing): Drawable => ({
      depth: depthOf(camera, thing.body),
      draw: (layer) => traceBody(layer, camera, thing.body, lit, cover),
      ...(thing.smear && { smear: thing.smear }),
    })),
    ...(scene.panels ?? []).map((panel): Drawable => ({
      depth: dot(sub(add(panel.corner, times(add(panel.across, panel.down), 0.5)), camera.from), camera.ahead),
      draw: (layer) => tracePanel(layer, camera, panel, lit),
    })),
    ...(scene.particles ?? []).map((p): Drawable => ({
      depth: p.distance,
      draw: (layer) => p.paint(layer, camera, lit),
    })),
  ].filter((d) => d.depth > -2);
  drawables.sort((a, b) => b.depth - a.depth);
  const flush = (layer: Layer, radius: number): void => {
    blurLayer(layer, radius);
    composite(view, layer);
  };
  const sharpness = (depth: number): number => {
    const r = camera.blurAt(Math.max(0.5, depth)) / 2;
    return r < 0.55 ? 0 : 1.25 ** Math.round(Math.log(r) / Math.log(1.25));
  };
  let layer = layerOf(view.width, view.height);
  let radius = -1;
  for (const d of drawables) {
    const wanted = sharpness(d.depth);
    if (radius >= 0 && (wanted !== radius || d.smear)) {
      flush(layer, radius);
      layer = layerOf(view.width, view.height);
    }
    radius = wanted;
    d.draw(layer);
    if (d.smear) {
      const k = camera.scale / Math.max(0.5, d.depth);
      smearLayer(layer, dot(d.smear, camera.right) * k, -dot(d.smear, camera.up) * k);
      flush(layer, radius);
      layer = layerOf(view.width, view.height);
      radius = -1;
    }
  }
  if (radius >= 0) flush(layer, radius);
}
