/** A process reports once a minute that it is alive, with its facts, for the page "Health": one statement, from any machine. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock, type Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { signLife, signOff } from '#src/platform/processes/processes.sql.ts';
import { VERSION } from '#src/platform/version.ts';

export const SIGN_EVERY_SECONDS = 60;
/** After one that failed, so that a process is not reported as silent for long once the database is back. */
const SIGN_AGAIN_SECONDS = 5;

/** Processes have no tenant, and one statement needs no transaction. It may run twice after a lost session. */
const PROCESSES = { kind: 'public' } as const;

type LifeOptions = {
  database: Pick<Database, 'read'>;
  role: 'web' | 'worker';
  /** `web 1`, `worker`. */
  name: string;
  clock?: Clock;
  everySeconds?: number;
};

/**
 * Writes the first heartbeat, and one each minute until `end`, which removes the process from the list. An unreachable
 * database is not a failure: the next heartbeat comes in five seconds.
 */
export function startHeartbeat({
  database,
  role,
  name,
  clock = systemClock,
  everySeconds = SIGN_EVERY_SECONDS,
}: LifeOptions) {
  const id = randomUUID();
  const about = { id, role, name, host: hostname(), pid: process.pid, version: VERSION, nodeVersion: process.version };
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let signing = sign();

  async function sign(): Promise<void> {
    let pauseSeconds = everySeconds;
    try {
      await database.read(PROCESSES, (db) =>
        signLife(db, { ...about, memoryBytes: process.memoryUsage.rss(), now: clock.now() }),
      );
    } catch {
      // The page shows that it is silent.
      pauseSeconds = Math.min(everySeconds, SIGN_AGAIN_SECONDS);
    }
    if (!isOver) timer = setTimeout(() => (signing = sign()), pauseSeconds * 1000).unref();
  }

  return {
    async end(): Promise<void> {
      isOver = true;
      clearTimeout(timer);
      await signing;
      await database.read(PROCESSES, (db) => signOff(db, id)).catch(() => undefined);
    },
  };
}
