import type { FastifyInstance } from 'fastify';
import type { ViteDevServer } from 'vite';

/** Vite inside our server, only for `npm run dev`: its packages are development dependencies. */
export async function startVite(server: FastifyInstance, root: string): Promise<ViteDevServer> {
  const { createServer } = await import('vite');
  const { default: middie } = await import('@fastify/middie');
  const vite = await createServer({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: server.server } },
  });
  await server.register(middie, { hook: 'onRequest' });
  server.use(vite.middlewares);
  server.addHook('onClose', () => vite.close());
  return vite;
}
