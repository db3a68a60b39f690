import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { serveAssets } from '#src/http/assets.ts';

const folder = await mkdtemp(join(tmpdir(), 'assets-'));
afterAll(() => rm(folder, { recursive: true }));

test('a file of a deleted build is not found, and is served again after a new build', async () => {
  const file = join(folder, 'page-1.js');
  await writeFile(file, 'let a;');
  const server = fastify();
  await serveAssets(server, folder);
  const get = async () => {
    const { statusCode, body } = await server.inject({ url: '/assets/page-1.js', headers: { 'accept-encoding': '' } });
    return [statusCode, statusCode === 200 ? body : ''];
  };
  await rm(file);
  expect(await get()).toEqual([404, '']);
  await writeFile(file, 'let a;');
  expect(await get()).toEqual([200, 'let a;']);
  await server.close();
});
