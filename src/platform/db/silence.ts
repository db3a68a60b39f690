/**
 * Tells a database that hangs from a statement that takes long (fault F15): work that has waited a while makes us ask the
 * database for a sign of life over another session. When none comes, and no other caller is answered meanwhile, calls fail at
 * once; their sessions are closed by the longer time limits of the pool.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

export type Silence = {
  /** Runs work; rejects as a query without an answer does when the database is silent meanwhile. `onSilence` is called first. */
  watch<T>(work: () => Promise<T>, onSilence?: () => void): Promise<T>;
};

/** Together below the three seconds within which every call is answered. */
const PATIENCE_MS = 900;
const SIGN_OF_LIFE_MS = 1_800;

export function watchForSilence(options: {
  /** Resolves when the database answers in time, with whatever it says. */
  signOfLife: () => Promise<boolean>;
  patienceMs?: number;
}): Silence {
  const { signOfLife, patienceMs = PATIENCE_MS } = options;
  let asking: Promise<boolean> | null = null;
  let answeredAt = -Infinity;
  const isAlive = () => (asking ??= signOfLife().finally(() => (asking = null)));

  return {
    watch(work, onSilence) {
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout;
        let isOver = false;
        const look = async (): Promise<void> => {
          const askedAt = performance.now();
          // On a busy machine a new session takes long, while those that are there continue.
          const alive = (await isAlive()) || answeredAt >= askedAt;
          // On a busy machine the answer may lie unread beside ours.
          if (!alive) await nextTurn();
          if (isOver) return;
          if (alive) return void (timer = setTimeout(() => void look(), patienceMs));
          onSilence?.();
          reject(new Error('Query read timeout'));
        };
        timer = setTimeout(() => void look(), patienceMs);
        const end = (): void => {
          isOver = true;
          clearTimeout(timer);
        };
        work().then(
          (result) => {
            answeredAt = performance.now();
            end();
            resolve(result);
          },
          (error: unknown) => (end(), reject(error as Error)),
        );
      });
    },
  };
}

/** Opens a session and asks nothing of the tables; only silence counts as none: a refusal is an answer. */
export async function signOfLife(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'sideline sign of life',
    connectionTimeoutMillis: SIGN_OF_LIFE_MS,
    query_timeout: SIGN_OF_LIFE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return !(error instanceof Error && /timeout/i.test(error.message));
  } finally {
    void client.end().catch(() => undefined);
  }
}
