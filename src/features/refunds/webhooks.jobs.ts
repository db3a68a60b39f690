/** Events of the card provider are worked off after they were kept; those that were forgotten are taken up again. */
import * as z from 'zod/mini';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const payload = z.strictObject({ eventId: z.string().check(z.maxLength(255)) });

export const readEventJob: JobDefinition<{ eventId: string }> = {
  name: 'webhook.read',
  parse: (given) => payload.parse(given),
  retryLimit: 6,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
};

/** Each minute: events that wait for too long, and charges whose real fee no one has told. */
export const sweepEventsJob: JobDefinition<null> = {
  name: 'webhook.sweep',
  parse: () => null,
  retryLimit: 0,
  retryDelaySeconds: 5,
  expireInSeconds: 120,
  schedule: '* * * * *',
};

/** Each hour: what the provider told and could not deliver. */
export const catchUpEventsJob: JobDefinition<null> = {
  name: 'webhook.catch_up',
  parse: () => null,
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
  schedule: '17 * * * *',
};
