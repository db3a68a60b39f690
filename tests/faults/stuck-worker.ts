/** A worker process that takes one job and never finishes it; run by `lost-worker.test.ts`, which kills it. */
import { openJobs } from '#src/platform/jobs/pg-boss-jobs.ts';
import { lostJob } from '#tests/faults/lost-job.ts';

const jobs = await openJobs({
  url: process.argv[2] ?? '',
  applicationName: 'stuck worker',
  definitions: [lostJob],
  works: true,
  log: { warn: () => undefined, error: () => undefined },
});
await jobs.work(lostJob, { concurrency: 1 }, async ({ id }) => {
  process.stdout.write(`took ${id}\n`);
  await new Promise(() => undefined);
});
