/** Jobs of "Find my order". */
import * as z from 'zod/mini';
import { payloadJob } from '#src/platform/jobs/jobs.ts';

/** Finds the orders of an address and emails them there. Outside the request, so that its duration reveals nothing. */
export const sendFoundOrdersJob = payloadJob(
  'order.find',
  z.strictObject({ email: z.string().check(z.maxLength(254)) }),
  { retryLimit: 5, retryDelaySeconds: 10, expireInSeconds: 60 },
);
