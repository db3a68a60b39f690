import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingOptionalPackages, ownOptionalEntries } from '../scripts/complete-lockfile.ts';
import type { Lockfile } from '../scripts/complete-lockfile.ts';

const root = path.resolve(import.meta.dirname, '..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'));

describe('the lockfile', () => {
  it('names the packages of every platform; if not, run: npm run lockfile', () => {
    expect([...missingOptionalPackages(readJson('package-lock.json') as Lockfile).keys()]).toEqual([]);
  });

  it('lets npm install our optional packages with an older Node than the project brings', () => {
    const entries = ownOptionalEntries(readJson('package-lock.json') as Lockfile);
    expect(entries.map(({ optional, engines }) => ({ optional, engines }))).toEqual([{ optional: true }]);
  });

  it('agrees with package.json', () => {
    const lock = readJson('package-lock.json') as { packages: Record<string, Record<string, unknown>> };
    const own = readJson('package.json') as Record<string, unknown>;
    expect(lock.packages['']?.dependencies).toEqual(own.dependencies);
    expect(lock.packages['']?.optionalDependencies).toEqual(own.optionalDependencies);
    expect(lock.packages['']?.devDependencies).toEqual(own.devDependencies);
  });
});
