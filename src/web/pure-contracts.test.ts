import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, parseSync } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markPure, pureContracts } from '#src/web/pure-contracts.ts';

describe('schemas that a page does not use', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sideline-pure-'));
    const files: Record<string, string> = {
      'src/features/orders/orders.contract.ts': `
        import { object, string } from './library.ts';
        export const EMPTY_CART = 'You have no items in your cart.';
        export const orderBody = object({ name: string().check('SCHEMA OF AN ORDER') });
        export type OrderBody = typeof orderBody;`,
      'src/features/orders/library.ts':
        "export const string = () => ({ check: (x) => (globalThis.made = 'LIBRARY' + x) }); export const object = (x) => x;",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  async function bundle(source: string): Promise<string> {
    const page = join(root, 'src/features/orders/page.ts');
    writeFileSync(page, source);
    return JSON.stringify(
      await build({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [pureContracts()],
        build: { write: false, minify: false, rolldownOptions: { input: page, preserveEntrySignatures: 'strict' } },
      }),
    );
  }

  test('are not bundled with it, nor is their library', async () => {
    const code = await bundle("import { EMPTY_CART } from './orders.contract.ts'; export const x = EMPTY_CART;");
    expect(code).toContain('You have no items in your cart.');
    expect(code).not.toMatch(/SCHEMA OF AN ORDER|LIBRARY/);
  });

  test('are bundled where they are used', async () => {
    const code = await bundle("import { orderBody } from './orders.contract.ts'; export const x = orderBody;");
    expect(code).toMatch(/SCHEMA OF AN ORDER/);
    expect(code).toMatch(/LIBRARY/);
  });
});

test.each([
  ["const a = 'text';", "const a = 'text';"],
  ['const a = f(1);', 'const a = /* @__PURE__ */ (() => (f(1)))();'],
  ['export const a = z.b().c(), d = 7;', 'export const a = /* @__PURE__ */ (() => (z.b().c()))(), d = 7;'],
  [
    'const a = f(); const b = { c: g() };',
    'const a = /* @__PURE__ */ (() => (f()))(); const b = /* @__PURE__ */ (() => ({ c: g() }))();',
  ],
  ['export function f() { const a = g(); }', 'export function f() { const a = g(); }'],
  ['const a = (x) => f(x);', 'const a = (x) => f(x);'],
])('the calls at the top level of `%s` are marked as pure', (code, marked) => {
  const { body } = parseSync('contract.js', code).program;
  expect(markPure(code, body as unknown as Parameters<typeof markPure>[1])).toBe(marked);
});
