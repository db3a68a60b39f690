/** How long a request waits for a charge, and how often it retries. Later outcomes are found by the worker. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChargeOutcome, ChargeRequest, PaymentProvider } from '#src/platform/payments/payments.ts';

/** With the pauses, shorter than `ABANDONED_AFTER_SECONDS`. */
const ANSWER_WITHIN_MS = 9_000;
const PAUSES_MS = [250, 750];

/** After this time no request still waits for a charge, and the worker may look it up. */
export const ABANDONED_AFTER_SECONDS = 12;

/** Tries up to three times with the same key; the provider charges once. "unknown" if no answer came in time. */
export async function chargeWithRetries(payments: Pick<PaymentProvider, 'charge'>, request: ChargeRequest) {
  const tooLate = Promise.withResolvers<ChargeOutcome>();
  const cause = `the provider did not answer within ${ANSWER_WITHIN_MS} ms`;
  const timer = setTimeout(() => tooLate.resolve({ state: 'unknown', cause: new Error(cause) }), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([tryRepeatedly(payments, request), tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function tryRepeatedly(
  payments: Pick<PaymentProvider, 'charge'>,
  request: ChargeRequest,
): Promise<ChargeOutcome> {
  let outcome = await payments.charge(request);
  for (const waitMs of PAUSES_MS) {
    if (outcome.state !== 'unknown') return outcome;
    await pause(waitMs);
    outcome = await payments.charge(request);
  }
  return outcome;
}
