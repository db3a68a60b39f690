import * as contract from '#src/features/health/health.contract.ts';
import type { HealthService } from '#src/features/health/health.service.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';

const EXAMPLE = { all: true };

/** What platform admins do with failed jobs and emails. */
export const healthRoutes = privateRoutes((server, health: HealthService) => {
  const jobs = { body: contract.chosenJobs, response: { 200: contract.handledAnswer } };
  server.post(
    '/api/v1/failed_jobs/retry',
    call(ADMINS, 'Retry failed jobs: some by id, all of one queue, or all; a thousand at a time', jobs, EXAMPLE),
    async (request) => health.retryJobs(request.caller, request.body),
  );
  server.post(
    '/api/v1/failed_jobs/discard',
    call(ADMINS, 'Discard failed jobs: some by id, all of one queue, or all; a thousand at a time', jobs, EXAMPLE),
    async (request) => health.discardJobs(request.caller, request.body),
  );

  const emails = { body: contract.chosenEmails, response: { 200: contract.handledAnswer } };
  server.post(
    '/api/v1/failed_emails/retry',
    call(ADMINS, 'Send failed emails again: some by id, or all; a thousand at a time', emails, EXAMPLE),
    async (request) => health.retryFailedEmails(request.caller, request.body),
  );
  server.post(
    '/api/v1/failed_emails/discard',
    call(ADMINS, 'Discard failed emails: some by id, or all; a thousand at a time', emails, EXAMPLE),
    async (request) => health.discardFailedEmails(request.caller, request.body),
  );
});
