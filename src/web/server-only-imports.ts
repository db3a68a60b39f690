/**
 * The separation of server and browser, as a Vite plugin. A page that imports a service for real would ship server code
 * to everyone without an error; with this plugin the build stops and says who imported what. Types may be imported:
 * they are erased before imports are resolved.
 */
import { relative, sep } from 'node:path';
import type { Plugin } from 'vite';

const SERVER_LAYER = /\.(sql|service|routes|jobs|worker|mail)\.tsx?$/;
const SERVER_FOLDER = /^src\/(platform|http|demo)\//;
const COMPOSITION_ROOT = /^src\/(app|main|web-process|worker-process)\.ts$/;

/** Whether a file, relative to the project's folder with forward slashes, must never reach a browser. */
export function isServerOnly(path: string): boolean {
  if (!path.startsWith('src/')) return false;
  return SERVER_LAYER.test(path) || SERVER_FOLDER.test(path) || COMPOSITION_ROOT.test(path);
}

/** @param root the project's folder */
export function serverOnlyImports(root: string): Plugin {
  const name = (id: string) =>
    relative(root, id.split('?')[0] ?? id)
      .split(sep)
      .join('/');
  return {
    name: 'sideline:server-only-imports',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    async resolveId(source, importer, options) {
      if (importer === undefined) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (resolved === null || !isServerOnly(name(resolved.id))) return null;
      return this.error(
        `${name(importer)} imports ${name(resolved.id)}, which must not reach the browser. Import its types only.`,
      );
    },
  };
}
