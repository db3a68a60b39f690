import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { grantToApp } from '#src/platform/db/roles.ts';
import { withClient } from '#src/platform/db/client.ts';

/** Where pg-boss keeps its tables. */
export const JOB_SCHEMA = 'pgboss';
const BACKGROUND_WORK_MS = 300_000;

/**
 * Makes or updates the tables of the job queue. Run by the process that migrates, as the owner, after
 * `migrate`: the app role may not make tables. Safe to repeat and to run several times at once.
 */
export async function installJobSchema(ownerUrl: string): Promise<void> {
  const failures: Error[] = [];
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: JOB_SCHEMA,
    application_name: 'sideline migrate',
    max: 2,
    migrate: true,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  });
  boss.on('error', (error) => failures.push(error));
  try {
    await boss.start();
    await finishBackgroundWork(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
  const [failure] = failures;
  if (failure) throw new Error(`the job queue's tables could not be made: ${failure.message}`, { cause: failure });
  await withClient(ownerUrl, grantToApp, 'sideline migrate');
}

/** Some updates build indexes afterwards, which only the owner may do; they are waited for. */
async function finishBackgroundWork(boss: PgBoss): Promise<void> {
  for (const deadline = Date.now() + BACKGROUND_WORK_MS; ; await sleep(200)) {
    const waiting = (await boss.getBamStatus()).filter(({ status }) => status !== 'completed');
    if (waiting.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        `the job queue's indexes are not ready after five minutes (${waiting.map(({ status }) => status).join(', ')})`,
      );
  }
}
