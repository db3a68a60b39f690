/** The capacity model, against sums made by hand. */
import { describe, expect, test } from 'vitest';
import { ASSUMPTIONS, readAssumptions, type Assumptions } from '../scripts/capacity/assumptions.ts';
import { billOf, egressOf, machinesOf, storageOf, trafficOf, workOf, type Sizes } from '../scripts/capacity/model.ts';
import { reportCapacity } from '../scripts/capacity/report.ts';
import { readUnitCosts, SHARES, type UnitCosts } from '../scripts/capacity/unit-costs.ts';

const costs: UnitCosts = {
  pageAnewMs: 5,
  pageAgainMs: 0.3,
  listAnewMs: 2,
  listAgainMs: 0.2,
  pictureMs: 0.25,
  orderMs: 12,
  ingestMs: 400,
  pageKb: 30,
  pictureKb: 30,
};
const sizes: Sizes = {
  renditionsKb: 1_000,
  photoBytes: 1_000,
  renditionBytes: 300,
  orderBytes: 4_000,
  orderRows: 12,
};
const assumed = (more: Partial<Assumptions> = {}): Assumptions => ({ ...readAssumptions({}), ...more });
const busyOf = (given: Assumptions) => workOf(trafficOf(given), costs);

/** A bench of these details. */
const printed = (change: Record<string, object> = {}) =>
  `P12  JavaScript\n${JSON.stringify({
    isQuick: false,
    rows: {
      P4: { details: { '100 anew cpu ms': 2, '100 again cpu ms': 0.2 } },
      P5: { details: { 'page cpu ms': 5 } },
      P6: { details: { 'page cpu ms': 0.3, 'compressed kB': 30 } },
      P7: { details: { 'rendition cpu ms': 0.25, 'rendition kB': 30 } },
      P8: { details: { orderCpuMs: 12 } },
      P26: { details: { 'photos a second': 5 } },
      ...change,
    },
  })}\n`;

describe('unit costs', () => {
  test("are read from the last line of the bench's output", () => {
    expect(readUnitCosts(printed(), 2)).toEqual(costs);
    expect(readUnitCosts(printed(), 4).ingestMs).toBe(800);
  });

  test('that the bench has not measured are all named', () => {
    expect(() => readUnitCosts(printed({ P8: { error: 'it failed' }, P26: {} }), 2)).toThrow(
      'The bench has not measured P8 (orderCpuMs), P26 (photos a second). Run "npm run bench" with all rows.',
    );
  });

  test.each([['words'], [''], ['null'], ['{"rows":{}}x'], ['{"rows":null}'], ['[]']])(
    'are not read from %j',
    (text) => {
      expect(() => readUnitCosts(text, 2)).toThrow('The last line of this file is not the JSON of "npm run bench".');
    },
  );

  test.each(Object.entries(SHARES))('of %s add up to one', (_work, { web, worker, database }) => {
    expect(web + worker + database).toBeCloseTo(1, 10);
  });
});

describe('assumptions', () => {
  test('may each be replaced', () => {
    const given = readAssumptions({ 'orders-per-minute': '60', 'cdn-share': '0.9' });
    expect(given).toEqual({ ...assumed(), 'orders-per-minute': 60, 'cdn-share': 0.9 });
    expect(given.photos).toBe(ASSUMPTIONS.photos.value);
  });

  test('that are impossible are all named together', () => {
    expect(() =>
      readAssumptions({ photos: '0', 'cdn-share': '1.5', utilization: '', 'price-cdn-gb': '-1', 'order-years': 'x' }),
    ).toThrow(
      [
        '--photos must be a number above 0.',
        '--order-years must be a number from 0 on.',
        '--cdn-share must be a number from 0 on, at most 1.',
        '--utilization must be a number above 0, at most 1.',
        '--price-cdn-gb must be a number from 0 on.',
      ].join('\n'),
    );
  });
});

test('traffic follows from orders and photos', () => {
  const given = assumed({ photos: 1_095_000, 'orders-per-minute': 60, 'kept-share': 0.75, 'cdn-share': 0.5 });
  const { perSecond, ...days } = trafficOf(given);
  expect(days).toEqual({ uploadsPerDay: 1_000, ordersPerDay: 8_640, pagesPerDay: 864_000 });
  expect(perSecond).toEqual({
    'pages anew': 25,
    'pages again': 75,
    'lists anew': 25,
    'lists again': 75,
    pictures: 1_500,
    orders: 1,
    ingest: 1_000 / 8_640,
  });
});

describe('cores', () => {
  test('are what the work takes in the busiest minute', () => {
    const lines = busyOf(assumed({ 'orders-per-minute': 60 }));
    const of = (name: string) => lines.find(({ work }) => work === name)?.busy;
    // 3,000 pictures a second of 0.25 ms; one order of 12 ms.
    expect(of('pictures')?.web).toBeCloseTo(0.75 * 0.63, 10);
    expect(of('pictures')?.database).toBeCloseTo(0.75 * 0.37, 10);
    expect(of('orders')?.worker).toBeCloseTo(0.012 * 0.23, 10);
  });

  test.each([
    ['half used', { utilization: 0.5 }, 22],
    ['fully used', { utilization: 1 }, 11],
    ['with a CDN for all pictures', { utilization: 1, 'cdn-share': 1 }, 2],
    ['with nobody there', { 'orders-per-minute': 0, photos: 1 }, 1],
  ])('of web processes: %s', (_name, more, cores) => {
    // 2,000 pages: 100 rendered 0.425, 1,900 cached 0.359; as many lists 0.116 and 0.239; 60,000 pictures 9.45; 20
    // orders 0.085.
    const given = assumed({ 'orders-per-minute': 1_200, 'kept-share': 0.95, photos: 1_000, ...more });
    expect(machinesOf(busyOf(given), given).web).toBe(cores);
  });

  test('decide how many sessions the database must have', () => {
    const given = assumed({ 'cores-per-worker': 4, utilization: 1 });
    const machines = machinesOf(
      [{ work: 'orders', perSecond: 1, ms: 1, busy: { web: 6.5, worker: 8.5, database: 0.1 } }],
      given,
    );
    expect(machines).toEqual({
      web: 7,
      worker: 9,
      database: 1,
      webProcesses: 7,
      workerProcesses: 3,
      sessions: 160,
    });
  });
});

test('storage counts originals, ten renditions and rows', () => {
  const given = assumed({ photos: 1_000_000, 'orders-per-minute': 60, 'order-years': 2 });
  expect(storageOf(given, trafficOf(given), sizes)).toEqual({
    objects: 11_000_000,
    originalsGb: 4_000,
    renditionsGb: 1_000,
    orders: 6_307_200,
    rows: { photos: 1_000_000, renditions: 10_000_000, orders: 75_686_400 },
    databaseGb: { photos: 1, renditions: 3, orders: 25.2288 },
  });
});

test('a CDN reduces the pictures that we send, but not pages and sold originals', () => {
  const given = assumed({ 'orders-per-minute': 60 });
  const without = egressOf(given, trafficOf(given), costs);
  // A page is 930 kB with its pictures, an order 12 MB; 864,000 and 8,640 a day.
  expect(without.oursGbAMonth).toBeCloseTo(30.4 * (864 * 0.93 + 8.64 * 12), 6);
  expect(without.cdnGbAMonth).toBe(0);
  expect(without.oursPeakGbit).toBeCloseTo((100 * 0.93 + 12) * 0.008, 10);
  const behind = { ...given, 'cdn-share': 0.9 };
  const withCdn = egressOf(behind, trafficOf(behind), costs);
  expect(withCdn.oursGbAMonth).toBeCloseTo(30.4 * (864 * 0.12 + 8.64 * 12), 6);
  expect(withCdn.cdnGbAMonth).toBeCloseTo(30.4 * 864 * 0.81, 6);
});

test('the bill is what is reserved, stored and sent, at the given prices', () => {
  const given = assumed({
    photos: 1_000_000,
    'price-core-hour': 0.1,
    'price-object-gb': 0.02,
    'price-put-1000': 0.005,
    'price-database-gb': 0.1,
    'price-egress-gb': 0.05,
    'price-cdn-gb': 0.01,
  });
  const bill = billOf(given, costs, {
    machines: { web: 5, worker: 3, database: 2 },
    storage: { originalsGb: 4_000, renditionsGb: 1_000, databaseGb: { photos: 1, renditions: 3, orders: 6 } },
    egress: { oursGbAMonth: 1_000, cdnGbAMonth: 2_000, oursPeakGbit: 1 },
  });
  expect(bill.monthly).toEqual({ cores: 730, objects: 100, database: 2, egress: 50, cdn: 20 });
  expect(bill.monthlyTotal).toBe(902);
  expect(bill.monthlyPer1000Photos).toBeCloseTo(0.902, 10);
  expect(bill.keepingPer1000Photos).toBeCloseTo(0.1008, 10);
  // 400 s of a core, and 12,000 writes.
  expect(bill.takingInPer1000Photos).toBeCloseTo(0.1 / 9 + 0.06, 10);
});

test('the report has a row for each assumption and no invalid number', () => {
  const report = reportCapacity(assumed(), costs, sizes);
  for (const name of Object.keys(ASSUMPTIONS)) expect(report).toContain(`\`--${name}\``);
  expect(report).toContain('| originals, objects | 100,000,000 | 400,000 |');
  expect(report).not.toMatch(/NaN|undefined|Infinity/);
});
