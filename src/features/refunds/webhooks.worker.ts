/** The worker's side of `webhooks.jobs.ts`: which use case does each job. */
import { readEventJob, sweepEventsJob, catchUpEventsJob } from '#src/features/refunds/webhooks.jobs.ts';
import type { WebhookService } from '#src/features/refunds/webhooks.service.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';

export async function startWebhookJobs(
  jobs: Jobs,
  webhooks: Pick<WebhookService, 'read' | 'sweep' | 'catchUp'>,
): Promise<void> {
  await jobs.work(catchUpEventsJob, { concurrency: 1 }, () => webhooks.catchUp());
  await jobs.work(readEventJob, { concurrency: 2 }, ({ eventId }) => webhooks.read(eventId));
  await jobs.work(sweepEventsJob, { concurrency: 1 }, () => webhooks.sweep());
}
