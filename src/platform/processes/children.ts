/** The web processes and the worker below the supervisor: started, watched, restarted with pauses, stopped. */
import { fork, type ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { passMetricsOn } from '#src/platform/processes/metrics-exchange.ts';
import { STOP_WITHIN_MS, type FromChild, type ToChild } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

type ChildKind = 'web' | 'worker';

export type Children = ReturnType<typeof createChildren>;

type ChildrenOptions = {
  /** The program every child runs, absolute. */
  program: string;
  /** The same for every web process, also after a restart. */
  port: number;
  addresses: () => DatabaseAddresses;
  log: Logger;
  /** A child that has been silent for this long is killed; null in development, where people use a debugger. */
  silentAfterMs: number | null;
};

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;
/** A child that lived this long was healthy; after its next crash the pauses start short again. */
const WELL_AFTER_MS = 30_000;
/** Before it has ever been ready, a child may fail this often. */
const START_TRIES = 3;

/** Of what V8 keeps up to three times before it collects: a page costs a tenth less with 16 than with 4 (decision record 0145). */
const YOUNG_SPACE_MB = { web: 16, worker: 4 };

/** How often the supervisor checks, in the time that a child may be silent, which of its children are. */
const CHECKS_OF_SILENCE = 10;
/** Loading the program takes a second or two, but half a minute on a machine with ten times more work than cores. */
const CHECKS_WHILE_STARTING = 4 * CHECKS_OF_SILENCE;

/**
 * `silentChecks`: checks in a row without a message, and `mostSilent` how many there may be. Checks are counted, not time:
 * a corrected clock, a machine that slept or a supervisor that was delayed itself makes no child silent.
 */
type Child = { process: ChildProcess; silentChecks: number; mostSilent: number };

/** Keeps child processes running: a crash restarts with back-off, silence counts as a crash. */
export function createChildren(options: ChildrenOptions) {
  const running = new Map<string, Child>();
  const metrics = passMetricsOn((name) =>
    [...running].flatMap(([other, { process }]) => (other === name ? [] : [(message) => send(process, message)])),
  );
  let isStopping = false;

  /** Runs a child until it ends; resolves with whether it had become ready, and how it ended. */
  async function runOnce(kind: ChildKind, name: string, isFirst: boolean, onReady: () => void) {
    const started = spawnChild(options, kind, isFirst);
    const child: Child = { process: started, silentChecks: 0, mostSilent: CHECKS_WHILE_STARTING };
    running.set(name, child);
    let wasReady = false;
    child.process.on('message', (message: FromChild) => {
      child.silentChecks = 0;
      void metrics.receive(message, name, (answer) => send(child.process, answer));
      if (message.type === 'hello') send(child.process, { type: 'start', addresses: options.addresses(), name });
      if (message.type === 'ready') {
        wasReady = true;
        child.mostSilent = CHECKS_OF_SILENCE;
        onReady();
      }
    });
    const how = await ended(child.process);
    running.delete(name);
    return { wasReady, how };
  }

  async function keepAlive(kind: ChildKind, name: string, onReady: () => void): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let failures = 0;
    for (let isFirst = true; !isStopping; isFirst = false) {
      const startedAt = Date.now();
      const { wasReady, how } = await runOnce(kind, name, isFirst, onReady);
      if (isStopping) return;
      failures = wasReady ? 0 : failures + 1;
      const wasRequested = wasReady && how === 'code 0';
      options.log[wasRequested ? 'info' : 'error'](
        { how, afterMs: Date.now() - startedAt },
        `${name} ended and is started again`,
      );
      if (failures >= START_TRIES) throw new StartError(`The ${name} process does not start; its messages are above.`);
      if (wasRequested || Date.now() - startedAt > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** After its first ready a child that cannot restart is retried forever, with the longest pause. */
  async function keepForEver(kind: ChildKind, name: string, ready: () => void, refused: (error: unknown) => void) {
    let everReady = false;
    const onReady = (): void => {
      everReady = true;
      ready();
    };
    while (!isStopping) {
      try {
        await keepAlive(kind, name, onReady);
      } catch (error) {
        if (!everReady) return refused(error);
        options.log.fatal({ err: error }, `${name} keeps failing`);
        await sleep(LONGEST_PAUSE_MS);
      }
    }
  }

  const { silentAfterMs } = options;
  const watch =
    silentAfterMs === null
      ? undefined
      : setInterval(() => endSilent(silentAfterMs, options.log, running), silentAfterMs / CHECKS_OF_SILENCE).unref();

  return {
    /** Starts one more child and keeps it running until `stopAll`. Resolves when it is ready for the first time. */
    keep(kind: ChildKind, name: string) {
      return new Promise<void>((resolve, reject) => void keepForEver(kind, name, resolve, reject));
    },
    /** Asks every child to stop; each is then started again, with the addresses of that moment. */
    restartAll() {
      for (const child of running.values()) send(child.process, { type: 'stop' });
    },
    async stopAll() {
      isStopping = true;
      clearInterval(watch);
      await Promise.all([...running.values()].map(stop));
    },
  };
}

function spawnChild(options: ChildrenOptions, kind: ChildKind, isFirst: boolean): ChildProcess {
  // A crash point fires once: the restarted child must be able to continue.
  const env = {
    ...process.env,
    ROLE: kind,
    PORT: String(options.port),
    // Behind the supervisor there is no balancer to wait for, unless the operator says so.
    DRAIN_SECONDS: process.env.DRAIN_SECONDS?.trim() ? process.env.DRAIN_SECONDS : '0',
    ...(isFirst ? {} : { CRASH_AT: '' }),
  };
  const execArgv = [...process.execArgv, `--max-semi-space-size=${YOUNG_SPACE_MB[kind]}`];
  if (kind === 'worker') return fork(options.program, [], { env, execArgv });
  cluster.setupPrimary({ exec: options.program, args: [], execArgv });
  const child = cluster.fork(env).process;
  closeLostConnections(child);
  return child;
}

function endSilent(silentAfterMs: number, log: Logger, running: ReadonlyMap<string, Child>): void {
  for (const [name, child] of running) {
    child.silentChecks += 1;
    if (child.silentChecks <= child.mostSilent) continue;
    const seconds = (silentAfterMs / 1000) * (child.mostSilent / CHECKS_OF_SILENCE);
    log.error({ childPid: child.process.pid }, `${name} has been silent for ${seconds} s and is ended`);
    child.process.kill('SIGKILL');
  }
}

async function stop(child: Child): Promise<void> {
  send(child.process, { type: 'stop' });
  const timer = setTimeout(() => child.process.kill('SIGKILL'), STOP_WITHIN_MS + 1000);
  await ended(child.process);
  clearTimeout(timer);
}

/** Resolves when a process has ended, or never started, with its exit. */
function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      return resolve(child.signalCode ?? `code ${child.exitCode}`);
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
    // A message that cannot be delivered is an error, too; the exit that follows is what counts.
    child.on('error', () => undefined);
  });
}

function send(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => undefined);
}

/** What node:cluster writes on its channel when it hands over a connection, and the reply. */
type ClusterNote = { cmd?: string; act?: string; seq?: number; ack?: number };
type Handle = { close(): void };

/**
 * node:cluster drops the connections that it was handing to a web process at the moment of its death: they stay open
 * and their clients wait forever (24 of 30 tries with one process). Here they are closed when the process has ended, so
 * that clients can retry immediately. If a later Node changes its messages, only this help is lost.
 */
function closeLostConnections(child: ChildProcess): void {
  const underway = new Map<number, Handle>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, ...rest: unknown[]) => {
    const note = message as ClusterNote | null;
    const handle = rest[0] as Handle | undefined;
    if (note?.cmd === 'NODE_CLUSTER' && note.act === 'newconn' && note.seq !== undefined && handle)
      underway.set(note.seq, handle);
    return send(message, ...rest);
  };
  child.on('internalMessage' as 'message', (message: unknown) => {
    const note = message as ClusterNote | null;
    if (note?.cmd === 'NODE_CLUSTER' && note.ack !== undefined) underway.delete(note.ack);
  });
  child.once('exit', () => {
    for (const handle of underway.values()) handle.close();
    underway.clear();
  });
}
