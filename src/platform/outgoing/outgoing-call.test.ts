import { createServer, type Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { post, postJson } from '#src/platform/outgoing/outgoing-call.ts';
import { isPublicAddress, lookupPublic, NOT_REACHABLE, type Resolve } from '#src/platform/outgoing/public-addresses.ts';

const asked: { path: string; authorization: string | undefined; body: string }[] = [];
let server: Server;
let port: number;

/** Writes until the client closes the connection. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(1_000)));
  if (!response.destroyed) response.once('drain', () => pour(response));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
      if (request.url === '/silent') return;
      if (request.url === '/endless') return pour(response);
      if (request.url === '/trickle') return void response.write('ok');
      if (request.url === '/headers') response.setHeader('x-long', 'x'.repeat(20_000));
      if (request.url === '/moved') response.setHeader('location', '/elsewhere');
      response.statusCode = request.url === '/moved' ? 302 : request.url === '/full' ? 429 : 200;
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const purge = (path: string, { host = '127.0.0.1', reachesPrivate = true, timeoutMs = 5_000 } = {}) =>
  postJson({
    url: `http://${host}:${port}${path}`,
    token: 'secret-token',
    body: { tags: ['a'] },
    reachesPrivate,
    timeoutMs,
  });

describe('a call to another machine', () => {
  test('posts JSON with its token', async () => {
    await purge('/purge');
    expect(asked.at(-1)).toEqual({ path: '/purge', authorization: 'Bearer secret-token', body: '{"tags":["a"]}' });
  });

  test.each([
    ['/full', 'answered with 429'],
    ['/moved', 'answered with 302'],
  ])('that is answered otherwise (%s) has failed, and is not redirected', async (path, message) => {
    await expect(purge(path)).rejects.toThrow(message);
    expect(asked.at(-1)?.path).toBe(path);
  });

  test('that is not answered ends', async () => {
    await expect(purge('/silent', { timeoutMs: 100 })).rejects.toThrow('aborted');
  });

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '2130706433'])(
    'never reaches %s unless allowed to',
    async (host) => {
      const before = asked.length;
      await expect(purge('/purge', { host, reachesPrivate: false })).rejects.toThrow(NOT_REACHABLE);
      expect(asked.length).toBe(before);
    },
  );

  test('never reaches this machine by one of its own public addresses', async () => {
    const network = { address: '8.8.8.8', netmask: '255.255.255.0', mac: '', internal: false, cidr: null };
    const own = vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [{ ...network, family: 'IPv4' }] });
    syncBuiltinESMExports();
    try {
      await expect(purge('/', { host: '8.8.8.8', reachesPrivate: false, timeoutMs: 500 })).rejects.toThrow(
        NOT_REACHABLE,
      );
    } finally {
      own.mockRestore();
      syncBuiltinESMExports();
    }
  });
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['172.32.0.1', true],
  ['::ffff:8.8.8.8', true],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['100.100.100.200', false],
  ['0.0.0.0', false],
  ['192.0.0.192', false],
  ['168.63.129.16', false],
  ['::ffff:168.63.129.16', false],
  ['198.18.0.1', false],
  ['203.0.113.7', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::7f00:1', false],
  ['fd00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:a9fe:a9fe', false],
  ['64:ff9b::a00:1', false],
  ['64:ff9b:1::a00:1', false],
  ['2002:a00:1::', false],
  ['2001:0:a00:1::', false],
  ['2001:db8::1', false],
  ['3fff::1', false],
  ['4000::1', false],
  ['not an address', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

describe('a name', () => {
  /** Name servers whose answer changes each time. */
  const changing = (...answers: string[][]) => {
    const told: string[] = [];
    const resolve: Resolve = async (name) => {
      told.push(name);
      return answers.shift() ?? [];
    };
    return { resolve, told };
  };
  const send = (lookup: ReturnType<typeof lookupPublic>, path = '/purge') =>
    post({
      url: `http://receiver.club.org:${port}${path}`,
      headers: {},
      body: '{}',
      lookup,
      timeoutMs: 5_000,
      answerBytes: 100,
    });

  test.each([
    ['a private address', [['10.0.0.1']]],
    ['this machine', [['127.0.0.1']]],
    ['this machine, as IPv6', [['::1']]],
    ['the cloud’s own service', [['169.254.169.254']]],
    ['a public and a private address', [['8.8.8.8', '127.0.0.1']]],
    ['nothing', [[]]],
  ])('that leads to %s is refused without a connection', async (_where, answers) => {
    const before = asked.length;
    await expect(send(lookupPublic(changing(...answers).resolve))).rejects.toThrow(NOT_REACHABLE);
    expect(asked.length).toBe(before);
  });

  test('that no name server knows is refused with the same message', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND db.internal'));
    await expect(send(lookupPublic(resolve))).rejects.toThrow(NOT_REACHABLE);
  });

  test('is resolved once for a connection, which goes to the address that was checked', async () => {
    // Here the receiver's address counts as public, and the one to which the name resolves afterwards does not.
    const names = changing(['127.0.0.1'], ['127.0.0.2']);
    const lookup = lookupPublic(names.resolve, (address) => address === '127.0.0.1');
    const before = asked.length;
    expect(await send(lookup)).toEqual({ status: 200, text: '{}' });
    expect(names.told).toEqual(['receiver.club.org']);
    // No connection is kept open: the next call resolves the name again, and gets the other address.
    await expect(send(lookup)).rejects.toThrow(NOT_REACHABLE);
    expect(names.told).toHaveLength(2);
    expect(asked.length).toBe(before + 1);
  });

  test('is checked again if a redirect points there: it is not followed at all', async () => {
    const names = changing(['127.0.0.1'], ['127.0.0.1']);
    const before = asked.length;
    expect(
      (
        await send(
          lookupPublic(names.resolve, () => true),
          '/moved',
        )
      ).status,
    ).toBe(302);
    expect(asked.slice(before).map(({ path }) => path)).toEqual(['/moved']);
    expect(names.told).toHaveLength(1);
  });
});

describe('an answer', () => {
  const send = (path: string, { timeoutMs = 5_000, answerBytes = 100 } = {}) =>
    post({ url: `http://127.0.0.1:${port}${path}`, headers: {}, body: '{}', lookup: null, timeoutMs, answerBytes });

  test('is read up to its limit, and no further', async () => {
    expect(await send('/endless')).toEqual({ status: 200, text: 'x'.repeat(100) });
  });

  test('counts when its status has arrived, however long the rest takes', async () => {
    expect(await send('/trickle', { timeoutMs: 1_500 })).toEqual({ status: 200, text: 'ok' });
  });

  test('with too long headers does not count', async () => {
    await expect(send('/headers')).rejects.toThrow(/overflow/i);
  });
});
