/** Hands, bare or in gloves. */
import type { Side } from './skeleton.ts';
import { limb } from './solid.ts';
import type { Part } from './solid.ts';
import type { Surface } from './surface.ts';
import { add, times } from './vector.ts';

/** Palm, fingers closed a little, and a thumb. */
export function handOf(group: number, side: Side, h: number, surface: Surface): Part[] {
  const fat = surface.kind === 'skin' ? 1 : 1.35;
  const [x, y, z] = side.hand;
  const tips = add(side.palm, add(times(y, -0.046 * h), times(z, 0.014 * h)));
  const inner = x[0] * (side.shoulder[0] - side.palm[0]) + x[2] * (side.shoulder[2] - side.palm[2]) > 0 ? 1 : -1;
  const thumb = add(side.palm, add(times(y, -0.012 * h), times(x, inner * 0.028 * h)));
  return [
    limb(group, surface, side.wrist, side.palm, 0.0148 * h * fat, 0.019 * h * fat, {
      wide: 1.25,
      deep: 0.7,
      side: x,
      melt: 0.015 * h,
    }),
    ...[-1.5, -0.5, 0.5, 1.5].map((finger) => {
      const knuckle = add(side.palm, add(times(x, finger * 0.0105 * h), times(y, -0.012 * h)));
      const long = 0.04 - 0.004 * finger * finger;
      const tip = add(tips, add(times(x, finger * 0.0125 * h), times(y, (0.046 - 0.012 - long) * h)));
      return limb(group, surface, knuckle, tip, 0.0072 * h * fat, 0.0056 * h * fat, {
        melt: 0.005 * h,
      });
    }),
    limb(group, surface, add(side.wrist, times(y, -0.012 * h)), thumb, 0.011 * h * fat, 0.0078 * h * fat, {
      melt: 0.012 * h,
    }),
  ];
}
