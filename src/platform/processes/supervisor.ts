/**
 * The process that `npm start` leaves running: it owns the embedded database and keeps the web processes and the
 * worker alive. It serves nothing itself and loads little, so that it never has a reason to fall.
 */
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/database-names.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { createChildren } from '#src/platform/processes/children.ts';
import type { Children } from '#src/platform/processes/children.ts';
import { openDatabaseHost } from '#src/platform/processes/database-host.ts';
import type { DatabaseHost } from '#src/platform/processes/database-host.ts';
import { findFreePort } from '#src/platform/processes/port-check.ts';
import { announceReady } from '#src/platform/processes/site-address.ts';
import { watchSources } from '#src/platform/processes/watch-sources.ts';
import { stopSignals } from '#src/platform/processes/stop-signals.ts';

export type SupervisorOptions = {
  config: Config;
  log: Logger;
  /** The program of every child, absolute: src/main.ts, told apart by ROLE. */
  program: string;
  /** After migrations, before any child runs: the job queue's tables, the demo. */
  prepare(addresses: DatabaseAddresses): Promise<void>;
};

/** Runs the product until it is stopped. Returns the exit code. @throws StartError and other errors of the start */
export async function runSupervisor(options: SupervisorOptions): Promise<number> {
  const { config, log } = options;
  const stop = stopSignals();
  let host: DatabaseHost | null = null;
  let children: Children | null = null;
  let unwatch: (() => void) | undefined;
  try {
    const port = await findFreePort(config.host, config.port);
    host = await openDatabaseHost({ config, log, onMoved: () => children?.restartAll() });
    const { addresses } = host;
    const applied = await migrate(addresses.ownerUrl);
    if (applied.length > 0) log.info({ applied }, 'the database was brought to this version');
    await unlessStopped(stop, options.prepare(addresses));
    if (stop.isAsked()) return 0;

    const currentHost = host;
    children = createChildren({
      program: options.program,
      port,
      addresses: () => currentHost.addresses,
      log,
      watchSilence: config.mode === 'production',
    });
    await unlessStopped(stop, startAll(children, config.webConcurrency));
    if (stop.isAsked()) return 0;
    if (config.mode === 'dev') unwatch = watchSources(path.dirname(options.program), () => children?.restartAll());
    announceReady(config.host, port);
    await stop.asked;
    return 0;
  } finally {
    log.info('stopping');
    unwatch?.();
    await children?.stopAll();
    await host?.stop();
  }
}

/** Waits for a step, or until the product is stopped; the step's result does not matter then. */
async function unlessStopped(stop: { asked: Promise<void> }, step: Promise<unknown>): Promise<void> {
  step.catch(() => undefined);
  await Promise.race([step, stop.asked]);
}

async function startAll(children: Children, webs: number): Promise<void> {
  const names = Array.from({ length: webs }, (_, index) => `web ${index + 1}`);
  await Promise.all([...names.map((name) => children.keep('web', name)), children.keep('worker', 'worker')]);
}
