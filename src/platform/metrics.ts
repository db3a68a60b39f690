/**
 * Numbers for operators, as Prometheus text. Each process has its own, distinguished by the `process` label. Labels
 * have few values: a route's pattern, a job's name, a kind of outcome; never an address, an id or an organization.
 */
import type { RecordableHistogram } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolLoad } from '#src/platform/db/db.ts';
import type { JobObservation } from '#src/platform/jobs/pg-boss-jobs.ts';
import { measureDelay } from '#src/platform/processes/loop-delay.ts';
import type { CallObservation } from '#src/platform/telemetry/calls.ts';

export type AnswerObservation = { method: string; route: string; status: number; ms: number };

export type Metrics = ReturnType<typeof createMetrics>;

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
/** From a job's beginning in the queue to its end, with all retries. */
const LAG_SECONDS = [0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3600];
const CALL_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

/** How often prom-client has Node measure its delay, also at rest: practically never, because `loop-delay.ts` measures it. */
const NEVER_MS = 2 ** 31 - 1;

type Registers = { registers: Registry[] };

type MetricsOptions = {
  /** Distinguishes the processes of one machine: `web 1`, `worker`; by default the process id. */
  processName?: string;
  /** As in `measureDelay`. */
  onTurn?: (turnMs: number) => boolean;
};

export function createMetrics({ processName = String(process.pid), onTurn }: MetricsOptions = {}) {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  const to = { registers: [registry] };
  const delay = measureDelay({ onTurn });
  showDelays(registry, delay.delays);
  return {
    ...requestMetrics(to, delay.count),
    ...jobMetrics(to),
    /** A job or an email has begun (1) or ended (-1): the delay of the event loop is measured meanwhile. */
    countWork: delay.count,
    ...databaseMetrics(to),
    ...callMetrics(to),
    /** Shows numbers that are read at each scrape; left out while they cannot be read. */
    watchNumbers({ name, help, labelNames = [], read }: WatchedNumbers): void {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        ...to,
        async collect() {
          const rows = await read().catch((): LabeledNumber[] => []);
          this.reset();
          // A gauge without labels is 0 then.
          this.remove({});
          for (const { value, labels = {} } of rows) this.set(labels, value);
        },
      });
    },
    /** The text of `GET /metrics`. */
    text: () => registry.metrics(),
    /** The same as objects, for exporters. */
    read: () => registry.getMetricsAsJSON(),
  };
}

/** Merges the texts of several processes: each metric once, with the numbers of all. */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; numbers: string[] }>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = block.split('\n').filter((line) => line !== '');
    const head = lines.filter((line) => line.startsWith('#'));
    const name = head[0]?.split(' ')[2];
    if (name === undefined) continue;
    const family = families.get(name) ?? { head, numbers: [] };
    families.set(name, family);
    family.numbers.push(...lines.slice(head.length));
  }
  return [...families.values()].map(({ head, numbers }) => `${[...head, ...numbers].join('\n')}\n`).join('\n');
}

type WatchedNumbers = { name: string; help: string; labelNames?: readonly string[]; read: ReadNumbers };
/** One number for each set of labels. */
export type LabeledNumber = { value: number; labels?: Record<string, string> };
type ReadNumbers = () => Promise<readonly LabeledNumber[]>;

const DELAYS: Readonly<Record<string, (delays: RecordableHistogram) => number>> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  stddev: ({ stddev }) => stddev,
  p50: (delays) => delays.percentile(50),
  p90: (delays) => delays.percentile(90),
  p99: (delays) => delays.percentile(99),
};

/** prom-client's metrics of the event loop's delay, with what we measured since the last scrape: 0 without any work. */
function showDelays(registry: Registry, delays: RecordableHistogram): void {
  for (const [name, read] of Object.entries(DELAYS)) {
    const metric = `nodejs_eventloop_lag_${name}_seconds`;
    registry.removeSingleMetric(metric);
    new Gauge({
      name: metric,
      help: `Delay of the event loop since the last scrape while there was work: ${name}.`,
      registers: [registry],
      collect() {
        this.set(delays.count === 0 ? 0 : read(delays) / 1e9);
        if (name === 'p99') delays.reset();
      },
    });
  }
}

function requestMetrics(to: Registers, countWork: (change: 1 | -1) => void) {
  const answers = new Histogram({
    name: 'sideline_http_seconds',
    help: 'Time from a request to its answer, by route pattern and class of status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: HTTP_SECONDS,
    ...to,
  });
  const open = new Gauge({ name: 'sideline_http_in_flight', help: 'Requests without an answer yet.', ...to });
  const checkouts = new Counter({
    name: 'sideline_checkouts_total',
    help: 'Submitted orders, by outcome.',
    labelNames: ['outcome'] as const,
    ...to,
  });
  return {
    /** Counts a response by route pattern, never by address, of which there are too many. */
    observeAnswer({ method, route, status, ms }: AnswerObservation): void {
      answers.observe(
        { method: METHODS.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx` },
        ms / 1000,
      );
    },
    /** A request arrived (1), or was answered or aborted (-1). */
    countOpen(change: 1 | -1): void {
      open.inc(change);
      countWork(change);
    },
    /** `times` 0 shows an outcome before it has occurred: Prometheus does not count a series that starts at 1 as an increase. */
    countCheckout: (outcome: string, times = 1) => checkouts.inc({ outcome }, times),
  };
}

/** The label is `work`: Prometheus gives `job` to what it scrapes, and renames a label of ours. */
function jobMetrics(to: Registers) {
  const jobs = new Histogram({
    name: 'sideline_job_seconds',
    help: 'Time of one attempt of a job.',
    labelNames: ['work', 'outcome'] as const,
    buckets: JOB_SECONDS,
    ...to,
  });
  const waits = new Histogram({
    name: 'sideline_job_wait_seconds',
    help: 'Time from when a job could start to when it did.',
    labelNames: ['work'] as const,
    buckets: JOB_SECONDS,
    ...to,
  });
  const lags = new Histogram({
    name: 'sideline_job_lag_seconds',
    help: 'Time from when a job was queued to when it was done, with all attempts; of photo.ingest: until the photo is ready.',
    labelNames: ['work'] as const,
    buckets: LAG_SECONDS,
    ...to,
  });
  const dead = new Counter({
    name: 'sideline_jobs_given_up_total',
    help: 'Jobs whose last attempt failed; of mail.send: failed attempts after the first hour, which are not the last.',
    labelNames: ['work'] as const,
    ...to,
  });
  return {
    /** Shows that none of these has been given up yet: Prometheus does not count a series that starts at 1 as an increase. */
    expectJobs: (names: readonly string[]) => names.forEach((work) => dead.inc({ work }, 0)),
    observeJob({ job: work, outcome, ms, waitedMs, lagMs }: JobObservation): void {
      if (outcome === 'dead') return dead.inc({ work });
      jobs.observe({ work, outcome }, ms / 1000);
      waits.observe({ work }, waitedMs / 1000);
      if (outcome === 'done' && lagMs !== undefined) lags.observe({ work }, lagMs / 1000);
    },
  };
}

function databaseMetrics(to: Registers) {
  const statements = new Histogram({
    name: 'sideline_statement_seconds',
    help: 'Time from a statement to its answer.',
    buckets: CALL_SECONDS,
    ...to,
  });
  const slow = new Counter({
    name: 'sideline_slow_statements_total',
    help: 'Statements that took SLOW_STATEMENT_MS or longer, by the route or job that sent them.',
    labelNames: ['work'] as const,
    ...to,
  });
  const pools = new Map<string, () => PoolLoad>();
  new Gauge({
    name: 'sideline_pool_sessions',
    help: 'Database sessions by state, and callers waiting for one.',
    labelNames: ['pool', 'state'] as const,
    ...to,
    collect() {
      for (const [pool, load] of pools) {
        const { total, idle, waiting } = load();
        this.set({ pool, state: 'busy' }, total - idle);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
  new Gauge({
    name: 'sideline_pool_limit',
    help: 'Maximum number of database sessions of a pool.',
    labelNames: ['pool'] as const,
    ...to,
    collect() {
      for (const [pool, load] of pools) this.set({ pool }, load().most);
    },
  });
  return {
    observeStatement: (ms: number) => statements.observe(ms / 1000),
    countSlowStatement: (work: string) => slow.inc({ work }),
    /** Shows how a pool of database sessions is used. */
    watchPool: (pool: string, load: () => PoolLoad) => void pools.set(pool, load),
  };
}

function callMetrics(to: Registers) {
  const calls = new Histogram({
    name: 'sideline_call_seconds',
    help: 'Time of a call to the object store (store), the card provider (cards), a picture process (pictures) or the mail server (mail).',
    labelNames: ['system', 'call', 'outcome'] as const,
    buckets: CALL_SECONDS,
    ...to,
  });
  return {
    observeCall: ({ system, call, outcome, ms }: CallObservation) =>
      calls.observe({ system, call, outcome }, ms / 1000),
  };
}
