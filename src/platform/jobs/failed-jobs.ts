/** What operators do with failed jobs. */
import type { PgBoss } from 'pg-boss';
import type { Writer } from '#src/platform/db/db.ts';
import { within } from '#src/platform/jobs/job-sessions.ts';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';
import {
  requeueJobs,
  DEAD_QUEUE,
  deleteFailedJobs,
  lockFailedJobs,
  type ChosenJobs,
} from '#src/platform/jobs/queue-health.sql.ts';

export function handleFailed(boss: PgBoss, definitions: readonly JobDefinition<unknown>[]) {
  const only = definitions.filter(({ whenGivenUp }) => whenGivenUp === undefined).map(({ name }) => name);
  return {
    async retryFailed(tx: Writer, which: ChosenJobs, limit: number) {
      const taken = await lockFailedJobs(tx, which, { only, limit });
      const ids = taken.map(({ id }) => id);
      if (ids.length === 0) return taken;
      await requeueJobs(tx, ids);
      await boss.redrive(DEAD_QUEUE, { ids, limit: ids.length, db: within(tx) });
      // pg-boss leaves those for which a job with the same key already waits: that one does the work.
      await deleteFailedJobs(tx, ids);
      return taken;
    },
    async discardFailed(tx: Writer, which: ChosenJobs, limit: number) {
      const taken = await lockFailedJobs(tx, which, { limit });
      if (taken.length > 0)
        await deleteFailedJobs(
          tx,
          taken.map(({ id }) => id),
        );
      return taken;
    },
  };
}
