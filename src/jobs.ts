/** Every job of the product, and the worker that does them. */
import type { App } from '#src/app.ts';
import { sweepSessionsJob } from '#src/features/accounts/accounts.jobs.ts';
import { startAccountJobs } from '#src/features/accounts/accounts.worker.ts';
import { sendResetJob, tellOfGuessesJob } from '#src/features/sign-in/passwords.jobs.ts';
import { startPasswordJobs } from '#src/features/sign-in/passwords.worker.ts';
import { renewSubscriptionsJob, sweepAccountPaymentsJob } from '#src/features/billing/billing.jobs.ts';
import { startBillingJobs } from '#src/features/billing/billing.worker.ts';
import { forgetCellsJob, importRowsJob } from '#src/features/bulk-imports/bulk-imports.jobs.ts';
import { startImportJobs } from '#src/features/bulk-imports/bulk-imports.worker.ts';
import { tellOwnersJob } from '#src/features/contributors/contributors.jobs.ts';
import { startContributorJobs } from '#src/features/contributors/contributors.worker.ts';
import { ingestPhotoJob, sweepUploadsJob } from '#src/features/uploads/uploads.jobs.ts';
import { startUploadJobs } from '#src/features/uploads/uploads.worker.ts';
import {
  clearObjectsJob,
  measurePhotosJob,
  remarkPhotosJob,
  turnPhotoJob,
} from '#src/features/pictures/pictures.jobs.ts';
import { startPictureJobs } from '#src/features/pictures/pictures.worker.ts';
import { sendFoundOrdersJob } from '#src/features/find-my-order/find-orders.jobs.ts';
import { recoverOrderJob, sweepOrdersJob } from '#src/features/orders/orders.jobs.ts';
import { startOrderJobs } from '#src/features/orders/orders.worker.ts';
import {
  recoverRefundJob,
  sweepRefundsJob,
  catchUpEventsJob,
  readEventJob,
  sweepEventsJob,
} from '#src/features/refunds/refunds.jobs.ts';
import { startFindOrderJobs } from '#src/features/find-my-order/find-orders.worker.ts';
import { startRefundJobs, startWebhookJobs } from '#src/features/refunds/refunds.worker.ts';
import { submitPayoutsJob } from '#src/features/payouts/payouts.jobs.ts';
import { startPayoutJobs } from '#src/features/payouts/payouts.worker.ts';
import { tellStatementsJob } from '#src/features/statements/statements.jobs.ts';
import { startStatementJobs } from '#src/features/statements/statements.worker.ts';
import { forgetTakedownsJob } from '#src/features/takedowns/takedowns.jobs.ts';
import { startTakedownJobs } from '#src/features/takedowns/takedowns.worker.ts';
import { reconcileNightlyJob, reconcileNowJob } from '#src/features/reconciliation/reconciliation.jobs.ts';
import { startReconciliationJobs } from '#src/features/reconciliation/reconciliation.worker.ts';
import { sweepPicturesJob } from '#src/features/tenancy/organizations.jobs.ts';
import { startOrganizationJobs } from '#src/features/tenancy/organizations.worker.ts';
import type { PictureLab, RenditionWork } from '#src/platform/images/images.ts';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';
import { sweepLimitsJob } from '#src/platform/limits/rate-limits.ts';
import { sendEmailJob, startMail, sweepOutboxJob } from '#src/platform/mail/outbox.ts';
import type { Platform } from '#src/platform/platform.ts';

/** Queues are made for all of these when a process opens the queue. */
export const JOB_DEFINITIONS = [
  ingestPhotoJob,
  sweepUploadsJob,
  tellOwnersJob,
  turnPhotoJob,
  remarkPhotosJob,
  clearObjectsJob,
  measurePhotosJob,
  recoverOrderJob,
  sendFoundOrdersJob,
  sweepOrdersJob,
  recoverRefundJob,
  sweepRefundsJob,
  reconcileNightlyJob,
  reconcileNowJob,
  readEventJob,
  sweepEventsJob,
  catchUpEventsJob,
  sweepAccountPaymentsJob,
  renewSubscriptionsJob,
  sendResetJob,
  tellOfGuessesJob,
  sweepPicturesJob,
  sweepSessionsJob,
  forgetTakedownsJob,
  tellStatementsJob,
  submitPayoutsJob,
  importRowsJob,
  forgetCellsJob,
  sendEmailJob,
  sweepOutboxJob,
  sweepLimitsJob,
] as readonly JobDefinition<unknown>[];

/** Worker only: starts handling every job. `picturesAtATime` photos are developed at once. */
export async function workOnJobs(
  platform: Platform,
  app: App,
  lab: PictureLab & RenditionWork,
  picturesAtATime: number,
): Promise<void> {
  const { jobs, limits, outbox } = platform;
  await startUploadJobs(jobs, app.uploads, lab, picturesAtATime);
  await startContributorJobs(jobs, app.contributors);
  await startPictureJobs(jobs, app.pictures, lab);
  await startOrderJobs(jobs, app.orders);
  await startFindOrderJobs(jobs, app.findOrders);
  await startRefundJobs(jobs, app.refunds);
  await startReconciliationJobs(jobs, app.reconciliation);
  await startWebhookJobs(jobs, app.webhooks);
  await startBillingJobs(jobs, app.billing);
  await startAccountJobs(jobs, app.accounts);
  await startPasswordJobs(jobs, app.passwords, app.logins);
  await startOrganizationJobs(jobs, app.settingsPictures);
  await startTakedownJobs(jobs, app.takedowns);
  await startStatementJobs(jobs, app.statementEmails);
  await startPayoutJobs(jobs, app.payouts);
  await startImportJobs(jobs, app.bulkImports);
  await startMail(jobs, outbox);
  await jobs.work(sweepLimitsJob, { concurrency: 1 }, async () => void (await limits.sweep()));
}
