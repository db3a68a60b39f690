/** What a browser must fetch of scripts before a page can be used (speed P12). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PHOTO_ROUTE } from '#src/features/public-gallery/ui/photo-ahead.ts';

const CLIENT = join(import.meta.dirname, '../build/client');

type RouteFiles = { module: string; imports?: string[] };
type Manifest = { entry: RouteFiles; routes: Record<string, RouteFiles>; url: string };

function readManifest(): Manifest {
  const name = readdirSync(join(CLIENT, 'assets')).find((file) => file.startsWith('manifest-'));
  const text = readFileSync(join(CLIENT, 'assets', name ?? ''), 'utf8');
  return JSON.parse(text.slice(text.indexOf('=') + 1).replace(/;\s*$/, '')) as Manifest;
}

/** The scripts of a page with everything they import, by address. */
function scriptsOf(manifest: Manifest, routes: readonly string[]): Set<string> {
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

const gzipBytes = (scripts: Iterable<string>) =>
  [...scripts].reduce((sum, address) => sum + gzipSync(readFileSync(join(CLIENT, address)), { level: 9 }).length, 0);

describe('the scripts of', () => {
  const manifest = readManifest();

  test.each([
    ['the public gallery', ['root', 'affiliate', 'features/public-gallery/public-gallery.page'], 138_000],
    [
      'a photo opened from a link',
      ['root', 'affiliate', 'features/public-gallery/public-gallery.page', PHOTO_ROUTE],
      145_000,
    ],
    ['an affiliate’s home', ['root', 'affiliate', 'features/home/affiliate-home.page'], 140_000],
    ['the home page', ['root', 'features/marketing/home.page'], 140_000],
    ['the form for an expert', ['root', 'features/marketing/talk-to-expert.page'], 140_000],
    ['the checkout', ['root', 'affiliate', 'features/checkout/checkout.page'], 160_000],
    ['the gallery editor', ['root', 'affiliate', 'features/gallery-editor/edit-gallery.page'], 200_000],
  ])('%s weigh less than their limit', (_page, routes, maxBytes) => {
    const scripts = scriptsOf(manifest, routes);
    expect(scripts.size).toBeGreaterThan(5);
    expect(gzipBytes(scripts)).toBeLessThanOrEqual(maxBytes);
  });

  test('of public pages contain no schema library', () => {
    expect(readdirSync(join(CLIENT, 'assets')).some((file) => file.startsWith('schemas-'))).toBe(true);
    for (const page of [
      'features/public-gallery/public-gallery.page',
      PHOTO_ROUTE,
      'features/home/affiliate-home.page',
      'features/marketing/home.page',
      'features/marketing/pricing.page',
      'features/marketing/user-agreement.page',
    ]) {
      expect(
        [...scriptsOf(manifest, ['root', 'affiliate', page])].filter((address) => address.includes('/schemas-')),
      ).toEqual([]);
    }
  });
});
