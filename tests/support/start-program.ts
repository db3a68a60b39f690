/** The program that tests and measurements start as the product. */
import path from 'node:path';
import { ROOT } from '#src/platform/program-files.ts';

/** What the caller has just built, if it says so, as `npm test` and `npm run bench` do: the bench after its imports. */
const built = () => process.env['START_PROGRAM'];

/** What `npm start` runs. */
export const startProgramFile = (): string => path.join(ROOT, built() ?? 'scripts/start.ts');

/** One process of it, by its `ROLE`. */
export function mainProgramFile(): string {
  const start = built();
  return path.join(ROOT, start === undefined ? 'src/main.ts' : path.join(path.dirname(start), 'main.js'));
}
