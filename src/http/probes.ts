/** What operators and load balancers ask: does the process live, can it work, how is it doing. */
import type { FastifyInstance } from 'fastify';
import { problem } from '#src/shared/problem.ts';

export type ProbeDeps = {
  /** Each rejects when its part does not answer. */
  checks: Record<string, () => Promise<void>>;
  metrics: () => Promise<string>;
};

export function probeRoutes(deps: ProbeDeps) {
  return async (server: FastifyInstance): Promise<void> => {
    server.get(
      '/healthz',
      { config: { access: { who: 'anyone', why: 'says only that the process lives' } } },
      async () => ({ status: 'ok' }),
    );

    server.get(
      '/readyz',
      { config: { access: { who: 'anyone', why: 'says only which part answers' } } },
      async (request) => {
        const entries = Object.entries(deps.checks);
        const results = await Promise.allSettled(entries.map(([, check]) => check()));
        const parts = Object.fromEntries(
          entries.map(([name], index) => [name, results[index]?.status === 'fulfilled' ? 'ok' : 'not answering']),
        );
        const failed = results.find((result) => result.status === 'rejected');
        if (failed) {
          request.log.warn({ parts, err: failed.reason }, 'not ready');
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
