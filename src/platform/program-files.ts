/**
 * Where the program's own files are, the same for its sources and for what `npm start` runs: each program and everything that it
 * loads in few files (`scripts/build-program.ts`), which start in half the time and take 20 MB less of each process (decision
 * record 0073).
 */
import { findPackageJSON } from 'node:module';
import path from 'node:path';

const here = findPackageJSON(import.meta.url);
if (here === undefined) throw new Error('The program stands outside its package: there is no package.json above it.');

/** The folder with `package.json`, `migrations`, `demo` and `build`. */
export const ROOT = path.dirname(here);

/** What runs as a process of its own, by the name of its built file. */
export const PROGRAMS = {
  start: 'scripts/start.ts',
  main: 'src/main.ts',
  'picture-child': 'src/platform/images/picture-child.ts',
  'run-demo': 'src/demo/run-demo.ts',
} as const;

const isBuilt = !import.meta.filename.endsWith('.ts');

/** Absolute: built beside us when we are built, else the source. */
export const programFile = (name: keyof typeof PROGRAMS): string =>
  isBuilt ? path.join(import.meta.dirname, `${name}.js`) : path.join(ROOT, PROGRAMS[name]);
