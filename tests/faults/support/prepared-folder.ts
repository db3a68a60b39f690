/** One `DATA_DIR` with a migrated, empty database, made once for the whole test run; tests work on copies of it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { migrate } from '#src/platform/db/migrate.ts';
import { ensureEmbeddedRoles } from '#src/platform/db/roles.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';

const MADE_WITHIN_MS = 60_000;
const run = promisify(execFile);

/** Copies it into a folder, which may exist. */
export async function copyPreparedFolder(dataDir: string): Promise<void> {
  const prepared = await preparedFolder();
  // With its owners: a database that root starts belongs to another account.
  await run('cp', ['-a', `${prepared}/.`, dataDir]);
}

/** Makes it, or waits for the worker that is making it. */
async function preparedFolder(): Promise<string> {
  const workshop = join(inject('testServerDir'), 'preparing');
  const prepared = join(inject('testServerDir'), 'prepared');
  const isFirst = await mkdir(workshop).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const draft = join(workshop, 'data');
    await prepare(draft);
    await rename(draft, prepared);
  }
  for (const deadline = Date.now() + MADE_WITHIN_MS; !existsSync(prepared); await sleep(50))
    if (Date.now() > deadline) throw new Error('the folder was not prepared within a minute');
  return prepared;
}

async function prepare(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir });
  const { ownerUrl } = await ensureEmbeddedRoles(server.port, embeddedPasswords(dataDir));
  await migrate(ownerUrl);
  await installJobSchema(ownerUrl);
  await server.stop();
}
