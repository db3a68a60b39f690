/** The inputs of the capacity model besides the bench: options of `npm run capacity`, each with its default. */

/** A number that the operator may replace: its unit is in the name or in `what`. */
type Assumption = { value: number; what: string; most?: number };

/** The load, and how people are assumed to behave: not measured at this size. */
const LOAD = {
  organizations: { value: 10_000, what: 'organizations' },
  photos: { value: 100_000_000, what: 'photos that are kept' },
  'orders-per-minute': { value: 1_000, what: 'orders in the busiest minute' },
  'peak-factor': { value: 10, what: 'the busiest minute of all / the mean minute, of orders, pages and uploads' },
  'photo-years': { value: 3, what: 'years in which the photos came, evenly' },
  'order-years': { value: 3, what: 'years of orders in the database' },
  'pages-per-order': { value: 100, what: 'gallery pages opened for each order' },
  'lists-per-page': { value: 1, what: 'further lists of 100 photos that a visitor scrolls to, a page' },
  'pictures-per-page': { value: 30, what: 'pictures loaded, a page' },
  'photos-per-order': { value: 3, what: 'photos sold and downloaded once, an order' },
  'kept-share': { value: 0.8, what: 'share of pages and lists that web processes answer from memory', most: 1 },
  'cdn-share': { value: 0, what: 'share of pictures that a CDN answers', most: 1 },
  'original-mb': { value: 4, what: 'MB of an original' },
} as const satisfies Record<string, Assumption>;

/** How much capacity is reserved. */
const MACHINES = {
  'bench-cores': { value: 2, what: 'cores of the machine that the bench ran on' },
  utilization: { value: 0.5, what: 'share of a core that the busiest minute may use', most: 1 },
  'cores-per-worker': { value: 4, what: 'cores of a worker process with its picture processes' },
  'database-copies': { value: 2, what: 'copies of the database on disk: the primary and a standby' },
} as const satisfies Record<string, Assumption>;

/** Examples, not actual offers: replace them with your provider's. Any currency. */
const PRICES = {
  'price-core-hour': { value: 0.04, what: 'example price of a core with its memory, an hour' },
  'price-object-gb': { value: 0.02, what: 'example price of 1 GB in the object store, a month' },
  'price-put-1000': { value: 0.005, what: 'example price of 1,000 writes to the object store' },
  'price-database-gb': { value: 0.1, what: 'example price of 1 GB of database disk, a month' },
  'price-egress-gb': { value: 0.05, what: 'example price of 1 GB that we send' },
  'price-cdn-gb': { value: 0.01, what: 'example price of 1 GB that the CDN sends' },
} as const satisfies Record<string, Assumption>;

export const ASSUMPTIONS = { ...LOAD, ...MACHINES, ...PRICES };
export type AssumptionName = keyof typeof ASSUMPTIONS;
export type Assumptions = Record<AssumptionName, number>;

export const ASSUMPTION_NAMES = Object.keys(ASSUMPTIONS) as AssumptionName[];

/** If one of these is zero, nothing can be computed. */
const MORE_THAN_ZERO = new Set<AssumptionName>([
  'photos',
  'peak-factor',
  'photo-years',
  'bench-cores',
  'utilization',
  'cores-per-worker',
]);

/**
 * The assumptions, with given values in place of the defaults.
 * @throws Error with a sentence for each impossible value
 */
export function readAssumptions(given: Partial<Record<AssumptionName, string>>): Assumptions {
  const wrong: string[] = [];
  const entries = ASSUMPTION_NAMES.map((name) => {
    const assumed: Assumption = ASSUMPTIONS[name];
    const text = given[name];
    if (text === undefined) return [name, assumed.value];
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const isEnough = MORE_THAN_ZERO.has(name) ? value > 0 : value >= 0;
    if (!Number.isFinite(value) || !isEnough || value > (assumed.most ?? Infinity))
      wrong.push(
        `--${name} must be a number ${MORE_THAN_ZERO.has(name) ? 'above 0' : 'from 0 on'}${assumed.most === undefined ? '' : `, at most ${assumed.most}`}.`,
      );
    return [name, value];
  });
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return Object.fromEntries(entries) as Assumptions;
}
