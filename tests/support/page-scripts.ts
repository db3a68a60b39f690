/** The scripts of the built pages and what a browser must load of them before a page is interactive (speed P12). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { requireBuild, ROOT } from '#tests/support/require-build.ts';

const CLIENT = join(ROOT, 'build/client');

type RouteFiles = { module: string; imports?: string[] };
type Manifest = { entry: RouteFiles; routes: Record<string, RouteFiles>; url: string };

/** Names of the built files. */
export function builtFiles(): string[] {
  requireBuild();
  return readdirSync(join(CLIENT, 'assets'));
}

function readManifest(): Manifest {
  const name = builtFiles().find((file) => file.startsWith('manifest-'));
  const text = readFileSync(join(CLIENT, 'assets', name ?? ''), 'utf8');
  return JSON.parse(text.slice(text.indexOf('=') + 1).replace(/;\s*$/, '')) as Manifest;
}

/** The scripts of a page with everything they import, by address; a page is named by its routes. */
export function scriptsOf(routes: readonly string[]): Set<string> {
  const manifest = readManifest();
  const found = new Set<string>();
  const add = (address: string) => {
    if (found.has(address)) return;
    found.add(address);
    const imported = readFileSync(join(CLIENT, address), 'utf8').matchAll(
      /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
    );
    for (const [, file] of imported) add(`/assets/${file}`);
  };
  const files = [manifest.entry, ...routes.map((route) => manifest.routes[route])];
  for (const file of files) {
    if (!file) throw new Error(`one of ${routes.join(', ')} is no route`);
    for (const address of [file.module, ...(file.imports ?? [])]) add(address);
  }
  return found.add(manifest.url);
}

export const gzipBytes = (scripts: Iterable<string>): number =>
  [...scripts].reduce((sum, address) => sum + gzipSync(readFileSync(join(CLIENT, address)), { level: 9 }).length, 0);

/** The routes of the public gallery page. */
export const PUBLIC_GALLERY = ['root', 'affiliate', 'features/public-gallery/public-gallery.page'];
