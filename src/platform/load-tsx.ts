/**
 * Lets Node load emails, which are written as `.tsx`: it strips types by itself, but leaves JSX (decision record 0052).
 * Programs that reach an email import this file first, and the rest by `import()`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import type * as Rolldown from 'rolldown/utils';

const CACHE = path.join(import.meta.dirname, '../../.cache/tsx');
const require = createRequire(import.meta.url);

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    return { format: 'module', source: compile(readFileSync(new URL(url), 'utf8')), shortCircuit: true };
  },
});

/** What was compiled is kept: the compiler takes 9 MB of memory in each process that loads it. */
function compile(source: string): string {
  const kept = path.join(CACHE, `${createHash('sha256').update(source).digest('hex')}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { transformSync } = require('rolldown/utils') as typeof Rolldown;
    const { code, errors } = transformSync('email.tsx', source, { jsx: { runtime: 'automatic' } });
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    keep(kept, code);
    return code;
  }
}

/** On a disk that cannot be written, each start compiles anew. */
function keep(file: string, code: string): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    const beside = `${file}.${process.pid}`;
    writeFileSync(beside, code);
    renameSync(beside, file);
  } catch {
    // Nothing is lost but time.
  }
}
