/** Work that "Find my order" leaves to the worker. */
import * as z from 'zod/mini';
import type { JobDefinition } from '#src/platform/jobs/jobs.ts';

const findPayload = z.strictObject({ email: z.string().check(z.maxLength(254)) });

/** Looks for the orders of an address and mails them there. Outside the request, whose time must tell nothing. */
export const sendFoundOrdersJob: JobDefinition<{ email: string }> = {
  name: 'order.find',
  parse: (payload) => findPayload.parse(payload),
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 60,
};
