/** Every job of the product, and the use case that handles it. */
import type { App } from '#src/app.ts';
import { sweepSessionsJob } from '#src/features/accounts/accounts.jobs.ts';
import { sendResetJob, notifyOfGuessesJob } from '#src/features/sign-in/passwords.jobs.ts';
import { renewSubscriptionsJob, sweepAccountPaymentsJob } from '#src/features/billing/billing.jobs.ts';
import { forgetCellsJob, importRowsJob } from '#src/features/bulk-imports/bulk-imports.jobs.ts';
import { forgetRosterRowsJob, importRosterJob } from '#src/features/roster-imports/roster-imports.jobs.ts';
import { forgetNamesJob, startSeasonJob } from '#src/features/roster/roster.jobs.ts';
import { expireExportsJob, makeExportJob } from '#src/features/exports/exports.jobs.ts';
import { notifyOwnersJob } from '#src/features/contributors/contributors.jobs.ts';
import { ingestPhotoJob, sweepUploadsJob } from '#src/features/uploads/uploads.jobs.ts';
import * as pictures from '#src/features/pictures/pictures.jobs.ts';
import { forgetReceiversJob, sendGiftsJob } from '#src/features/credit-shop/credit-shop.jobs.ts';
import { sendFoundOrdersJob } from '#src/features/find-my-order/find-orders.jobs.ts';
import { refundHiddenJob, recoverOrderJob, sweepOrdersJob } from '#src/features/orders/orders.jobs.ts';
import { SWEEP_EVERY_SECONDS } from '#src/features/orders/orders.rules.ts';
import * as refunds from '#src/features/refunds/refunds.jobs.ts';
import { sumDaysJob } from '#src/features/ledger/ledger.jobs.ts';
import { sumSalesJob } from '#src/features/reports/kept-sales.jobs.ts';
import { submitPayoutsJob } from '#src/features/payouts/payouts.jobs.ts';
import { notifyOfStatementsJob } from '#src/features/statements/statements.jobs.ts';
import { forgetTakedownsJob } from '#src/features/takedowns/takedowns.jobs.ts';
import { reconcileNightlyJob, reconcileNowJob } from '#src/features/reconciliation/reconciliation.jobs.ts';
import { notifyWatchersJob } from '#src/features/watches/watches.jobs.ts';
import { sweepPicturesJob } from '#src/features/tenancy/organizations.jobs.ts';
import type { PictureLab, RenditionWork } from '#src/platform/images/images.ts';
import type { JobDefinition, Jobs } from '#src/platform/jobs/jobs.ts';
import { purgeCdnJob } from '#src/platform/cdn/cdn.ts';
import { removeOldFiles } from '#src/platform/old-files.ts';
import { sweepLimitsJob } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { whenDatabaseAnswers } from '#src/platform/processes/child.ts';

/** The dependencies of jobs. `picturesAtATime` photos are developed at the same time. */
type Worker = {
  platform: Pick<Platform, 'cdn' | 'clock' | 'config' | 'limits'>;
  app: App;
  lab: PictureLab & RenditionWork;
  picturesAtATime: number;
};
type Task = { job: JobDefinition<unknown>; start: (jobs: Jobs, worker: Worker) => Promise<void> };

/** A job, and the use case that handles it; one at a time unless it says otherwise. */
function task<Payload>(
  job: JobDefinition<Payload>,
  run: (worker: Worker, payload: Payload, signal: AbortSignal) => Promise<unknown>,
  options: {
    concurrency?: (worker: Worker) => number;
    onDead?: (app: App, payload: Payload) => Promise<void>;
  } = {},
): Task {
  const { concurrency = () => 1, onDead } = options;
  return {
    job: job as JobDefinition<unknown>,
    start: (jobs, worker) =>
      jobs.work(
        job,
        { concurrency: concurrency(worker), ...(onDead && { onDead: (payload) => onDead(worker.app, payload) }) },
        async (payload, { signal }) => void (await run(worker, payload, signal)),
      ),
  };
}

const two = () => 2;

/** Worker only: checks every ten seconds for payments that a dead process left behind; a job settles them. */
export function watchPayments({ orders, billing }: Pick<App, 'orders' | 'billing'>, log: Platform['log']) {
  let checking = Promise.resolve();
  async function check(): Promise<void> {
    for (const service of [orders, billing]) if (await service.hasLeftBehind()) await service.planSweep();
  }
  const timer = setInterval(() => {
    checking = check().catch((error: unknown) => log.warn({ err: error }, 'payments could not be looked after'));
  }, SWEEP_EVERY_SECONDS * 1000);
  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await checking;
    },
  };
}

const TASKS: readonly Task[] = [
  task(ingestPhotoJob, ({ app, lab }, { photoId }) => app.uploads.ingestOrWait(photoId, lab), {
    concurrency: ({ picturesAtATime }) => picturesAtATime,
    onDead: (app, { photoId }) => app.uploads.giveUp(photoId),
  }),
  task(sweepUploadsJob, ({ app }) => app.uploads.sweepUploads()),
  task(notifyOwnersJob, ({ app }) => app.contributors.notifyOwners()),
  task(pictures.turnPhotoJob, ({ app, lab }, { photoId }) => app.pictures.turn(photoId, lab), {
    concurrency: two,
    onDead: (app, { photoId }) => app.pictures.giveUpTurn(photoId),
  }),
  // One at a time, so that uploads can run in parallel.
  task(pictures.remarkPhotosJob, async ({ app, lab }, { organizationId }, signal) => {
    const { isDone } = await app.pictures.remarkPhotos(organizationId, lab, signal);
    if (!isDone) await app.pictures.remarkLater(organizationId);
  }),
  task(pictures.clearObjectsJob, async ({ app }) => {
    await app.pictures.purgeRemoved();
    await app.pictures.clearObjects();
  }),
  task(recoverOrderJob, ({ app }, { idempotencyKey }) => app.orders.recover(idempotencyKey), { concurrency: two }),
  task(sweepOrdersJob, ({ app }) => app.orders.sweep()),
  task(sendFoundOrdersJob, ({ app }, { email }) => app.findOrders.sendFoundOrders(email)),
  task(sendGiftsJob, ({ app }) => app.creditShop.sendGifts()),
  task(forgetReceiversJob, ({ app }) => app.creditShop.forgetReceivers()),
  task(refunds.recoverRefundJob, ({ app }, { refundId }) => app.refunds.recover(refundId), { concurrency: two }),
  task(refundHiddenJob, ({ app }, { orderId, photoIds }) => app.refunds.refundHidden(orderId, photoIds)),
  task(refunds.sweepRefundsJob, ({ app }) => app.refunds.sweep()),
  task(refunds.catchUpEventsJob, ({ app }) => app.providerEvents.catchUp()),
  task(refunds.readEventJob, ({ app }, { eventId }) => app.providerEvents.read(eventId), { concurrency: two }),
  task(refunds.sweepEventsJob, ({ app }) => app.providerEvents.sweep()),
  task(reconcileNightlyJob, ({ app }) => app.reconciliation.runNightly()),
  task(reconcileNowJob, ({ app }) => app.reconciliation.runWaiting()),
  task(sweepAccountPaymentsJob, ({ app }) => app.billing.sweep()),
  task(renewSubscriptionsJob, ({ app }) => app.billing.renewDue()),
  task(sweepSessionsJob, async ({ app }) => {
    await app.accounts.sweepSessions();
    await app.webhookEndpoints.forgetOld();
    await app.tagging.sweep();
    await app.revisions.sweep();
  }),
  task(notifyOfGuessesJob, ({ app }, { email }) => app.logins.notifyOfGuesses(email)),
  task(sendResetJob, async ({ app }, { email, sends }) => sends && app.passwords.sendReset(email), {
    concurrency: two,
  }),
  task(sweepPicturesJob, ({ app }) => app.settingsPictures.sweepPictures()),
  task(forgetTakedownsJob, ({ app }) => app.takedowns.forgetOld()),
  task(notifyWatchersJob, ({ app }) => app.watches.sendNews()),
  task(sumSalesJob, ({ app }) => app.keptSales.bringSumsUpToDate()),
  task(sumDaysJob, ({ app, platform }) => app.ledger.sumDays(platform.clock.now())),
  task(notifyOfStatementsJob, ({ app }) => app.statementEmails.notifyReady()),
  task(submitPayoutsJob, ({ app }, { batchKey }) => app.payouts.submit(batchKey)),
  // An import mostly costs hashing, and visitors need the processor, too.
  task(importRowsJob, ({ app }, { importId }, signal) => app.bulkImports.work(importId, signal), {
    onDead: (app, { importId }) => app.bulkImports.giveUp(importId),
  }),
  task(importRosterJob, ({ app }, { importId }, signal) => app.rosterImports.work(importId, signal), {
    onDead: (app, { importId }) => app.rosterImports.giveUp(importId),
  }),
  task(startSeasonJob, ({ app }, { seasonId }, signal) => app.nextSeason.work(seasonId, signal)),
  task(forgetNamesJob, async ({ app, platform }) => {
    await app.forgetting.forgetOld();
    await removeOldFiles(platform.config.dataDir, platform.clock.now());
  }),
  task(forgetRosterRowsJob, ({ app }) => app.rosterImports.forget()),
  task(makeExportJob, ({ app }, { exportId }) => app.exports.make(exportId), {
    onDead: (app, { exportId }) => app.exports.giveUp(exportId),
  }),
  task(expireExportsJob, ({ app }) => app.exports.expire()),
  task(forgetCellsJob, ({ app }) => app.bulkImports.forgetCells()),
  task(sweepLimitsJob, ({ platform }) => platform.limits.sweep()),
  task(purgeCdnJob, ({ platform }, { tags }) => platform.cdn.purge(tags), { concurrency: two }),
];

/** Queues are created for all of these when a process opens the queue. */
export const JOB_DEFINITIONS = TASKS.map(({ job }) => job);

/** Worker only: starts handling the jobs whose name has this prefix. */
export async function startJobs(jobs: Jobs, worker: Worker, name = ''): Promise<void> {
  for (const { job, start } of TASKS) if (job.name.startsWith(name)) await start(jobs, worker);
}

/**
 * Worker only: starts handling every job, and sending emails and webhooks. Sweeps begin immediately, so that a restart
 * settles what the last process left unfinished.
 */
export async function workOnJobs(
  platform: Platform,
  app: App,
  lab: PictureLab & RenditionWork,
  picturesAtATime: number,
): Promise<void> {
  await startJobs(platform.jobs, { platform, app, lab, picturesAtATime });
  platform.emailSender.start(platform.jobs.watch);
  platform.takesWork(app.webhookSender).start();
  const ask = (work: () => Promise<unknown>) => whenDatabaseAnswers(platform.log, work);
  await ask(app.pictures.remarkOldDrawings);
  await ask(app.orders.planSweep);
  await ask(app.billing.planSweep);
  platform.takesWork(watchPayments(app, platform.log));
  await ask(app.keptSales.planSums);
}
