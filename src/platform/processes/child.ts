/**
 * The child's end of the channel to the supervisor, and the same steps for a process that runs alone (`ROLE=web` or
 * `ROLE=worker` in its own container).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { connectionFaultOf } from '#src/platform/db/connection-faults.ts';
import { ensureRolesAt } from '#src/platform/db/roles.ts';
import { createLog } from '#src/platform/log.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { exchangeMetrics, NO_OTHER_PROCESSES, type MetricsExchange } from '#src/platform/processes/metrics-exchange.ts';
import {
  ALIVE_EVERY_MS,
  STOP_WITHIN_MS,
  type FromChild,
  type ToChild,
  announceReady,
} from '#src/platform/processes/messages.ts';
import { stopWithNpm } from '#src/platform/processes/npm-parent.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { upgradeDatabase } from '#src/platform/processes/upgrade.ts';
import { isProblem } from '#src/shared/problem.ts';

type ChildStart = {
  addresses: DatabaseAddresses;
  /** For the log and the database's list of sessions: `web 1`, `worker`. */
  name: string;
};

type ChildLine = {
  start: ChildStart;
  metrics: MetricsExchange;
  /** Reports to the supervisor that this process is ready. Alone, a web process logs the port it listens on. */
  ready(port?: number): void;
  /**
   * Calls `stop` once, when the product stops: it finishes work in progress and closes everything. The process ends
   * when it has resolved, or after 25 seconds. A child whose supervisor was killed ends immediately.
   */
  onStop(stop: () => Promise<void>): void;
};

/** How long a process that runs alone waits at its start for a database that does not answer, and the pause between attempts. */
const DATABASE_WITHIN_MS = 60_000;
const DATABASE_PAUSE_MS = 500;

/**
 * Returns the address of the database, with or without a supervisor, which is notified every `aliveEveryMs` that this
 * process is alive.
 */
export async function openChildLine(config: Config, aliveEveryMs = ALIVE_EVERY_MS): Promise<ChildLine> {
  return process.send === undefined ? lineAlone(config) : lineToSupervisor(aliveEveryMs);
}

async function lineToSupervisor(aliveEveryMs: number): Promise<ChildLine> {
  const send = (message: FromChild): void => {
    if (process.connected) process.send?.(message);
  };
  // Without a supervisor nothing would ever stop this process, and the next start needs its port.
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C reaches every process of a terminal; the supervisor decides the order.
  process.on('SIGINT', () => undefined);
  setInterval(() => send({ type: 'alive' }), aliveEveryMs).unref();

  const { stop, onStop } = stopOnce();
  process.on('SIGTERM', stop);
  const metrics = exchangeMetrics(send);
  const start = await new Promise<ChildStart>((resolve) => {
    process.on('message', (message: ToChild) => {
      metrics.receive(message);
      if (message.type === 'start') resolve({ addresses: message.addresses, name: message.name });
      if (message.type === 'stop') stop();
    });
    send({ type: 'hello' });
  });
  return {
    start,
    metrics,
    ready: () => send({ type: 'ready' }),
    onStop,
  };
}

async function lineAlone(config: Config): Promise<ChildLine> {
  const { databaseUrl } = config;
  if (databaseUrl === null)
    throw new StartError(
      `DATABASE_URL must be set with ROLE=${config.role}: only the supervisor starts the embedded database.`,
    );
  // The first process of a container ignores signals that it does not handle, even while it waits for its database.
  const { stop, onStop } = stopOnce();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  stopWithNpm(stop);
  const log = createLog({ level: config.logLevel, name: config.role });
  const addresses = await whenDatabaseAnswers(log, async () => {
    const found = await ensureRolesAt(databaseUrl);
    await upgradeDatabase({ config, log, addresses: found });
    await installJobSchema(found.ownerUrl);
    return found;
  });
  return {
    start: { addresses, name: config.role },
    metrics: NO_OTHER_PROCESSES,
    ready(port) {
      if (config.role === 'web') announceReady(config.host, port ?? config.port);
    },
    onStop,
  };
}

/** `stop` ends the process, after the work that was passed to `onStop` by then; later calls do nothing. */
function stopOnce() {
  let work: () => Promise<void> = () => Promise.resolve();
  let isStopping = false;
  return {
    stop() {
      if (isStopping) return;
      isStopping = true;
      void endAfter(work);
    },
    onStop(given: () => Promise<void>) {
      work = given;
    },
  };
}

const isUnreachable = (error: unknown) =>
  connectionFaultOf(error) !== null || (isProblem(error) && error.code === 'unavailable');

/**
 * A database behind a load balancer may be unreachable, fail over or be slow just when its processes start: the work,
 * which must be repeatable, is retried for a while, as running processes wait for it, too.
 */
export async function whenDatabaseAnswers<T>(log: Pick<Logger, 'warn'>, work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + DATABASE_WITHIN_MS; ; await sleep(DATABASE_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || Date.now() > deadline) throw error;
      log.warn({ err: error }, 'the database does not answer; the start waits for it');
    }
  }
}

async function endAfter(work: () => Promise<void>): Promise<void> {
  setTimeout(() => endBadly(`not stopped after ${STOP_WITHIN_MS / 1000} seconds`), STOP_WITHIN_MS).unref();
  try {
    await work();
    process.exit(0);
  } catch (error) {
    endBadly(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function endBadly(reason: string): void {
  process.stderr.write(`The process did not stop in order: ${reason}\n`);
  process.exit(1);
}
