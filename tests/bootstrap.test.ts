import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPTS = path.resolve(import.meta.dirname, '../scripts');

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'sideline bootstrap '));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content: unknown): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
}

/** Calls one function of a plain JavaScript module, in its own process. */
function ask(module: string, expression: string): string {
  const code = `import * as it from ${JSON.stringify(path.join(SCRIPTS, 'bootstrap', module))}; const root = ${JSON.stringify(root)}; console.log(${expression});`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim();
}

describe('node_modules is fresh', () => {
  const isFresh = () => ask('install-state.mjs', 'it.installIsFresh(root)');
  const lock = (packages: Record<string, unknown>) => ({ packages: { '': {}, ...packages } });
  const one = { version: '1.0.0', integrity: 'sha512-a' };

  beforeEach(() =>
    write(
      'package-lock.json',
      lock({ 'node_modules/one': one, 'node_modules/mac': { version: '1.0.0', optional: true } }),
    ),
  );

  it('not when it is missing', () => expect(isFresh()).toBe('false'));

  it('when npm installed what the lockfile says, without packages for other machines', () => {
    write('node_modules/.package-lock.json', lock({ 'node_modules/one': one }));
    expect(isFresh()).toBe('true');
  });

  it.each([
    ['another version', { 'node_modules/one': { version: '1.0.1', integrity: 'sha512-b' } }],
    ['other content', { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-b' } }],
    ['nothing', {}],
  ])('not when npm installed %s', (_what, installed) => {
    write('node_modules/.package-lock.json', lock(installed));
    expect(isFresh()).toBe('false');
  });

  it('when our stamp names this lockfile, and not after the lockfile changes', () => {
    mkdirSync(path.join(root, 'node_modules'));
    ask('install-state.mjs', 'it.markInstallFresh(root)');
    expect(isFresh()).toBe('true');
    write('package-lock.json', lock({ 'node_modules/one': { version: '2.0.0' } }));
    expect(isFresh()).toBe('false');
  });

  it('but its PostgreSQL is incomplete while links are missing', () => {
    write('pg/native/pg-symlinks.json', [{ source: 'native/lib/a.1', target: 'native/lib/a' }]);
    expect(ask('install-state.mjs', "it.linksAreMissing(root + '/pg')")).toBe('true');
    write('pg/native/lib/a', '');
    expect(ask('install-state.mjs', "it.linksAreMissing(root + '/pg')")).toBe('false');
  });
});

describe('the build is fresh', () => {
  const isFresh = () => ask('build-state.mjs', 'it.buildIsFresh(root)');

  beforeEach(() => {
    for (const name of [
      'vite.config.ts',
      'react-router.config.ts',
      'tsconfig.json',
      'package-lock.json',
      'scripts/build-program.ts',
      'scripts/start.ts',
      'src/root.tsx',
    ])
      write(name, name);
    mkdirSync(path.join(root, 'build'));
  });

  it('only after it was built from these sources', () => {
    expect(isFresh()).toBe('false');
    ask('build-state.mjs', 'it.markBuildFresh(root)');
    expect(isFresh()).toBe('true');
  });

  it.each([
    ['a source', 'src/root.tsx', 'false'],
    ['a new file', 'src/ui/new.tsx', 'false'],
    ['the lockfile', 'package-lock.json', 'false'],
    ['what builds the program', 'scripts/build-program.ts', 'false'],
    ['a test', 'src/root.test.ts', 'true'],
  ])('after a change of %s: see table', (_what, name, fresh) => {
    ask('build-state.mjs', 'it.markBuildFresh(root)');
    write(name, 'changed');
    expect(isFresh()).toBe(fresh);
  });
});

describe('the lock of a checkout', () => {
  function holder(work: string) {
    const code = `
      import { appendFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { withLock } from ${JSON.stringify(path.join(SCRIPTS, 'bootstrap', 'lock.mjs'))};
      const log = (text) => appendFileSync(${JSON.stringify(path.join(root, 'log'))}, text);
      await withLock(${JSON.stringify(path.join(root, '.cache', 'lock'))}, () => log('w'), async () => { ${work} });`;
    return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  }
  const log = () => readFileSync(path.join(root, 'log'), 'utf8').replaceAll('w', '');

  it('lets one install at a time', async () => {
    const children = [1, 2, 3].map(() => holder("log('('); await sleep(150); log(')');"));
    await Promise.all(children.map((child) => once(child, 'exit')));
    expect(log()).toBe('()()()');
    expect(existsSync(path.join(root, '.cache', 'lock'))).toBe(false);
  });

  it('is taken over when its holder was killed', async () => {
    const killed = holder("log('('); await sleep(60000);");
    await expect.poll(() => existsSync(path.join(root, 'log'))).toBe(true);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const [code] = await once(holder("log(')');"), 'exit');
    expect(code).toBe(0);
    expect(log()).toBe('()');
  });

  it('is given back when the work fails', async () => {
    const [code] = await once(holder('process.exit(3);'), 'exit');
    expect(code).toBe(3);
    expect(existsSync(path.join(root, '.cache', 'lock'))).toBe(false);
  });
});

describe('the bootstrap', () => {
  it('prints its usage when it is called without a program', () => {
    const run = () =>
      execFileSync(process.execPath, [path.join(SCRIPTS, 'bootstrap.mjs')], { encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(/Sideline: usage: node scripts\/bootstrap\.mjs/);
  });
});
