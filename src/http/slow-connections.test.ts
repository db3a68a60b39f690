/** Hundreds of connections that send almost nothing (threat 71) cost others nothing, and are closed. */
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
const sockets: Socket[] = [];
/** Node’s own timer, which closes slow connections; it is missing in its types. */
let http: Server & { connectionsCheckingInterval: number };
let port: number;

beforeAll(async () => {
  http = server.built.server.server as typeof http;
  http.connectionsCheckingInterval = 100;
  await server.built.server.listen({ port: 0, host: '127.0.0.1' });
  port = (http.address() as AddressInfo).port;
});
afterAll(() => sockets.forEach((socket) => socket.destroy()));

const BEGUN = 'POST /api/v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const SLOW: Record<string, string> = {
  'that say nothing': '',
  'in the middle of their headers': BEGUN,
  'in the middle of their bodies': `${BEGUN}Content-Length: 5000\r\n\r\n{`,
};
const OF_EACH = 150;

/** Resolves when the connection is open, with a promise of its end. */
function openSlow(sent: string): Promise<{ closed: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (sent) socket.write(sent);
      resolve({ closed });
    });
    const closed = new Promise<void>((ended) => socket.once('close', () => ended()));
    socket.once('error', reject).on('error', () => undefined);
    socket.resume();
    sockets.push(socket);
  });
}

test('450 slow connections use no database sessions, delay no one else, and are closed in time', async () => {
  expect([http.headersTimeout, http.requestTimeout]).toEqual([60_000, 120_000]);
  const slow = await Promise.all(
    Object.values(SLOW).flatMap((sent) => Array.from({ length: OF_EACH }, () => openSlow(sent))),
  );
  const good = await Promise.all(
    Array.from({ length: 30 }, () => fetch(`http://127.0.0.1:${port}/api/v1/organizations?for_search=true`)),
  );
  expect(good.map(({ status }) => status)).toEqual(good.map(() => 200));
  const open = new Promise<number>((resolve, reject) =>
    http.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
  expect(await open).toBeGreaterThanOrEqual(slow.length);

  // The timeouts have passed.
  http.headersTimeout = http.requestTimeout = 1;
  await Promise.all(slow.map(({ closed }) => closed));
  expect((await server.call({ url: '/api/v1/organizations?for_search=true' })).statusCode).toBe(200);
});
