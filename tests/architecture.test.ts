/**
 * The architecture, read from its import lines (docs/architecture.md). Every rule also asserts that it found something,
 * so that a moved folder cannot make it pass silently.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readImports, type Source } from '#tests/support/import-lines.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_LINES = 400;
const GENERATED = new Set(['src/platform/db/schema.ts', 'src/shared/api-calls.ts']);

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

const sources: Source[] = filesBelow('src').map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, imports: readImports(text) };
});

const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isDemo = (path: string) => path.startsWith('src/demo/');

type Layer = 'contract' | 'rules' | 'sql' | 'service' | 'routes' | 'jobs' | 'mail' | 'page' | 'ui' | 'client';

function layerOf(path: string): Layer | null {
  if (!path.startsWith('src/features/')) return null;
  if (/\/ui\//.test(path)) return 'ui';
  return (
    (/\.(contract|rules|sql|service|routes|jobs|mail|page|client)\.tsx?$/.exec(path)?.[1] as Layer | undefined) ?? null
  );
}

/**
 * Every part of the product, from the ground up: each imports only what is above it in this list. Next to a module is
 * the area whose tables it shares: modules of one area may use each other's SQL and emails, and each table is written
 * by one area.
 */
const ORDER: readonly (readonly [part: string, area?: string])[] = [
  ['shared'],
  ['platform'],
  ['ui'],
  ['tenancy', 'organizations'],
  ['web'],
  ['http'],
  ['organization-picker', 'organizations'],
  ['audit', 'audit'],
  ['ledger', 'ledger'],
  ['accounts', 'people'],
  ['sign-in', 'people'],
  ['api-tokens', 'people'],
  ['members', 'people'],
  ['billing', 'billing'],
  ['codes', 'billing'],
  ['branding', 'organizations'],
  ['offers', 'offers'],
  ['galleries', 'catalog'],
  ['photos', 'catalog'],
  ['pictures', 'catalog'],
  ['uploads', 'catalog'],
  ['photo-wall', 'catalog'],
  ['photo-editor', 'catalog'],
  ['home', 'catalog'],
  ['sharing', 'catalog'],
  ['contributors', 'catalog'],
  ['collaborators', 'catalog'],
  ['consent', 'athletes'],
  ['roster', 'athletes'],
  ['tagging', 'athletes'],
  ['families', 'athletes'],
  ['tagging-desk', 'athletes'],
  ['watches', 'athletes'],
  ['coupons', 'coupons'],
  ['credit', 'orders'],
  ['cart', 'orders'],
  ['taxes', 'taxes'],
  ['allowances', 'athletes'],
  ['takedowns', 'takedowns'],
  ['visits', 'reports'],
  ['order-offers', 'orders'],
  ['orders', 'orders'],
  ['downloads', 'orders'],
  ['passes', 'orders'],
  ['find-my-order', 'orders'],
  ['checkout', 'orders'],
  ['refunds', 'orders'],
  ['credit-shop', 'orders'],
  ['order-pages', 'orders'],
  ['public-gallery', 'catalog'],
  ['family-page', 'athletes'],
  ['roster-desk', 'athletes'],
  ['payouts', 'payouts'],
  ['reports', 'reports'],
  ['admin-reports', 'reports'],
  ['statements', 'statements'],
  ['sign-up', 'people'],
  ['gallery-editor', 'catalog'],
  ['prices-desk', 'offers'],
  ['dashboard', 'catalog'],
  ['webhooks', 'webhooks'],
  ['settings', 'organizations'],
  ['office', 'organizations'],
  ['reconciliation', 'reconciliation'],
  ['version'],
  ['exports', 'exports'],
  ['imports', 'imports'],
  ['erasures', 'erasures'],
  ['health', 'health'],
  ['bulk-imports', 'bulk'],
  ['roster-imports', 'athletes'],
  ['bulk-galleries', 'bulk'],
  ['bulk-accounts', 'bulk'],
  ['marketing', 'marketing'],
  ['composition'],
  ['demo'],
  ['main'],
];
const PLACES = new Map(ORDER.map(([part], place) => [part, place]));
const AREAS = new Map(ORDER.map(([part, area]) => [part, area]));

/** The part to which a file belongs: a module, or a folder of `src/`; files directly in `src/` compose the product. */
function partOf(path: string): string {
  if (path === 'src/main.ts') return 'main';
  return /^src\/(?:features\/)?([^/]+)\//.exec(path)?.[1] ?? 'composition';
}

const inSameArea = (a: string, b: string) =>
  AREAS.get(partOf(a)) !== undefined && AREAS.get(partOf(a)) === AREAS.get(partOf(b));

const MAX_FILES = 40;
const MAX_SECTION_LINES = 4_000;

const moduleOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
/** The sections that are limited: a module, a folder of the platform, of the design kit, or of the frame. */
const sectionOf = (path: string) =>
  moduleOf(path) ?? /^src\/((?:platform|ui|web)(?:\/[^/]+(?=\/))?|[^/]+)\//.exec(path)?.[1] ?? 'src';
const pathOf = (from: string) => (from.startsWith('#src/') ? from.replace('#src/', 'src/') : null);

/** Which layers a layer may import as values, in its own module and in others. Types may be imported from any layer of the server. */
const OWN: Record<Layer, readonly Layer[]> = {
  contract: ['contract'],
  rules: ['contract', 'rules'],
  sql: ['contract', 'rules', 'sql'],
  service: ['contract', 'rules', 'sql', 'service', 'jobs', 'mail'],
  routes: ['contract', 'rules', 'routes'],
  jobs: ['contract', 'rules'],
  mail: ['contract', 'rules', 'mail'],
  page: ['contract', 'rules', 'ui', 'client'],
  ui: ['contract', 'rules', 'ui', 'client'],
  client: ['contract', 'rules', 'client'],
};
const OTHER: Record<Layer, readonly Layer[]> = {
  contract: ['contract'],
  rules: ['contract', 'rules'],
  sql: ['contract', 'rules'],
  service: ['contract', 'rules', 'service', 'jobs'],
  routes: ['contract', 'rules'],
  jobs: ['contract', 'rules'],
  mail: ['contract', 'rules'],
  page: ['contract', 'rules', 'ui', 'client'],
  ui: ['contract', 'rules', 'ui', 'client'],
  client: ['contract', 'rules', 'client'],
};

/** What may also be imported from other modules of the same area. */
const SAME_AREA: Partial<Record<Layer, readonly Layer[]>> = { service: ['sql', 'mail'], sql: ['sql'] };

const BROWSER_LAYERS: readonly Layer[] = ['page', 'ui', 'client'];
const SERVER_LIBRARIES =
  /^(fastify|@fastify\/|pg$|pg\/|pg-boss|stripe|sharp|@julusian|kysely|react$|react-dom|react-router)/;

describe('the architecture', () => {
  test('has modules with layers', () => {
    expect(sources.length).toBeGreaterThan(60);
    for (const layer of ['contract', 'rules', 'sql', 'service', 'routes', 'page'] as const) {
      expect(sources.filter((source) => layerOf(source.path) === layer).length, layer).toBeGreaterThan(2);
    }
    expect(sources.flatMap((source) => source.imports).length).toBeGreaterThan(300);
  });

  test('every file of a module names its layer', () => {
    const lost = sources.filter(
      (source) => moduleOf(source.path) !== null && !isTest(source.path) && layerOf(source.path) === null,
    );
    expect(lost.map((source) => source.path)).toEqual([]);
  });

  test('layers import only lower layers', () => {
    const broken: string[] = [];
    for (const { path, imports } of sources) {
      const layer = layerOf(path);
      if (layer === null || isTest(path)) continue;
      for (const { from, typeOnly } of imports) {
        const target = pathOf(from);
        const targetLayer = target === null ? null : layerOf(target);
        if (target === null || targetLayer === null) continue;
        const allowed = moduleOf(target) === moduleOf(path) ? OWN[layer] : OTHER[layer];
        const typeAllowed = typeOnly && !(['contract', 'rules'] as Layer[]).includes(layer);
        const areaAllowed = inSameArea(path, target) && (SAME_AREA[layer] ?? []).includes(targetLayer);
        if (!allowed.includes(targetLayer) && !typeAllowed && !areaAllowed) broken.push(`${path} → ${target}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('parts import only lower parts, not even types of higher ones', () => {
    const broken: string[] = [];
    const unknown = new Set<string>();
    let crossed = 0;
    for (const { path, imports } of sources) {
      if (isTest(path)) continue;
      const own = PLACES.get(partOf(path));
      if (own === undefined) unknown.add(partOf(path));
      for (const { from } of imports) {
        if (/^\.{1,2}\/(?!\+types\/)/.test(from)) broken.push(`${path} → ${from}, not by #src`);
        const target = pathOf(from);
        if (target === null || own === undefined) continue;
        const other = PLACES.get(partOf(target));
        if (other === undefined) unknown.add(partOf(target));
        else if (other > own) broken.push(`${path} → ${target}`);
        else if (other < own) crossed += 1;
      }
    }
    expect([...unknown]).toEqual([]);
    expect(broken).toEqual([]);
    expect(crossed).toBeGreaterThan(2_000);
    expect(ORDER.map(([part]) => part).filter((part) => !sources.some(({ path }) => partOf(path) === part))).toEqual(
      [],
    );
  });

  test(`modules, and folders of the platform, the kit and the frame have at most ${MAX_FILES} files and ${MAX_SECTION_LINES} lines, without tests and generated types`, () => {
    expect([...GENERATED].filter((path) => !sources.some((source) => source.path === path))).toEqual([]);
    const sizes = new Map<string, { files: number; lines: number }>();
    for (const { path, text } of sources) {
      if (isTest(path) || GENERATED.has(path)) continue;
      const { files, lines } = sizes.get(sectionOf(path)) ?? { files: 0, lines: 0 };
      sizes.set(sectionOf(path), { files: files + 1, lines: lines + text.split('\n').length - 1 });
    }
    expect(sizes.size).toBeGreaterThan(55);
    const large = [...sizes].filter(([, { files, lines }]) => files > MAX_FILES || lines > MAX_SECTION_LINES);
    expect(large).toEqual([]);
  });

  test('shared is pure, modules do not know Fastify or the composition root, the platform does not know the modules', () => {
    const broken: string[] = [];
    for (const { path, imports } of sources) {
      if (isTest(path)) continue;
      for (const { from, typeOnly } of imports) {
        const target = pathOf(from);
        const layer = layerOf(path);
        if (path.startsWith('src/shared/') && (target ? !target.startsWith('src/shared/') : from !== 'zod/mini'))
          broken.push(`${path} → ${from}`);
        if (
          target &&
          path.startsWith('src/platform/') &&
          /^src\/(features|http|web|ui|demo|app|main)/.test(target) &&
          !typeOnly
        )
          broken.push(`${path} → ${from}`);
        if (target && path.startsWith('src/ui/') && !/^src\/(ui|shared)\//.test(target) && !typeOnly)
          broken.push(`${path} → ${from}`);
        if (
          layer !== null &&
          ['service', 'rules', 'contract'].includes(layer) &&
          !typeOnly &&
          (SERVER_LIBRARIES.test(from) || target?.startsWith('src/http/'))
        )
          broken.push(`${path} → ${from}`);
        if (layer !== null && target && /^src\/(app|main|web-process|worker-process)\.ts$/.test(target) && !typeOnly)
          broken.push(`${path} → ${from}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('no files import each other in a circle, not even types', () => {
    const product = new Map(sources.filter(({ path }) => !isTest(path)).map((source) => [source.path, source]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      const at = way.indexOf(path);
      if (at >= 0) return void circles.push([...way.slice(at), path].join(' → '));
      if (done.has(path)) return;
      for (const { from } of product.get(path)?.imports ?? []) {
        const target = pathOf(from);
        if (target !== null && product.has(target)) visit(target, [...way, path]);
      }
      done.add(path);
    };
    for (const path of product.keys()) visit(path, []);
    expect(done.size).toBeGreaterThan(500);
    expect(circles).toEqual([]);
  });

  test('browser layers import server code only as types', () => {
    const broken: string[] = [];
    for (const { path, imports } of sources) {
      const layer = layerOf(path);
      const browser = (layer !== null && BROWSER_LAYERS.includes(layer)) || path.startsWith('src/ui/');
      if (!browser || isTest(path)) continue;
      for (const { from, typeOnly } of imports) {
        if (!typeOnly && /(^#src\/(platform|http|demo)\/)|\.(sql|service|routes|jobs|mail)\.tsx?$/.test(from))
          broken.push(`${path} → ${from}`);
        if (from === 'zod') broken.push(`${path} → zod (use zod/mini)`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('pages call the API by its names and types: what an answer contains is never written by hand', () => {
    const callers = sources.filter(({ path, text }) => !isTest(path) && /\bapi\(/.test(text));
    expect(callers.length).toBeGreaterThan(80);
    const byHand = sources.filter(
      ({ path, text }) => !isTest(path) && path !== 'src/web/api-client.ts' && /\bcallApi\b|\bapi</.test(text),
    );
    expect(byHand.map(({ path }) => path)).toEqual([]);
  });

  test('SQL is in .sql.ts files and in the database platform only', () => {
    const broken = sources
      .filter(({ path }) => path.startsWith('src/features/') && !isTest(path) && layerOf(path) !== 'sql')
      .filter(({ text }) => /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql<|\bsql`/.test(text))
      .map(({ path }) => path);
    expect(broken).toEqual([]);
    expect(
      sources.filter(({ path, text }) => layerOf(path) === 'sql' && text.includes('selectFrom(')).length,
    ).toBeGreaterThan(3);
  });

  test('a statement that locks rows and may wait for them does not change them, too', () => {
    const both = /`[^`]*\bfor (?:no key )?update\b(?!(?: of \w+)? skip locked)[^`]*\n\s*update\b/;
    expect(sources.filter(({ path, text }) => path.endsWith('.sql.ts') && both.test(text))).toEqual([]);
  });

  test('each table is written by one area', () => {
    const writers = new Map<string, Set<string>>();
    for (const { path, text } of sources) {
      if (layerOf(path) !== 'sql') continue;
      for (const match of text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\(\s*'([\w.]+)/g)) {
        const table = match[1] ?? '';
        writers.set(table, (writers.get(table) ?? new Set()).add(AREAS.get(partOf(path)) ?? path));
      }
    }
    expect(writers.size).toBeGreaterThan(8);
    expect(
      [...writers].filter(([, areas]) => areas.size > 1).map(([table, areas]) => `${table}: ${[...areas].join(', ')}`),
    ).toEqual([]);
  });

  test(`no file is longer than ${MAX_LINES} lines`, () => {
    const all = [...filesBelow('src'), ...filesBelow('tests'), ...filesBelow('scripts')];
    expect(all.length).toBeGreaterThan(60);
    const long = all
      .filter((path) => !GENERATED.has(path))
      .map((path) => ({ path, lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES)
      .map(({ path, lines }) => `${path}: ${lines}`);
    expect(long).toEqual([]);
  });

  test('every route of a plugin declares its access', () => {
    const plugins = sources.filter(
      ({ path, text }) => !isTest(path) && /\bserver\.(get|post|put|delete|route|all)\(/.test(text),
    );
    expect(plugins.length).toBeGreaterThan(5);
    const silent = plugins.filter(({ text }) => {
      const routes = text.match(/\bserver\.(get|post|put|delete|route|all)\(/g)?.length ?? 0;
      // `call` cannot be written without an access.
      return (text.match(/access\b|\bcall\(/g)?.length ?? 0) < routes;
    });
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test('files are not located relative to a source: what npm start runs is built into another folder', () => {
    const KNOWS = new Set(['src/platform/program-files.ts', 'src/platform/load-tsx.ts']);
    const seeking = sources.filter(
      ({ path, text }) =>
        path.startsWith('src/') &&
        !isTest(path) &&
        !KNOWS.has(path) &&
        /import\.meta\.(?:dirname|filename)|new URL\([^)]*import\.meta/.test(text),
    );
    expect(seeking.map(({ path }) => path)).toEqual([]);
  });

  test('demo and test code is not imported by the product', () => {
    const broken = sources
      .filter(({ path }) => !isTest(path) && !isDemo(path) && path !== 'src/main.ts')
      .flatMap(({ path, imports }) =>
        imports.filter(({ from }) => /^#src\/demo\/|^#tests\//.test(from)).map(({ from }) => `${path} → ${from}`),
      );
    expect(broken).toEqual([]);
  });
});
