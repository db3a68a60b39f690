/** The demo's past orders: drawn from a fixed seed, so that every demo tells the same story. */

export type DemoOrder = {
  daysAgo: number;
  gallery: string;
  photoCount: number;
  donationDollars: number;
  firstName: string;
  lastName: string;
  reconciled: boolean;
};

const FIRST = 'Maria James Aisha Tom Elena Chris Nora Sam Grace Diego Ruth Kevin Linh Paul Hannah Omar'.split(' ');
const LAST = 'Jensen Okafor Walsh Nguyen Ortiz Brooks Patel Kim Fischer Hughes Moreau Santos'.split(' ');
const CUP = 'Spring Cup Final';
/** Most families buy photos of the final. */
const GALLERIES = [CUP, CUP, CUP, CUP, 'Dual Meet', 'Fan Photos'];
const DONATIONS = [0, 0, 0, 5, 0, 10, 0, 0, 20, 0, 15];
const SPAN_DAYS = 60;

/** A small generator of even numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` orders, oldest first, spread over 60 days with more of them near the weekends of games. */
export function planDemoOrders(count = 60, seed = 20_260_314): DemoOrder[] {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const orders = Array.from({ length: count }, (_, index) => {
    const daysAgo = SPAN_DAYS - (index * SPAN_DAYS) / count - random() * 0.9;
    return {
      daysAgo,
      gallery: pick(GALLERIES),
      photoCount: 1 + Math.floor(random() ** 2 * 5),
      donationDollars: pick(DONATIONS),
      firstName: pick(FIRST),
      lastName: pick(LAST),
      reconciled: daysAgo > 40 && random() < 0.7,
    };
  });
  return orders.sort((a, b) => b.daysAgo - a.daysAgo);
}
