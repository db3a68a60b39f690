/**
 * Lets Node load emails, which are written as `.tsx`: Node strips types itself, but does not compile JSX (decision
 * record 0052). Programs that reach an email import this file first, and the rest by `import()`.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import type * as Rolldown from 'rolldown/utils';

const CACHE = path.join(import.meta.dirname, '../../.cache/tsx');
const require = createRequire(import.meta.url);
const OPTIONS = { jsx: { runtime: 'automatic' } } as const;
/** Part of the cached file's name, so that another compiler compiles again. */
const COMPILER = `${(require('rolldown/package.json') as { version: string }).version} ${JSON.stringify(OPTIONS)}`;

registerHooks({
  load(url, context, nextLoad) {
    // Vitest adds a query to the address of a test file.
    if (!/\.tsx(?:\?|$)/.test(url)) return nextLoad(url, context);
    return { format: 'module', source: compile(readFileSync(new URL(url), 'utf8')), shortCircuit: true };
  },
});

/** Compiled files are cached: the compiler takes 9 MB of memory in each process that loads it. */
function compile(source: string): string {
  const hash = createHash('sha256').update(COMPILER).update(source).digest('hex');
  const cached = path.join(CACHE, `${hash}.js`);
  const known = readCached(cached);
  if (known !== '') return known;
  const { transformSync } = require('rolldown/utils') as typeof Rolldown;
  const { code, errors } = transformSync('email.tsx', source, OPTIONS);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  store(cached, code);
  return code;
}

/** '' if nothing is cached; a file that a power failure left empty counts as nothing, too. */
function readCached(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** On a read-only disk, each start compiles again. */
function store(file: string, code: string): void {
  const beside = `${file}.${randomUUID()}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(beside, code, { flush: true });
    renameSync(beside, file);
  } catch {
    // It only costs time.
    rmSync(beside, { force: true });
  }
}
