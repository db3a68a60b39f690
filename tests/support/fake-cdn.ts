/** A small CDN: caches what the origin allows, by its path, and drops by tag what it is told to, with a delay. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type FromOrigin = { status: number; headers: Record<string, string>; body: Buffer };
type Kept = FromOrigin & { until: number; tags: readonly string[] };

export const CDN_TOKEN = 'token-of-the-cdn';

export class FakeCdn {
  /** Tags of every completed purge, in order. */
  readonly purged: string[] = [];
  /** How many purges of a tag are answered with 503 from now on. */
  readonly failures = new Map<string, number>();
  /** Set before the first request. */
  origin: (path: string) => Promise<FromOrigin> = () => Promise.reject(new Error('no origin'));
  readonly #kept = new Map<string, Kept>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      if (request.method === 'POST') {
        let text = '';
        request.on('data', (part) => (text += String(part)));
        request.on('end', () => {
          response.statusCode = this.#purge(request.headers.authorization, text);
          response.end();
        });
        return;
      }
      this.get(path).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.writeHead(502).end(),
      );
    });
  }

  /** Returns its address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The response as a browser gets it; `x-cache` says where it came from. */
  async get(path: string): Promise<FromOrigin> {
    const kept = this.#kept.get(path);
    if (kept && kept.until > Date.now()) return { ...kept, headers: { ...kept.headers, 'x-cache': 'hit' } };
    const fetched = await this.origin(path);
    const maxAge = /^public, max-age=(\d+)$/.exec(fetched.headers['cache-control'] ?? '')?.[1];
    const tags = (fetched.headers['cache-tag'] ?? '').split(',');
    if (maxAge !== undefined) this.#kept.set(path, { ...fetched, until: Date.now() + 1000 * Number(maxAge), tags });
    return fetched;
  }

  #purge(authorization: string | undefined, text: string): number {
    if (authorization !== `Bearer ${CDN_TOKEN}`) return 401;
    const { tags } = JSON.parse(text) as { tags: string[] };
    for (const tag of tags) {
      const left = this.failures.get(tag) ?? 0;
      if (left > 0) this.failures.set(tag, left - 1);
      if (left > 0) return 503;
    }
    this.purged.push(...tags);
    for (const [path, kept] of this.#kept) if (kept.tags.some((tag) => tags.includes(tag))) this.#kept.delete(path);
    return 200;
  }
}
