/** The worker's side of `refunds.jobs.ts`: which use case does each job. */
import {
  recoverRefundJob,
  sweepRefundsJob,
  readEventJob,
  sweepEventsJob,
  catchUpEventsJob,
} from '#src/features/refunds/refunds.jobs.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { WebhookService } from '#src/features/refunds/webhooks.service.ts';

/** Worker only. */
export async function startRefundJobs(
  jobs: Jobs,
  refunds: { recover(refundId: number): Promise<void>; sweep(): Promise<void> },
): Promise<void> {
  await jobs.work(recoverRefundJob, { concurrency: 2 }, ({ refundId }) => refunds.recover(refundId));
  await jobs.work(sweepRefundsJob, { concurrency: 1 }, () => refunds.sweep());
}

export async function startWebhookJobs(
  jobs: Jobs,
  webhooks: Pick<WebhookService, 'read' | 'sweep' | 'catchUp'>,
): Promise<void> {
  await jobs.work(catchUpEventsJob, { concurrency: 1 }, () => webhooks.catchUp());
  await jobs.work(readEventJob, { concurrency: 2 }, ({ eventId }) => webhooks.read(eventId));
  await jobs.work(sweepEventsJob, { concurrency: 1 }, () => webhooks.sweep());
}
