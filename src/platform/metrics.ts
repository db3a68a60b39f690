/**
 * Numbers for operators, as Prometheus text. Each process keeps its own and answers for itself:
 * with several web processes a scrape sees the one that took it, told apart by the `process` label.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { JobObservation } from '#src/platform/jobs/pg-boss-jobs.ts';

export type AnswerObservation = { method: string; route: string; status: number; ms: number };
type PoolLoad = { total: number; idle: number; waiting: number };

export type Metrics = ReturnType<typeof createMetrics>;

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);

type MetricsOptions = {
  /** Tells the processes of one machine apart: `web 1`, `worker`. By default the process id. */
  processName?: string;
  /** Its pool's load is shown. */
  database?: { load(): PoolLoad };
};

export function createMetrics(options: MetricsOptions = {}) {
  const { processName = String(process.pid), database } = options;
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const answers = new Histogram({
    name: 'sideline_http_seconds',
    help: 'Time from a request to its answer, by route pattern and class of status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: HTTP_SECONDS,
    registers,
  });
  const jobs = new Histogram({
    name: 'sideline_job_seconds',
    help: 'Time of one attempt of a job.',
    labelNames: ['job', 'outcome'] as const,
    buckets: JOB_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: 'sideline_job_wait_seconds',
    help: 'Time from when a job could start to when it did.',
    labelNames: ['job'] as const,
    buckets: JOB_SECONDS,
    registers,
  });
  const dead = new Counter({
    name: 'sideline_jobs_given_up_total',
    help: 'Jobs whose last attempt failed.',
    labelNames: ['job'] as const,
    registers,
  });
  new Gauge({
    name: 'sideline_pool_sessions',
    help: 'Database sessions by what they do, and callers waiting for one.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      if (!database) return;
      const { total, idle, waiting } = database.load();
      this.set({ pool: 'main', state: 'busy' }, total - idle);
      this.set({ pool: 'main', state: 'idle' }, idle);
      this.set({ pool: 'main', state: 'waiting' }, waiting);
    },
  });

  return {
    /** Counts an answer by route pattern; never by address, of which there are too many. */
    observeAnswer({ method, route, status, ms }: AnswerObservation): void {
      answers.observe(
        { method: METHODS.has(method) ? method : 'other', route, status: `${Math.floor(status / 100)}xx` },
        ms / 1000,
      );
    },
    observeJob({ job, outcome, ms, waitedMs }: JobObservation): void {
      if (outcome === 'dead') return dead.inc({ job });
      jobs.observe({ job, outcome }, ms / 1000);
      waits.observe({ job }, waitedMs / 1000);
    },
    /** Shows a number that is asked for at each scrape; left out while it cannot be told. */
    watchNumber(name: string, help: string, read: () => Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read().catch(() => null);
          if (value === null) this.reset();
          else this.set(value);
        },
      });
    },
    /** The text of `GET /metrics`. */
    text: () => registry.metrics(),
  };
}
