/** The worker's side of `bulk-imports.jobs.ts`: which use case does each job. */
import { importRowsJob, forgetCellsJob } from '#src/features/bulk-imports/bulk-imports.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

type Handlers = {
  work(importId: number, signal: AbortSignal): Promise<void>;
  giveUp(importId: number): Promise<void>;
  forgetCells(): Promise<number>;
};

/** Worker only. One import at a time: what it costs is hashing, and visitors need the machine, too. */
export async function startImportJobs(jobs: Jobs, imports: Handlers): Promise<void> {
  await jobs.work(
    importRowsJob,
    { concurrency: 1, onDead: ({ importId }) => imports.giveUp(importId) },
    ({ importId }, { signal }) => imports.work(importId, signal),
  );
  await jobs.work(forgetCellsJob, { concurrency: 1 }, async () => void (await imports.forgetCells()));
}
