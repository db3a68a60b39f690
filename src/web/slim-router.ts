/**
 * A Vite plugin that leaves two parts of React Router out of the browser's bundle: fetching the site map piece by
 * piece, which `routeDiscovery: initial` turns off (react-router.config.ts), and hooks for tracing, which are not used.
 * Together 4 kB of a public page (tests/page-weight.test.ts). What the server's part imports from these files is
 * undefined here; a version of the router that needs more stops the build.
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
