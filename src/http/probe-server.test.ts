import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { buildProbeServer } from './probe-server.ts';

const servers: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function ask(
  url: string,
  headers: Record<string, string> = {},
  changes: { metricsToken?: string; away?: boolean } = {},
) {
  const server = await buildProbeServer({
    log: pino({ level: 'silent' }),
    metricsToken: changes.metricsToken ?? null,
    trustProxy: null,
    database: () => (changes.away ? Promise.reject(new Error('away')) : Promise.resolve()),
    store: async () => 'ok',
    isLeaving: () => false,
    metrics: async () => 'sideline_test 1',
  });
  servers.push(server);
  const answer = await server.inject({ url, headers: { host: 'localhost', ...headers } });
  return { status: answer.statusCode, body: answer.body };
}

test('a worker that runs alone reports whether it lives and whether it can work', async () => {
  expect(await ask('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
  expect(await ask('/readyz')).toMatchObject({ status: 200 });
  expect(await ask('/readyz', {}, { away: true })).toMatchObject({ status: 503 });
  expect(await ask('/')).toMatchObject({ status: 404 });
});

test('its metrics are for this machine under its own name, or for the holder of the token', async () => {
  const token = 'a-token-of-the-operator';
  expect(await ask('/metrics')).toEqual({ status: 200, body: 'sideline_test 1' });
  expect(await ask('/metrics', { host: 'worker.example' })).toMatchObject({ status: 404 });
  expect(await ask('/metrics', { 'x-forwarded-for': '127.0.0.1' })).toMatchObject({ status: 404 });
  expect(await ask('/metrics', {}, { metricsToken: token })).toMatchObject({ status: 404 });
  expect(await ask('/metrics', { authorization: 'Bearer another' }, { metricsToken: token })).toMatchObject({
    status: 404,
  });
  const named = { host: 'worker.example', authorization: `Bearer ${token}` };
  expect(await ask('/metrics', named, { metricsToken: token })).toEqual({ status: 200, body: 'sideline_test 1' });
});
