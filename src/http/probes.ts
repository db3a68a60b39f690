/** What operators and load balancers ask: is the process alive, can it work, how is it doing? */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { problem } from '#src/shared/problem.ts';

export type ProbeDeps = {
  /** Rejects if the database does not answer within three seconds. */
  database: () => Promise<void>;
  /** Whether the object store accepts uploads; rejects if it does not answer. */
  store: () => Promise<'ok' | 'full'>;
  /** True while the process shuts down and only finishes its requests. */
  isLeaving: () => boolean;
  metrics: () => Promise<string>;
};

type StoreState = 'ok' | 'full' | 'not answering' | 'not known yet';

/** A balancer asks twice a second, and gives up on a probe that waits for a hanging store. */
const STORE_FRESH_MS = 2_000;
const STORE_WAIT_MS = 200;

export function probeRoutes(deps: ProbeDeps) {
  const storeState = lastKnown(deps.store);
  return async (server: FastifyInstance): Promise<void> => {
    server.get(
      '/healthz',
      { config: { access: { who: 'anyone', why: 'says only that the process lives' } } },
      async () => ({ status: 'ok' }),
    );

    // Depends on this process and its database (rule 62): without the store, pages, carts and orders still work.
    server.get(
      '/readyz',
      { config: { access: { who: 'anyone', why: 'says only which part answers' } } },
      async (request) => {
        if (deps.isLeaving())
          throw problem('unavailable', 'Leaving.', { extra: { parts: { process: 'leaving' } }, retryAfterSeconds: 1 });
        const [database, storage] = await Promise.all([
          deps.database().then(
            () => null,
            (error: unknown) => ({ error }),
          ),
          storeState(),
        ]);
        const parts = { database: database === null ? 'ok' : 'not answering', storage };
        if (database !== null) {
          request.log.warn({ parts, err: database.error }, 'not ready');
          throw problem('unavailable', 'Not ready.', { extra: { parts }, retryAfterSeconds: 1 });
        }
        return { status: 'ok', parts };
      },
    );

    server.get('/metrics', { config: { access: { who: 'operator' } } }, async (_request, reply) => {
      reply.type('text/plain; version=0.0.4; charset=utf-8');
      return deps.metrics();
    });
  };
}

/** The store's recent state: asked at most every two seconds, with a wait of at most 0.2 seconds. */
function lastKnown(ask: ProbeDeps['store']): () => Promise<StoreState> {
  let known: StoreState = 'not known yet';
  let askedAt = -Infinity;
  let asking: Promise<void> | null = null;
  return async () => {
    if (asking === null && performance.now() - askedAt > STORE_FRESH_MS) {
      askedAt = performance.now();
      asking = ask()
        .catch((): StoreState => 'not answering')
        .then((state) => {
          known = state;
          asking = null;
        });
    }
    if (asking !== null) await Promise.race([asking, sleep(STORE_WAIT_MS, undefined, { ref: false })]);
    return known;
  };
}
