import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { listenAt } from '#src/platform/processes/listening.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

test('a start whose port another program has says so, and which setting to change', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    await expect(listenAt(Fastify(), { host: '127.0.0.1', port })).rejects.toThrow(
      new StartError(`Port ${port} on 127.0.0.1 is in use by another program; stop it, or set PORT to a free one.`),
    );
    await expect(listenAt(Fastify(), { host: '127.0.0.1', port, setting: 'WORKER_PORT' })).rejects.toThrow(
      'set WORKER_PORT to a free one.',
    );
  } finally {
    other.close();
  }
});

test('a start at an address of another machine says so', async () => {
  await expect(listenAt(Fastify(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    new StartError('HOST 192.0.2.1 is not an address of this machine.'),
  );
});
