/** Limits cards that keep being declined (threat 37), by address and by email. */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { type Release, createConcurrencyLimit, type ConcurrencyLimit } from '#src/platform/limits/concurrency-limit.ts';
import type { Writer } from '#src/platform/db/db.ts';
import { mayTake, type RateLimit, type Limits } from '#src/platform/limits/rate-limits.ts';
import { isCardDecline, PAYMENT_UNAVAILABLE, type Declined } from '#src/platform/payments/payments.ts';
import { problem } from '#src/shared/problem.ts';

const DECLINES = 5;
const WINDOW_SECONDS = 600;
/** Enough for several checkouts behind one address at half-time. */
export const CHARGES_AT_ONCE = 8;
/** A slow provider must not block a whole school behind one address. */
const LONGEST_WAIT_MS = 5_000;

const chargeLimits = new Map<string, ConcurrencyLimit>();

type DeclineContext = { limits: Limits };

/** Checkout, sign-up and upgrades share them, so that a list of stolen cards cannot be spread over the three. */
const bucketsOf = (caller: Caller, email: string): RateLimit[] =>
  [`declined:ip:${caller.ip}`, `declined:email:${email.toLowerCase()}`].map((bucket) => ({
    bucket,
    limit: DECLINES,
    windowSeconds: WINDOW_SECONDS,
  }));

/** @throws too_many after five declines of one address or email within ten minutes. */
export function refuseAfterDeclines(ctx: DeclineContext, caller: Caller, email: string, tx?: Writer): Promise<void> {
  return ctx.limits.check(bucketsOf(caller, email), tx);
}

/** Waits until fewer than eight charges of this address are running, for five seconds at most. */
export async function acquireCharge(ip: string): Promise<Release> {
  const limit = chargeLimits.get(ip) ?? createConcurrencyLimit({ atOnce: CHARGES_AT_ONCE });
  chargeLimits.set(ip, limit);
  const acquired = limit.acquire();
  await new Promise<void>((begin) => {
    const timer = setTimeout(begin, LONGEST_WAIT_MS);
    void acquired.then(() => {
      clearTimeout(timer);
      begin();
    });
  });
  return () =>
    void acquired.then((release) => {
      release();
      if (limit.pending() === 0) chargeLimits.delete(ip);
    });
}

/** As `acquireCharge`; then refuses as `refuseAfterDeclines`. Call the returned function when the charge is decided. */
export async function takeTurnToCharge(ctx: DeclineContext, caller: Caller, email: string): Promise<Release> {
  const release = await acquireCharge(caller.ip);
  try {
    await refuseAfterDeclines(ctx, caller, email);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Counts a decline, and throws it. @throws card_refused with the provider's message; unavailable if the provider refuses us */
export async function throwDecline(
  ctx: DeclineContext,
  caller: Caller,
  email: string,
  declined: Declined,
): Promise<never> {
  if (isCardDecline(declined)) await countDecline(ctx, caller, email);
  if (declined.message === PAYMENT_UNAVAILABLE)
    throw problem('unavailable', PAYMENT_UNAVAILABLE, { retryAfterSeconds: 10 });
  throw problem('card_refused', declined.message);
}

async function countDecline(ctx: DeclineContext, caller: Caller, email: string): Promise<void> {
  for (const limit of bucketsOf(caller, email)) await mayTake(ctx.limits, limit);
}
