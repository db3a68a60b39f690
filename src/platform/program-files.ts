/**
 * Where the program's own files are, the same for its sources and for what `npm start` runs: each program is bundled
 * into a few files (`scripts/build-program.ts`), which start in half the time and take 20 MB less per process (decision
 * record 0073).
 */
import { findPackageJSON } from 'node:module';
import path from 'node:path';

const here = findPackageJSON(import.meta.url);
if (here === undefined) throw new Error('The program is outside its package: there is no package.json above it.');

/** The folder with `package.json`, `migrations`, `demo` and `build`. */
export const ROOT = path.dirname(here);

/** Programs that run as processes or threads of their own, by the name of their built file. */
export const PROGRAMS = {
  start: 'scripts/start.ts',
  main: 'src/main.ts',
  'picture-child': 'src/platform/images/picture-child.ts',
  'roster-thread': 'src/features/roster-imports/roster-thread.service.ts',
  'run-demo': 'src/demo/run-demo.ts',
} as const;

const isBuilt = !import.meta.filename.endsWith('.ts');

/** Absolute: the built file next to this one if this one is built, otherwise the source. */
export const programFile = (name: keyof typeof PROGRAMS): string =>
  isBuilt ? path.join(import.meta.dirname, `${name}.js`) : path.join(ROOT, PROGRAMS[name]);
