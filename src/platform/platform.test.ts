import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/config/config.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();

test('a worker that stops takes no new job while an email is still being sent', async () => {
  await installJobSchema(db.ownerUrl);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sideline-test-'));
  const job = {
    name: 'after.stop',
    parse: () => null,
    retryLimit: 1,
    retryDelaySeconds: 0,
    expireInSeconds: 60,
  };
  const options = {
    config: readConfig({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'silent' }),
    log: createLog({ level: 'silent', name: 'test' }),
    addresses: { ownerUrl: db.ownerUrl, appUrl: db.appUrl, appRole: db.appRole },
    jobDefinitions: [job],
  };
  const web = await openPlatform({ ...options, processName: 'web', works: false });
  const worker = await openPlatform({ ...options, processName: 'worker', works: true });
  const mail = new pg.Client({ connectionString: db.ownerUrl });
  await mail.connect();
  try {
    let done = 0;
    await worker.jobs.work(job, { concurrency: 1 }, async () => void (done += 1));
    // The worker's email query waits for this lock, as it would for a mail server.
    await mail.query('begin; lock table mail_outbox');
    worker.emailSender.start();
    await sleep(300);
    const closing = worker.close();
    await sleep(100);
    await web.database.write({ kind: 'system', why: 'test' }, (tx) => web.jobs.enqueue(tx, job, null));
    await sleep(1_000);
    await mail.query('rollback');
    await closing;
    expect(done).toBe(0);
  } finally {
    await mail.end();
    await web.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
