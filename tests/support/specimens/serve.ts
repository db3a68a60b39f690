/** Serves the specimens with Vite, and pictures of any shape drawn as SVG. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import {
  build,
  createServer,
  preview,
  type Connect,
  type InlineConfig,
  type Plugin,
  type PreviewServer,
  type ViteDevServer,
} from 'vite';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'tests/support/specimens/index.html';

/** `/pixels/3000x2000/7?size=480`: a field of that shape, at the requested size. */
const drawPixels: Connect.NextHandleFunction = (request, response) => {
  const [, width = 3, height = 2, seed = 0] = /^\/(\d+)x(\d+)\/(\d+)/.exec(request.url ?? '')?.map(Number) ?? [];
  const hue = (seed * 47) % 360;
  response.setHeader('content-type', 'image/svg+xml');
  response.end(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="45%" fill="hsl(${200 + (seed % 5) * 6} 55% 72%)"/><rect y="45%" width="100%" height="55%" fill="hsl(${100 + (seed % 7) * 5} 38% 42%)"/><circle cx="${20 + ((seed * 13) % 60)}%" cy="48%" r="9%" fill="hsl(${hue} 60% 45%)"/><rect x="${18 + ((seed * 13) % 60)}%" y="56%" width="10%" height="30%" fill="hsl(${hue} 70% 35%)"/></svg>`,
  );
};

/** Every address that is not a file is a route of the specimens. */
const showPage: Connect.NextHandleFunction = (request, _response, next) => {
  if (request.headers.accept?.includes('text/html')) request.url = `/${PAGE}`;
  next();
};

function pixelsAndRoutes(): Plugin {
  const add = ({ middlewares }: { middlewares: Connect.Server }): void => {
    middlewares.use('/pixels', drawPixels);
    middlewares.use(showPage);
  };
  return { name: 'specimens', configureServer: add, configurePreviewServer: add };
}

const BASE: InlineConfig = {
  root: ROOT,
  configFile: false,
  logLevel: 'error',
  plugins: [pixelsAndRoutes(), tailwindcss()],
};
const ADDRESS = { port: 0, host: '127.0.0.1' };

type Served = { url: string; close: () => Promise<void> };

/** Returns the address and a way to stop. Compiles each file when a page requests it. */
export async function serveSpecimens(): Promise<Served> {
  const server = await createServer({
    ...BASE,
    server: { ...ADDRESS, hmr: false, watch: null },
    cacheDir: join(ROOT, 'node_modules/.cache/specimens'),
    optimizeDeps: { entries: ['tests/support/specimens/main.tsx'] },
  });
  await server.listen();
  return { url: urlOf(server), close: () => server.close() };
}

/** The same, built once like the product: a page loads in a third of the time. */
export async function serveBuiltSpecimens(): Promise<Served> {
  const outDir = await mkdtemp(join(tmpdir(), 'sideline-specimens-'));
  await build({
    ...BASE,
    publicDir: false,
    build: { outDir, rollupOptions: { input: join(ROOT, PAGE) }, reportCompressedSize: false },
  });
  const server = await preview({ ...BASE, build: { outDir }, preview: ADDRESS });
  const close = async (): Promise<void> => {
    await server.close();
    await rm(outDir, { recursive: true });
  };
  return { url: urlOf(server), close };
}

function urlOf({ httpServer }: Pick<PreviewServer | ViteDevServer, 'httpServer'>): string {
  const address = httpServer?.address();
  if (!address || typeof address === 'string') throw new Error('the specimens have no address');
  return `http://127.0.0.1:${address.port}`;
}
