/**
 * The upload route alone, as a process that can really be killed: `node upload-process.ts FOLDER`. Prints its address.
 */
import { systemClock } from '#src/platform/clock.ts';
import { openDiskStorage } from '#src/platform/storage/disk-storage.ts';
import { storagePostRoutes } from '#src/http/storage-post.ts';
import fastify from 'fastify';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node upload-process.ts FOLDER');
const storage = await openDiskStorage({
  folder,
  signingSecret: Buffer.alloc(32, 'rig'),
  baseDomain: 'sideline.localhost',
  clock: systemClock,
});
const server = fastify();
await server.register(storagePostRoutes(storage));
process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
