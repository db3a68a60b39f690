/**
 * Downloads, by clients that read and by clients that only hold the connection open (threat: slow readers use up a
 * process's memory).
 */
import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_AT_ONCE, sendDownload } from '#src/http/send-download.ts';
import { isProblem } from '#src/shared/problem.ts';

const server = fastify();
const held: PassThrough[] = [];
server.setErrorHandler((error, _request, reply) =>
  reply.code(isProblem(error) && error.code === 'too_many' ? 429 : 500).send({}),
);
server.get('/held', async (request, reply) =>
  sendDownload(request, reply, {
    etag: '"held"',
    disposition: 'attachment',
    bytes: 10,
    async open() {
      const body = new PassThrough();
      body.write('12345');
      held.push(body);
      return body;
    },
  }),
);
server.get('/lost', async (request, reply) =>
  sendDownload(request, reply, {
    etag: '"lost"',
    disposition: 'attachment',
    bytes: 10,
    open: () => Promise.reject(new Error('not there')),
  }),
);
let port = 0;
beforeAll(async () => {
  await server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.server.closeAllConnections();
  await server.close();
});

const ask = async (path: string): Promise<{ request: ClientRequest; answer: IncomingMessage }> => {
  const request = get({ port, path, host: '127.0.0.1', agent: false });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { request, answer };
};

test('one client gets a limited number of downloads at a time, and each one that ends lets another begin', async () => {
  for (let count = 0; count < OPEN_AT_ONCE + 5; count++) expect((await ask('/lost')).answer.statusCode).toBe(500);
  const open = await Promise.all(Array.from({ length: OPEN_AT_ONCE }, () => ask('/held')));
  expect(open.map(({ answer }) => answer.statusCode)).toEqual(open.map(() => 200));
  expect((await ask('/held')).answer.statusCode).toBe(429);
  const [first, second] = open;
  held[0]?.end('67890');
  first?.answer.resume();
  second?.request.destroy();
  await expect.poll(async () => (await ask('/held')).answer.statusCode).toBe(200);
  for (const { request } of open) request.destroy();
});
