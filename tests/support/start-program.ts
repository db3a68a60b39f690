/** The program that tests and measurements start as the product. */
import path from 'node:path';
import { ROOT } from '#src/platform/program-files.ts';

/** What the caller has just built, if it says so, as `npm test` and `npm run bench` do. */
const { START_PROGRAM: built } = process.env;

/** What `npm start` runs. */
export const startProgramFile = (): string => path.join(ROOT, built ?? 'scripts/start.ts');

/** One process of it, by its `ROLE`. */
export const mainProgramFile = (): string =>
  path.join(ROOT, built === undefined ? 'src/main.ts' : path.join(path.dirname(built), 'main.js'));
