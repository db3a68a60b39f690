import { describe, expect, it } from 'vitest';
import { cameraOf, project, rayThrough } from '#src/demo/pictures/camera.ts';
import { chanceOf } from '#src/demo/pictures/chance.ts';
import { distanceToLine, field } from '#src/demo/pictures/field.ts';
import { lettering, widthOf } from '#src/demo/pictures/jersey-numbers.ts';
import { discBlur } from '#src/demo/pictures/lens.ts';
import { mirrored } from '#src/demo/pictures/pose.ts';
import { poses } from '#src/demo/pictures/poses.ts';
import type { PoseName } from '#src/demo/pictures/poses.ts';
import { skeletonOf } from '#src/demo/pictures/skeleton.ts';
import { shadowOf, sunAxesOf, sunlightAt } from '#src/demo/pictures/shadow.ts';
import { bodyOf, box, distanceTo, egg } from '#src/demo/pictures/solid.ts';
import { takePicture } from '#src/demo/pictures/render.ts';
import { scenes } from '#src/demo/pictures/scenes.ts';
import { size, sub, upright } from '#src/demo/pictures/vector.ts';

const white = { kind: 'smooth', color: [1, 1, 1] } as const;

describe('the lens', () => {
  it('draws twice as far half as large', () => {
    const camera = cameraOf({ from: [0, 1, -10], at: [0, 1, 0], focal: 50, aperture: 4 }, 1200, 800);
    const wide = (z: number): number => Math.abs(project(camera, [1, 1, z])[0] - project(camera, [-1, 1, z])[0]);
    expect(wide(0) / wide(10)).toBeCloseTo(2, 6);
  });

  it('looks along a ray to the pixel that the ray came from', () => {
    const camera = cameraOf({ from: [3, 2, -7], at: [0, 1, 0], focal: 85, aperture: 4, tilt: 3 }, 1200, 800);
    const ray = rayThrough(camera, 321, 123);
    const [x, y] = project(camera, [3 + ray[0] * 9, 2 + ray[1] * 9, -7 + ray[2] * 9]);
    expect(x).toBeCloseTo(321.5, 4);
    expect(y).toBeCloseTo(123.5, 4);
  });

  it('is sharp at its focus and softer the wider it is open', () => {
    const open = (aperture: number) => cameraOf({ from: [0, 1, -20], at: [0, 1, 0], focal: 200, aperture }, 2400, 1600);
    expect(open(2.8).blurAt(20)).toBe(0);
    expect(open(2.8).blurAt(80)).toBeCloseTo(2 * open(5.6).blurAt(80), 6);
  });

  it.each([1, 4, 11])('keeps the light when it blurs by %d pixels', (radius) => {
    const flat = new Float32Array(40 * 30 * 3).fill(0.5);
    const soft = discBlur(flat, 40, 30, 3, radius);
    expect(Math.min(...soft)).toBeCloseTo(0.5, 4);
    expect(Math.max(...soft)).toBeCloseTo(0.5, 4);
  });
});

describe('bodies and shadows', () => {
  it.each([
    ['egg', egg(0, white, [0, 1, 0], upright, [0.5, 0.5, 0.5]), 1.5],
    ['box', box(0, white, [0, 1, 0], upright, [0.5, 0.5, 0.5], 0.01), 1.5],
  ] as const)('measures the distance to a %s', (_name, part, expected) => {
    const body = bodyOf([part]);
    expect(distanceTo(body.data, new Int32Array([0]), 1, 2, 1, 0, { part: 0 })).toBeCloseTo(expected, 2);
  });

  it('throws a shadow away from the sun and nowhere else', () => {
    const sun = sunAxesOf([0.6, 0.8, 0]);
    const shadow = shadowOf(bodyOf([egg(0, white, [0, 1, 0], upright, [0.3, 0.3, 0.3])]), sun, 0.01);
    expect(sunlightAt([shadow], sun, -0.75, 0, 0, 0.02)).toBe(0);
    expect(sunlightAt([shadow], sun, 0.75, 0, 0, 0.02)).toBe(1);
    expect(sunlightAt([shadow], sun, 0, 2, 0, 0.02)).toBe(1);
  });
});

describe('figures', () => {
  const stance = { at: [0, 0, 0], facing: 30, height: 1.6 } as const;
  const standing = (Object.keys(poses) as PoseName[]).filter(
    (name) => poses[name].hips === undefined && poses[name].air === 0,
  );

  it.each(standing)('%s touches the ground and does not sink', (name) => {
    const { left, right, pelvis } = skeletonOf(poses[name], stance);
    const lowest = Math.min(
      left.toe[1],
      left.heel[1],
      right.toe[1],
      right.heel[1],
      left.knee[1] - 0.0512,
      right.knee[1] - 0.0512,
      left.palm[1] - 0.032,
      right.palm[1] - 0.032,
      left.elbow[1] - 0.04,
      right.elbow[1] - 0.04,
      pelvis[1] - 0.104,
    );
    expect(lowest).toBeGreaterThan(-0.03);
    expect(lowest).toBeLessThan(0.12);
  });

  it('keeps the length of the bones in every pose', () => {
    for (const pose of Object.values(poses)) {
      const { left, right } = skeletonOf(pose, stance);
      for (const side of [left, right]) {
        expect(size(sub(side.knee, side.hip))).toBeCloseTo(0.238 * 1.6, 6);
        expect(size(sub(side.wrist, side.elbow))).toBeCloseTo(0.142 * 1.6, 6);
      }
    }
  });

  it('is the same pose again after two mirrors', () => {
    expect(mirrored(mirrored(poses.strike))).toEqual(poses.strike);
    expect(mirrored(poses.strike).armL).toEqual(poses.strike.armR);
  });
});

describe('the field', () => {
  it.each([
    ['halfway line', 0, 12],
    ['touch line', 20, field.halfWidth],
    ['centre circle', field.circle, 0],
    ['penalty area', field.halfLength - field.boxDepth, 9.5],
    ['penalty spot', field.halfLength - field.spot, 0],
  ])('has a line at the %s', (_name, x, z) => {
    expect(distanceToLine(x, z)).toBeCloseTo(0, 6);
    expect(distanceToLine(-x, -z)).toBeCloseTo(0, 6);
  });

  it('is bare between the lines', () => {
    expect(distanceToLine(15, 15)).toBeGreaterThan(5);
  });
});

describe('jersey numbers', () => {
  it('leave no digit empty, and no two digits alike', () => {
    const drawn = [...'0123456789'].map((digit) => {
      let rows = '';
      for (let y = 0; y < 12; y++)
        for (let x = 0; x < 8; x++) rows += lettering(digit, x / 11, y / 11, 1) > 0.5 ? '#' : '.';
      return rows;
    });
    expect(drawn.every((d) => d.includes('#') && d.includes('.'))).toBe(true);
    expect(new Set(drawn).size).toBe(10);
  });

  it('grow wider with each letter and end where they say', () => {
    expect(widthOf('10')).toBeGreaterThan(widthOf('1'));
    expect(lettering('10', widthOf('10') + 0.3, 0.5, 1)).toBe(0);
  });
});

describe('chance', () => {
  it('falls the same way for the same seed, and spreads between its limits', () => {
    const draw = (seed: number): number[] => {
      const chance = chanceOf(seed);
      return Array.from({ length: 200 }, () => chance.between(2, 3));
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(Math.min(...draw(7))).toBeLessThan(2.1);
    expect(Math.max(...draw(7))).toBeGreaterThan(2.9);
  });
});

describe('a whole picture', () => {
  it('comes out the same twice, and is neither black nor white', () => {
    const scene = scenes['spring-cup-final']['22-number-23'];
    if (!scene) throw new Error('the scene is gone');
    const one = takePicture(scene(), 0.05);
    expect(Buffer.compare(Buffer.from(one.data), Buffer.from(takePicture(scene(), 0.05).data))).toBe(0);
    const mean = one.data.reduce((sum, byte) => sum + byte, 0) / one.data.length;
    expect(mean).toBeGreaterThan(40);
    expect(mean).toBeLessThan(200);
  });
});
