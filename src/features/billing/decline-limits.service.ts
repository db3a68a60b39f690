/** Cards that keep being declined are not tried for ever (threat 37): counted by address and by e-mail. */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { limitConcurrentCharges } from '#src/features/billing/concurrent-charges.service.ts';
import type { RateLimit } from '#src/platform/limits/rate-limit.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { isCardDecline, PAYMENT_UNAVAILABLE, type Declined } from '#src/platform/payments/payments.ts';
import { isProblem, problem } from '#src/shared/problem.ts';

const DECLINES = 5;
const WINDOW_SECONDS = 600;

export type DeclineLimits = ReturnType<typeof createDeclineLimits>;

/** The buckets are those of the checkout, so that a list of cards is tried at neither door. */
export function createDeclineLimits({ limits }: { limits: Limits }) {
  const buckets = (caller: Caller, email: string): RateLimit[] =>
    [`declined:ip:${caller.ip}`, `declined:email:${email.toLowerCase()}`].map((bucket) => ({
      bucket,
      limit: DECLINES,
      windowSeconds: WINDOW_SECONDS,
    }));
  return {
    /** @throws too_many after five declines of one address or e-mail within ten minutes. */
    refuse: (caller: Caller, email: string): Promise<void> => limits.look(buckets(caller, email)),

    /** Charges when it is the sender's turn: those before have been counted then. @throws what `refuse` does, and what `charge` does */
    inTurn: <T>(caller: Caller, email: string, charge: () => Promise<T>): Promise<T> =>
      limitConcurrentCharges(caller.ip, async () => {
        await limits.look(buckets(caller, email));
        return charge();
      }),

    /** Counts what a bank refused, and says it. @throws card_refused in the provider's words; unavailable where the provider refuses us */
    async tell(caller: Caller, email: string, declined: Declined): Promise<never> {
      if (isCardDecline(declined)) await this.count(caller, email);
      if (declined.message === PAYMENT_UNAVAILABLE)
        throw problem('unavailable', PAYMENT_UNAVAILABLE, { retryAfterSeconds: 10 });
      throw problem('card_refused', declined.message);
    },

    async count(caller: Caller, email: string): Promise<void> {
      for (const limit of buckets(caller, email)) {
        await limits.take(limit).catch((error: unknown) => {
          if (!isProblem(error) || error.code !== 'too_many') throw error;
        });
      }
    },
  };
}
