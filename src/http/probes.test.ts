/** Readiness depends on this process and its database (rule 62); the store is reported separately. */
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { translateErrors } from '#src/http/errors.ts';
import { probeRoutes, type ProbeDeps } from '#src/http/probes.ts';

let server: FastifyInstance;
afterEach(() => server.close());

async function readiness(deps: Partial<ProbeDeps>): Promise<{ status: number; body: Record<string, unknown> }> {
  server = fastify();
  translateErrors(server);
  await server.register(
    probeRoutes({
      database: async () => undefined,
      store: async () => 'ok',
      isLeaving: () => false,
      metrics: async () => '',
      ...deps,
    }),
  );
  const answer = await server.inject('/readyz');
  return { status: answer.statusCode, body: answer.json() };
}

const away = () => Promise.reject(new Error('away'));

test.each<[string, Partial<ProbeDeps>, number, object]>([
  ['all is well', {}, 200, { database: 'ok', storage: 'ok' }],
  ['the store is away', { store: away }, 200, { database: 'ok', storage: 'not answering' }],
  ['the disk is full', { store: async () => 'full' }, 200, { database: 'ok', storage: 'full' }],
  ['the store hangs', { store: () => new Promise(() => undefined) }, 200, { database: 'ok', storage: 'not known yet' }],
  ['the database is away', { database: away }, 503, { database: 'not answering', storage: 'ok' }],
  ['the process leaves', { isLeaving: () => true }, 503, { process: 'leaving' }],
])('when %s', async (_when, deps, status, parts) => {
  const answer = await readiness(deps);
  expect([answer.status, answer.body['parts']]).toEqual([status, parts]);
});
