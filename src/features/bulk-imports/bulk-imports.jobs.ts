/** The work of an import, in slices; and what files said goes once a day, 30 days after their import. */
import * as z from 'zod/mini';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';

const payload = z.strictObject({ importId: z.number() });

export const importRowsJob: JobDefinition<{ importId: number }> = {
  name: 'bulk.import',
  parse: (given) => payload.parse(given),
  retryLimit: 20,
  retryDelaySeconds: 1,
  expireInSeconds: 120,
};

export const forgetCellsJob: JobDefinition<null> = {
  name: 'bulk.forget',
  parse: () => null,
  retryLimit: 1,
  retryDelaySeconds: 60,
  expireInSeconds: 60,
  schedule: '29 9 * * *',
};

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
