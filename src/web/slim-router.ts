/**
 * Leaves two parts of React Router out of what browsers fetch, as a Vite plugin: fetching the site map piece by piece, which
 * `routeDiscovery: initial` turns off (react-router.config.ts), and hooks for tracing, which no one passes. Together 4 kB of a public
 * page (tests/page-weight.test.ts). What the
 * server's half asks of these files is undefined here; a version of the router that wants more stops the build.
 */
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

export function slimRouter(): Plugin {
  return {
    name: 'sideline:slim-router',
    apply: 'build',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    load: {
      filter: { id: PARTS.map(({ file }) => file) },
      handler: (id) => PARTS.find(({ file }) => file.test(id))?.code ?? null,
    },
  };
}
