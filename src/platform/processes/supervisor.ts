/**
 * The process that `npm start` leaves running: it owns the embedded database and keeps the web processes and the worker
 * running. It serves nothing itself and loads little, so that it has no reason to crash.
 */
import { readFileSync, watch } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { createChildren, type Children } from '#src/platform/processes/children.ts';
import { openDatabaseHost, type DatabaseHost } from '#src/platform/processes/database-host.ts';
import { whyNotListening } from '#src/platform/processes/listening.ts';
import { announceReady, SILENT_AFTER_MS } from '#src/platform/processes/messages.ts';
import { stopWithNpm } from '#src/platform/processes/npm-parent.ts';
import { upgradeDatabase } from '#src/platform/processes/upgrade.ts';

type SupervisorOptions = {
  config: Config;
  log: Logger;
  /** The program of every child, absolute: src/main.ts, distinguished by ROLE. */
  program: string;
  /** After migrations, before any child runs: the job queue's tables, the demo. Ends soon after `stop`. */
  prepare(addresses: DatabaseAddresses, stop: AbortSignal): Promise<void>;
  /** After which a silent child is killed, outside development. */
  silentAfterMs?: number;
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
    await upgradeDatabase({ config, log, addresses });
    await options.prepare(addresses, stop.signal);
    if (stop.isRequested()) return 0;

    const currentHost = host;
    children = createChildren({
      program: options.program,
      port,
      addresses: () => currentHost.addresses,
      log,
      silentAfterMs: config.mode === 'production' ? (options.silentAfterMs ?? SILENT_AFTER_MS) : null,
    });
    await unlessStopped(stop, startAll(children, config.webConcurrency));
    if (stop.isRequested()) return 0;
    if (config.mode === 'dev') unwatch = watchSources(path.dirname(options.program), () => children?.restartAll());
    announceReady(config.host, port);
    await stop.requested;
    return 0;
  } finally {
    log.info('stopping');
    unwatch?.();
    await children?.stopAll();
    await host?.stop();
  }
}

/** Waits for a step, or until the product is stopped; the step's result does not matter then. */
async function unlessStopped(stop: { requested: Promise<void> }, step: Promise<unknown>): Promise<void> {
  step.catch(() => undefined);
  await Promise.race([step, stop.requested]);
}

async function startAll(children: Children, webs: number): Promise<void> {
  const names = Array.from({ length: webs }, (_, index) => `web ${index + 1}`);
  await Promise.all([...names.map((name) => children.keep('web', name)), children.keep('worker', 'worker')]);
}

/** The request to stop, wherever it comes from. */
type StopSignals = { requested: Promise<void>; isRequested(): boolean; signal: AbortSignal };

/** SIGTERM, SIGINT, a closed terminal, and the end of the npm that started us. */
function stopSignals(): StopSignals {
  const controller = new AbortController();
  const { signal } = controller;
  const requested = new Promise<void>((resolve) => {
    const stop = (): void => {
      controller.abort();
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    if (!ignoresHangup()) process.on('SIGHUP', stop);
    stopWithNpm(stop);
  });
  return { requested, isRequested: () => signal.aborted, signal };
}

/** True under `nohup`, whose effect a handler of ours would undo. */
function ignoresHangup(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${mask}`) & 1n) === 1n;
  } catch {
    return false;
  }
}

/**
 * Tries the address before anything is started and returns its port; port 0 means a free one. Waits a moment for a used
 * port: the children of a killed supervisor may still be stopping. Throws StartError with one sentence.
 */
async function findFreePort(host: string, port: number, maxWaitMs = 3000): Promise<number> {
  for (const deadline = Date.now() + maxWaitMs; ; await sleep(100)) {
    const tried = await tryListening(host, port);
    if (typeof tried === 'number') return tried;
    if (tried === 'EADDRINUSE' && Date.now() < deadline) continue;
    throw whyNotListening(tried, { host, port });
  }
}

async function tryListening(host: string, port: number): Promise<number | string> {
  const probe = createServer();
  const answer = await new Promise<number | string>((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => resolve((probe.address() as AddressInfo).port));
  });
  await new Promise((resolve) => probe.close(resolve));
  return answer;
}

const SETTLE_MS = 150;

/**
 * Development only: calls `changed` after the server's sources and emails were saved. Pages (`.tsx`) and styles are
 * handled by Vite, which replaces them in the running browser. Returns a function that stops it.
 */
function watchSources(folder: string, changed: () => void): () => void {
  let pending: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (!/\.ts$|mail(-kit)?\.tsx$/.test(name ?? '') || /\.test\.tsx?$/.test(name ?? '')) return;
    clearTimeout(pending);
    pending = setTimeout(changed, SETTLE_MS);
  });
  watcher.on('error', () => undefined);
  return () => {
    clearTimeout(pending);
    watcher.close();
  };
}
