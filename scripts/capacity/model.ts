/**
 * From a load and unit costs to cores, storage, egress and cost. Pure functions; their assumptions are in
 * `assumptions.ts`.
 */
import type { Assumptions } from './assumptions.ts';
import { RENDITIONS_PER_PHOTO, SHARES, type Role, type UnitCosts, type Work } from './unit-costs.ts';

const SECONDS_A_DAY = 86_400;
const DAYS_A_YEAR = 365;
const DAYS_A_MONTH = 30.4;
const HOURS_A_MONTH = 730;
/** Sessions of the database that a web or worker process opens at most (docs/operations.md, "Many machines"). */
const SESSIONS_PER_PROCESS = 16;

/** Bytes in the database and the object store, measured as docs/capacity.md says. */
export type Sizes = {
  /** Of one photo, all ten files. */
  renditionsKb: number;
  /** Rows with their indexes: of a photo without its renditions, of one rendition, of an order with all that belongs to it. */
  photoBytes: number;
  renditionBytes: number;
  orderBytes: number;
  /** Rows of an order in all tables. */
  orderRows: number;
};

export type Traffic = {
  /** In the busiest minute. */
  perSecond: Record<Work, number>;
  uploadsPerDay: number;
  ordersPerDay: number;
  pagesPerDay: number;
};

/** The load of the whole installation. */
export function trafficOf(given: Assumptions): Traffic {
  const orders = given['orders-per-minute'] / 60;
  const pages = orders * given['pages-per-order'];
  const lists = pages * given['lists-per-page'];
  const kept = given['kept-share'];
  const uploadsPerDay = given.photos / (given['photo-years'] * DAYS_A_YEAR);
  const perDay = SECONDS_A_DAY / given['peak-factor'];
  return {
    perSecond: {
      'pages anew': pages * (1 - kept),
      'pages again': pages * kept,
      'lists anew': lists * (1 - kept),
      'lists again': lists * kept,
      pictures: pages * given['pictures-per-page'] * (1 - given['cdn-share']),
      orders,
      ingest: uploadsPerDay / perDay,
    },
    uploadsPerDay,
    ordersPerDay: orders * perDay,
    pagesPerDay: pages * perDay,
  };
}

const UNIT: Record<Work, keyof UnitCosts> = {
  'pages anew': 'pageAnewMs',
  'pages again': 'pageAgainMs',
  'lists anew': 'listAnewMs',
  'lists again': 'listAgainMs',
  pictures: 'pictureMs',
  orders: 'orderMs',
  ingest: 'ingestMs',
};

export type WorkLine = { work: Work; perSecond: number; ms: number; busy: Record<Role, number> };

/** Cores that each kind of work keeps busy in the busiest minute. */
export function workOf(traffic: Traffic, costs: UnitCosts): WorkLine[] {
  return Object.entries(UNIT).map(([name, unit]) => {
    const work = name as Work;
    const ms = costs[unit];
    const perSecond = traffic.perSecond[work];
    const busy = (role: Role) => (perSecond * ms * SHARES[work][role]) / 1_000;
    return { work, perSecond, ms, busy: { web: busy('web'), worker: busy('worker'), database: busy('database') } };
  });
}

export type Machines = Record<Role, number> & {
  /** A web process for each core. */
  webProcesses: number;
  workerProcesses: number;
  sessions: number;
};

/** Cores to reserve, so that the busiest minute uses `utilization` of each; at least one for each role. */
export function machinesOf(lines: readonly WorkLine[], given: Assumptions): Machines {
  const cores = (role: Role) =>
    Math.max(1, Math.ceil(lines.reduce((sum, { busy }) => sum + busy[role], 0) / given.utilization));
  const [web, worker] = [cores('web'), cores('worker')];
  const workerProcesses = Math.ceil(worker / given['cores-per-worker']);
  return {
    web,
    worker,
    database: cores('database'),
    webProcesses: web,
    workerProcesses,
    sessions: (web + workerProcesses) * SESSIONS_PER_PROCESS,
  };
}

export type Storage = {
  objects: number;
  originalsGb: number;
  renditionsGb: number;
  orders: number;
  rows: { photos: number; renditions: number; orders: number };
  databaseGb: { photos: number; renditions: number; orders: number };
};

/** Of one copy; 1 GB is 1,000,000,000 bytes. */
export function storageOf(given: Assumptions, traffic: Traffic, sizes: Sizes): Storage {
  const { photos } = given;
  const orders = traffic.ordersPerDay * DAYS_A_YEAR * given['order-years'];
  const renditions = photos * RENDITIONS_PER_PHOTO;
  return {
    objects: photos + renditions,
    originalsGb: (photos * given['original-mb']) / 1e3,
    renditionsGb: (photos * sizes.renditionsKb) / 1e6,
    orders,
    rows: { photos, renditions, orders: orders * sizes.orderRows },
    databaseGb: {
      photos: (photos * sizes.photoBytes) / 1e9,
      renditions: (renditions * sizes.renditionBytes) / 1e9,
      orders: (orders * sizes.orderBytes) / 1e9,
    },
  };
}

export type Egress = { oursGbAMonth: number; cdnGbAMonth: number; oursPeakGbit: number };

/**
 * Pages, pictures, and each sold original once. Scripts, lists and emails take less than a tenth of it and are left
 * out.
 */
export function egressOf(given: Assumptions, traffic: Traffic, costs: UnitCosts): Egress {
  const picturesKb = given['pictures-per-page'] * costs.pictureKb;
  const ourPageKb = costs.pageKb + picturesKb * (1 - given['cdn-share']);
  const soldKb = given['photos-per-order'] * given['original-mb'] * 1_000;
  const pagesPerSecond = traffic.perSecond['pages anew'] + traffic.perSecond['pages again'];
  const monthly = (kbADay: number) => (kbADay * DAYS_A_MONTH) / 1e6;
  return {
    oursGbAMonth: monthly(traffic.pagesPerDay * ourPageKb + traffic.ordersPerDay * soldKb),
    cdnGbAMonth: monthly(traffic.pagesPerDay * picturesKb * given['cdn-share']),
    oursPeakGbit: ((pagesPerSecond * ourPageKb + traffic.perSecond.orders * soldKb) * 8) / 1e6,
  };
}

export type Bill = {
  monthly: { cores: number; objects: number; database: number; egress: number; cdn: number };
  monthlyTotal: number;
  /** Everything that runs, per month, for 1,000 stored photos. */
  monthlyPer1000Photos: number;
  /** Of that, the cost of photos that no one looks at: objects and their rows. */
  keepingPer1000Photos: number;
  /** Once, when 1,000 photos are uploaded: CPU of ingest and writes to the store. */
  takingInPer1000Photos: number;
};

/** All cores are paid for at all hours: none is returned at night. */
export function billOf(
  given: Assumptions,
  costs: UnitCosts,
  {
    machines,
    storage,
    egress,
  }: {
    machines: Record<Role, number>;
    storage: Pick<Storage, 'originalsGb' | 'renditionsGb' | 'databaseGb'>;
    egress: Egress;
  },
): Bill {
  const disk = given['database-copies'] * given['price-database-gb'];
  const { photos, renditions, orders } = storage.databaseGb;
  const objects = (storage.originalsGb + storage.renditionsGb) * given['price-object-gb'];
  const monthly = {
    cores: (machines.web + machines.worker + machines.database) * HOURS_A_MONTH * given['price-core-hour'],
    objects,
    database: (photos + renditions + orders) * disk,
    egress: egress.oursGbAMonth * given['price-egress-gb'],
    cdn: egress.cdnGbAMonth * given['price-cdn-gb'],
  };
  const monthlyTotal = Object.values(monthly).reduce((sum, cost) => sum + cost, 0);
  const thousands = given.photos / 1_000;
  // The upload, the original in its place, and the renditions.
  const writes = 2 + RENDITIONS_PER_PHOTO;
  return {
    monthly,
    monthlyTotal,
    monthlyPer1000Photos: monthlyTotal / thousands,
    keepingPer1000Photos: (objects + (photos + renditions) * disk) / thousands,
    takingInPer1000Photos: (costs.ingestMs / 3_600) * given['price-core-hour'] + writes * given['price-put-1000'],
  };
}
