import { mkdir } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { stopSite } from '#tests/support/site-process.ts';
import { removeTestServer, sweepTestServers, testServerDir } from '#tests/support/test-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServerDir: string;
  }
}

/** Runs once before and after a whole test run. The server itself starts only when a test asks for a database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepTestServers();
  const dir = testServerDir(process.pid);
  // A killed run may have had the same process id.
  await removeTestServer(dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  project.provide('testServerDir', dir);
  return async () => {
    // `npm test` gives a line of work one site for all its parts, and ends it itself.
    if (process.env['SITE_OF_LINE'] === undefined) await stopSite(dir);
    await removeTestServer(dir);
  };
}
