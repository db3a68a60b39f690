import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#src/platform/program-files.ts';

/** This version of Sideline, from `package.json`. */
export const VERSION: string = (
  JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
).version;
