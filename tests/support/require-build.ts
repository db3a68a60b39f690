import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** @throws Error with what to do if `build/` has no pages */
export function requireBuild(): void {
  if (!existsSync(join(ROOT, 'build/server/index.js')))
    throw new Error('The pages are not built: run `npm run build` first.');
}
