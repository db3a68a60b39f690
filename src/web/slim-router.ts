/**
 * A Vite plugin that leaves three parts of React Router out of the browser's bundle: fetching the site map piece by
 * piece, which `routeDiscovery: initial` turns off (react-router.config.ts), hooks for tracing, which are not used, and
 * `Scripts`, which only the server renders. Together 5 kB of a public page (tests/page-weight.test.ts). What the
 * server's part imports from these files is undefined here; a version of the router that needs more stops the build.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PARTS: { file: RegExp; code: string }[] = [
  {
    file: /\/react-router\/dist\/production\/lib\/dom\/ssr\/fog-of-war\.js$/,
    code: `export const isFogOfWarEnabled = () => false;
      export const getPatchRoutesOnNavigationFunction = () => undefined;
      export const useFogOFWarDiscovery = () => undefined;
      export const getPartialManifest = (manifest) => manifest;
      export const getManifestPath = undefined, getPathsWithAncestors = undefined, handleClientVersionMismatch = undefined;`,
  },
  {
    file: /\/react-router\/dist\/production\/lib\/router\/instrumentation\.js$/,
    code: `export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
      export const getRouteInstrumentationUpdates = () => ({});
      export const instrumentClientSideRouter = (router) => router;
      export const instrumentHandler = undefined, instrumentationResultMetaContext = undefined;`,
  },
];

/** Only a page that begins in the browser would show it there. */
const FALLBACK = {
  file: /\/react-router\/dist\/production\/lib\/dom\/ssr\/errorBoundaries\.js$/,
  scripts: 'renderScripts ? /* @__PURE__ */ React$1.createElement(Scripts, null) : null',
};

export function slimRouter(): Plugin {
  return {
    name: 'sideline:slim-router',
    apply: 'build',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    load: {
      filter: { id: PARTS.map(({ file }) => file) },
      handler: (id) => PARTS.find(({ file }) => file.test(id))?.code ?? null,
    },
    transform: {
      filter: { id: FALLBACK.file },
      handler(code) {
        if (!code.includes(FALLBACK.scripts)) this.error('The fallback of the router has changed.');
        return code.replace(FALLBACK.scripts, 'null');
      },
    },
  };
}

const SITE_MAP = /^window\.__reactRouterManifest=(.*);$/s;

/**
 * Shortens the site map that every page loads: what is false for a route is left out, and each route names the files
 * that it needs in the same order, so that gzip finds long runs of them. The router reads neither. `assets`: the folder
 * of the browser's files.
 */
export async function shortenSiteMap(assets: string): Promise<void> {
  const name = (await readdir(assets)).find((file) => file.startsWith('manifest-')) ?? '';
  const file = join(assets, name);
  const [, json = ''] = SITE_MAP.exec(await readFile(file, 'utf8')) ?? [];
  const { routes, ...rest } = JSON.parse(json) as { routes: Record<string, { imports: string[] }> };
  const uses = new Map<string, number>();
  for (const { imports } of Object.values(routes))
    for (const path of imports) uses.set(path, (uses.get(path) ?? 0) + 1);
  const byUse = (a: string, b: string) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || (a < b ? -1 : 1);
  for (const entry of Object.values(routes)) entry.imports.sort(byUse);
  const isNeeded = (_key: string, value: unknown) => (value === false ? undefined : value);
  await writeFile(file, `window.__reactRouterManifest=${JSON.stringify({ ...rest, routes }, isNeeded)};`);
}
