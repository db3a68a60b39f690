/** The program that tests and measurements start as the product. */
import path from 'node:path';
import { ROOT } from '#src/platform/program-files.ts';

/**
 * What `npm start` runs, if the caller has just built it (`npm test` and `npm run bench` say so); otherwise the
 * sources.
 */
export const startProgramFile = (): string => path.join(ROOT, process.env['START_PROGRAM'] ?? 'scripts/start.ts');
