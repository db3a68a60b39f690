/**
 * The product as `npm start` runs it, with the demo: one for the whole test run, started by the first browser test that
 * needs it. It outlives the test file that started it; the run's teardown stops it. In `npm test` each
 * line of work has one (`SITE_OF_LINE`, a folder) and keeps it from part to part.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, inject } from 'vitest';
import { ensureSite, folderOf, START_WITHIN_MS } from '#tests/support/site-process.ts';

export type RunningSite = {
  port: number;
  /** `http://lakeside.sideline.localhost:PORT`, or another label's. */
  url: (path: string, label?: string) => string;
  /** The product's output so far. */
  log: () => Promise<string>;
  dataDir: string;
};

/** Call at the top of a browser test; the fields are set from the first `beforeAll` on. */
export function useRunningSite(): RunningSite {
  const handle = {} as RunningSite;
  beforeAll(async () => {
    const dir = process.env['SITE_OF_LINE'] ?? inject('testServerDir');
    const { port } = await ensureSite(dir);
    Object.assign(handle, {
      port,
      url: (path: string, label = 'lakeside') => `http://${label}.sideline.localhost:${port}${path}`,
      log: () => readFile(join(folderOf(dir), 'product.log'), 'utf8'),
      dataDir: join(folderOf(dir), 'data'),
    } satisfies RunningSite);
  }, START_WITHIN_MS + 10_000);
  return handle;
}
