/**
 * A process that lags (fault F36) refuses requests that would only wait, and answers those that monitor it. One that
 * leaves closes the connections of what it answers.
 */
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildServer, type BuiltServer } from '#src/http/build-server.ts';
import { probeRoutes } from '#src/http/probes.ts';

let isLagging = false;
let isLeaving = false;
let sessionsLookedUp = 0;
let built: BuiltServer;

beforeAll(async () => {
  built = await buildServer({
    log: pino({ level: 'silent' }),
    baseDomain: 'sideline.localhost',
    caller: {
      actorOf: async () => {
        sessionsLookedUp += 1;
        return { kind: 'visitor' };
      },
      visitorOf: () => null,
    },
    metricsToken: 'operator',
    observe: () => undefined,
    takeRequest: () => undefined,
    isLagging: () => isLagging,
    isLeaving: () => isLeaving,
    modules: [
      probeRoutes({
        database: async () => undefined,
        store: async () => 'ok',
        isLeaving: () => false,
        metrics: async () => 'sideline_up 1',
      }),
      async (server: FastifyInstance) => {
        server.post('/orders', { config: { access: { who: 'anyone', why: 'a test' } } }, async () => 'ordered');
        server.get('/assets/:name', { config: { access: { who: 'anyone', why: 'a test' } } }, async () => 'a script');
        server.get('/leaving', { config: { access: { who: 'anyone', why: 'a test' } } }, async () => {
          isLeaving = true;
          return 'answered';
        });
      },
    ],
  });
});
afterAll(() => built.server.close());
beforeEach(() => {
  isLagging = true;
  sessionsLookedUp = 0;
});

const order = () =>
  built.server.inject({
    method: 'POST',
    url: '/orders',
    headers: { host: 'localhost', authorization: 'Bearer someone' },
    payload: {},
  });

test('requests get 503 with a time to retry, before any data is read for them', async () => {
  const refused = await order();
  expect([refused.statusCode, refused.headers['retry-after'], sessionsLookedUp]).toEqual([503, '2', 0]);
  expect(refused.json()).toEqual({
    error: 'This site is very busy. Please try again in a moment.',
    errors: {},
    request_id: expect.any(String),
  });
  isLagging = false;
  expect((await order()).body).toBe('ordered');
});

test.each(['/healthz', '/readyz', '/metrics', '/assets/page-1.js'])('%s is always answered', async (url) => {
  const headers = { host: 'localhost', authorization: 'Bearer operator' };
  expect((await built.server.inject({ url, headers })).statusCode).toBe(200);
});

test('a request that came before the process began to leave is the last of its connection', async () => {
  isLagging = false;
  const answer = await built.server.inject({ url: '/leaving', headers: { host: 'localhost' } });
  isLeaving = false;
  expect([answer.body, answer.headers.connection]).toEqual(['answered', 'close']);
});
