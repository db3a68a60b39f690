/** Work that "Find my order" leaves to the worker. */
import * as z from 'zod/mini';
import { payloadJob } from '#src/platform/jobs/jobs.ts';

/** Looks for the orders of an address and mails them there. Outside the request, whose time must tell nothing. */
export const sendFoundOrdersJob = payloadJob(
  'order.find',
  z.strictObject({ email: z.string().check(z.maxLength(254)) }),
  { retryLimit: 5, retryDelaySeconds: 10, expireInSeconds: 60 },
);
