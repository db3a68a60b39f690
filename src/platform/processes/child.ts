/**
 * The child's end of the supervisor's line, and the same steps for a process that runs alone
 * (`ROLE=web` or `ROLE=worker` in its own container).
 */
import type { Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { ensureRolesAt } from '#src/platform/db/roles.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import {
  ALIVE_EVERY_MS,
  STOP_WITHIN_MS,
  type FromChild,
  type ToChild,
  announceReady,
  StartError,
} from '#src/platform/processes/messages.ts';

export type ChildStart = {
  addresses: DatabaseAddresses;
  /** For the log and the database's list of sessions: `web 1`, `worker`. */
  name: string;
};

export type ChildLine = {
  start: ChildStart;
  /** Tells the supervisor that this process does its work. Alone, a web process announces itself, at the port it listens on. */
  ready(port?: number): void;
  /**
   * Calls `stop` once, when the product stops: finish what is in flight and close everything. The process ends when it has
   * resolved, or after 25 seconds. A child whose supervisor was killed ends at once.
   */
  onStop(stop: () => Promise<void>): void;
};

/** Answers where the database is, with or without a supervisor. */
export async function openChildLine(config: Config): Promise<ChildLine> {
  return process.send === undefined ? lineAlone(config) : lineToSupervisor();
}

async function lineToSupervisor(): Promise<ChildLine> {
  const say = (message: FromChild): void => {
    if (process.connected) process.send?.(message);
  };
  // Without a supervisor nothing would ever stop this process, and the next start needs its port.
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C reaches every process of a terminal; the supervisor decides the order.
  process.on('SIGINT', () => undefined);
  setInterval(() => say({ type: 'alive' }), ALIVE_EVERY_MS).unref();

  let stop: (() => Promise<void>) | null = null;
  let isStopping = false;
  const stopOnce = (): void => {
    if (isStopping) return;
    isStopping = true;
    void endAfter(stop ?? (() => Promise.resolve()));
  };
  process.on('SIGTERM', stopOnce);
  const start = await new Promise<ChildStart>((resolve) => {
    process.on('message', (message: ToChild) => {
      if (message.type === 'start') resolve({ addresses: message.addresses, name: message.name });
      if (message.type === 'stop') stopOnce();
    });
    say({ type: 'hello' });
  });
  return {
    start,
    ready: () => say({ type: 'ready' }),
    onStop(work) {
      stop = work;
    },
  };
}

async function lineAlone(config: Config): Promise<ChildLine> {
  if (config.databaseUrl === null)
    throw new StartError(
      `DATABASE_URL must be set with ROLE=${config.role}: only the supervisor starts the embedded database.`,
    );
  const addresses = await ensureRolesAt(config.databaseUrl);
  await migrate(addresses.ownerUrl);
  await installJobSchema(addresses.ownerUrl);
  return {
    start: { addresses, name: config.role },
    ready(port) {
      if (config.role === 'web') announceReady(config.host, port ?? config.port);
    },
    onStop(work) {
      let isStopping = false;
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.on(signal, () => {
          if (isStopping) return;
          isStopping = true;
          void endAfter(work);
        });
      }
    },
  };
}

async function endAfter(work: () => Promise<void>): Promise<void> {
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  try {
    await work();
    process.exit(0);
  } catch {
    process.exit(1);
  }
}
