/**
 * The built files of the pages (`/assets/…`). Their names carry their content, so browsers keep them for a year. There
 * are few and they are small: each is read and compressed once, then served from memory.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { encodingFor, type Encoding } from '#src/http/compression.ts';
import { isAbsent } from '#src/platform/storage/storage-faults.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.json': 'application/json',
};
const SQUEEZABLE = new Set(['.js', '.css', '.svg', '.json']);
const ONE_YEAR = 'public, max-age=31536000, immutable';

type Asset = { type: string; squeezable: boolean; bodies: Map<Encoding, Promise<Buffer>> };

const squeeze: Record<Exclude<Encoding, 'identity'>, (raw: Buffer) => Promise<Buffer>> = {
  br: (raw) =>
    promisify(brotliCompress)(raw, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
    }),
  gzip: (raw) => promisify(gzip)(raw, { level: 9 }),
};

/** @param folder `build/client/assets` */
export async function serveAssets(server: FastifyInstance, folder: string): Promise<void> {
  const assets = new Map<string, Asset>();
  for (const name of await readdir(folder)) {
    const extension = extname(name);
    const type = TYPES[extension];
    if (type) assets.set(name, { type, squeezable: SQUEEZABLE.has(extension), bodies: new Map() });
  }

  function bodyOf(name: string, asset: Asset, encoding: Encoding): Promise<Buffer> {
    let body = asset.bodies.get(encoding);
    if (!body) {
      body =
        encoding === 'identity'
          ? readFile(join(folder, name))
          : bodyOf(name, asset, 'identity').then(squeeze[encoding]);
      asset.bodies.set(encoding, body);
      // A build that was deleted while the process runs may come back.
      body.catch(() => asset.bodies.delete(encoding));
    }
    return body;
  }

  const access = { who: 'anyone', why: 'scripts, styles and fonts of the pages, the same for everyone' } as const;
  server.get<{ Params: { name: string } }>('/assets/:name', { config: { access } }, async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) return reply.callNotFound();
    const encoding = asset.squeezable ? encodingFor(request) : 'identity';
    const body = await bodyOf(request.params.name, asset, encoding).catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    return body === null ? reply.callNotFound() : sendAsset(reply, asset, { encoding, body });
  });
}

function sendAsset(
  reply: FastifyReply,
  asset: Asset,
  { encoding, body }: { encoding: Encoding; body: Buffer },
): FastifyReply {
  if (asset.squeezable) reply.header('vary', 'accept-encoding');
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .header('cache-control', ONE_YEAR)
    .header('cross-origin-resource-policy', 'same-origin')
    .type(asset.type)
    .send(body);
}
