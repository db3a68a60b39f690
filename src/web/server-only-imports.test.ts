import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isServerOnly, serverOnlyImports } from '#src/web/server-only-imports.ts';

/** A project of two modules; each entry is a page that imports one thing. */
const FILES: Record<string, string> = {
  'package.json': '{"type":"module","imports":{"#src/*":"./src/*"}}',
  'src/features/orders/orders.service.ts':
    'export type Order = { id: number }; export const placeOrder = () => "SERVER CODE";',
  'src/features/orders/orders.contract.ts': 'export const EMPTY_CART = "You have no items in your cart.";',
  'src/features/orders/innocent.rules.ts': "export { placeOrder } from './orders.service.ts';",
  'src/platform/secrets.ts': 'export const secret = "SERVER CODE";',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sideline-imports-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function buildPage(source: string, side: 'browser' | 'server' = 'browser'): Promise<string> {
  const page = join(root, 'src/features/orders/orders.page.ts');
  writeFileSync(page, source);
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [serverOnlyImports(root)],
    build: {
      write: false,
      minify: false,
      ssr: side === 'server' ? page : false,
      rolldownOptions: { input: page, preserveEntrySignatures: 'strict' },
    },
  });
  return JSON.stringify(result);
}

describe('the separation of server and browser', () => {
  test.each([
    [
      "import { placeOrder } from '#src/features/orders/orders.service.ts'; export const x = placeOrder;",
      'orders.page.ts imports src/features/orders/orders.service.ts',
    ],
    [
      "import { placeOrder } from './orders.service.ts'; export const x = placeOrder;",
      'orders.page.ts imports src/features/orders/orders.service.ts',
    ],
    [
      "import { placeOrder } from './innocent.rules.ts'; export const x = placeOrder;",
      'innocent.rules.ts imports src/features/orders/orders.service.ts',
    ],
    [
      "export const x = () => import('./orders.service.ts');",
      'orders.page.ts imports src/features/orders/orders.service.ts',
    ],
    [
      "import { secret } from '#src/platform/secrets.ts'; export const x = secret;",
      'orders.page.ts imports src/platform/secrets.ts',
    ],
  ])('stops a browser build of: %s', async (source, complaint) => {
    await expect(buildPage(source)).rejects.toThrow(complaint);
  });

  test('allows types and contracts', async () => {
    const bundle = await buildPage(
      "import type { Order } from './orders.service.ts'; import { EMPTY_CART } from './orders.contract.ts'; export const x = (order: Order) => EMPTY_CART + order.id;",
    );
    expect(bundle).toContain('You have no items in your cart.');
    expect(bundle).not.toContain('SERVER CODE');
  });

  test('does not affect the server', async () => {
    expect(
      await buildPage("import { placeOrder } from './orders.service.ts'; export const x = placeOrder;", 'server'),
    ).toContain('SERVER CODE');
  });
});

test.each([
  ['src/features/orders/orders.sql.ts', true],
  ['src/features/orders/orders.routes.ts', true],
  ['src/features/orders/orders.jobs.ts', true],
  ['src/features/orders/receipt.mail.tsx', true],
  ['src/http/pages.ts', true],
  ['src/app.ts', true],
  ['src/main.ts', true],
  ['src/features/orders/orders.rules.ts', false],
  ['src/features/checkout/checkout.page.tsx', false],
  ['src/web/guards.ts', false],
  ['src/shared/platform/x.ts', false],
  ['node_modules/x/src/http/y.ts', false],
])('%s is for the server only: %s', (path, expected) => {
  expect(isServerOnly(path)).toBe(expected);
});
