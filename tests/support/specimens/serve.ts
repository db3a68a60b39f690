/** Serves the specimens with Vite, and pictures of any shape drawn as SVG. */
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { createServer, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');

/** `/pixels/3000x2000/7?size=480`: a field of that shape, at the size asked for. */
function pixels(): Plugin {
  return {
    name: 'specimen-pixels',
    configureServer(server) {
      server.middlewares.use('/pixels', (request, response) => {
        const [, width = 3, height = 2, seed = 0] = /^\/(\d+)x(\d+)\/(\d+)/.exec(request.url ?? '')?.map(Number) ?? [];
        const hue = (seed * 47) % 360;
        response.setHeader('content-type', 'image/svg+xml');
        response.end(
          `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="45%" fill="hsl(${200 + (seed % 5) * 6} 55% 72%)"/><rect y="45%" width="100%" height="55%" fill="hsl(${100 + (seed % 7) * 5} 38% 42%)"/><circle cx="${20 + ((seed * 13) % 60)}%" cy="48%" r="9%" fill="hsl(${hue} 60% 45%)"/><rect x="${18 + ((seed * 13) % 60)}%" y="56%" width="10%" height="30%" fill="hsl(${hue} 70% 35%)"/></svg>`,
        );
      });
      // Every address that is no file is a route of the specimens.
      server.middlewares.use((request, _response, next) => {
        if (request.headers.accept?.includes('text/html')) request.url = '/tests/support/specimens/index.html';
        next();
      });
    },
  };
}

/** Returns the address and a way to stop. */
export async function serveSpecimens(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [pixels(), tailwindcss()],
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
    cacheDir: join(ROOT, 'node_modules/.cache/specimens'),
    optimizeDeps: { entries: ['tests/support/specimens/main.tsx'] },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (!address || typeof address === 'string') throw new Error('the specimens have no address');
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
