/**
 * Sends one stored charge to the provider, outside any transaction, and writes down what it says.
 * A lost reply is asked for again with the same key; if it stays lost the buyer is told that the
 * payment is being confirmed, never that it failed. Cards that keep being declined are not tried for ever.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { createDeclineLimits } from '#src/features/billing/decline-limits.service.ts';
import { recoverOrderJob } from '#src/features/orders/orders.jobs.ts';
import * as paymentsSql from '#src/features/orders/payments.sql.ts';
import type { Settlement } from '#src/features/orders/settlement.service.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { chargeWithRetries } from '#src/platform/payments/charge-retries.ts';
import {
  type ChargeRequest,
  type Declined,
  type PaymentProvider,
  type ProcessorAccount,
  type RequiresAction,
} from '#src/platform/payments/payments.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { cents } from '#src/shared/money.ts';

const PAYMENTS = { kind: 'system', why: 'a payment is settled by whoever hears its outcome' } as const;
const ASK_AFTER_SECONDS = 2;

export type Charging = ReturnType<typeof createCharging>;
export type ChargingDeps = {
  database: Database;
  payments: PaymentProvider;
  jobs: Pick<Jobs, 'enqueue'>;
  limits: Limits;
  log: { error(details: object, message: string): void };
  settlement: Settlement;
};

export type ChargeTicket = {
  idempotencyKey: string;
  amountCents: number;
  vanityId: string;
  token: string;
  email: string;
  /** The seller's own account, where the order goes over it. */
  account: ProcessorAccount | null;
};

/** `action`: the buyer's bank waits for the buyer. */
export type Charged = { status: 'paid' | 'pending'; action: RequiresAction | null };

export function createCharging(deps: ChargingDeps) {
  const { database, payments, jobs, log, settlement } = deps;
  const declines = createDeclineLimits(deps);

  /** The reply is lost: noted, and asked for by the worker. If even that cannot be written, its sweep finds the charge. */
  async function askLater(idempotencyKey: string, cause: unknown): Promise<void> {
    log.error({ err: cause, idempotencyKey }, 'the outcome of a charge is unknown');
    try {
      await database.write(PAYMENTS, async (tx) => {
        await paymentsSql.markUnknown(tx, idempotencyKey, String(cause).slice(0, 300));
        await jobs.enqueue(
          tx,
          recoverOrderJob,
          { idempotencyKey },
          { startAfterSeconds: ASK_AFTER_SECONDS, singletonKey: idempotencyKey },
        );
      });
    } catch (error) {
      log.error({ err: error, idempotencyKey }, 'an unknown charge could not be noted');
    }
  }

  return {
    /** @throws too_many after five declines of one address or e-mail within ten minutes (threat 37). */
    async refuseAfterDeclines(caller: Caller, email: string): Promise<void> {
      await declines.refuse(caller, email);
    },

    /** As `refuseAfterDeclines`, and then `work`, in the sender's turn: a list of cards sent at once is no way around the limit. */
    inTurn: <T>(caller: Caller, email: string, work: () => Promise<T>): Promise<T> =>
      declines.inTurn(caller, email, work),

    /**
     * Charges; "pending" when the outcome is not known or could not be written yet, or while the buyer's bank waits.
     * @throws card_refused in the provider's words, or in ours where the fault is not the card's; unavailable where the provider refuses us
     */
    async charge(caller: Caller, ticket: ChargeTicket): Promise<Charged> {
      const { idempotencyKey, vanityId, token, amountCents, account } = ticket;
      const request: ChargeRequest = {
        idempotencyKey,
        source: { token },
        amountCents: cents(amountCents),
        description: `Photos, order ${vanityId}`,
        metadata: { order: vanityId },
        ...(account ? { account } : {}),
      };
      crashAt('checkout.before_charge');
      const outcome = await chargeWithRetries(payments, request);
      crashAt('checkout.after_charge');
      if (outcome.state === 'declined') return refuse(caller, ticket, outcome);
      if (outcome.state === 'unknown') {
        await askLater(idempotencyKey, outcome.cause);
        return { status: 'pending', action: null };
      }
      try {
        if (outcome.state === 'requires_action') {
          await settlement.waitForBuyer(idempotencyKey, outcome);
          return { status: 'pending', action: outcome };
        }
        await settlement.settlePaid(idempotencyKey, outcome);
        return { status: 'paid', action: null };
      } catch (error) {
        // The money has moved or may move: this is no failure for the buyer. The sweep settles it.
        log.error({ err: error, idempotencyKey }, 'a charge that was answered could not be settled yet');
        return { status: 'pending', action: outcome.state === 'requires_action' ? outcome : null };
      }
    },
  };

  async function refuse(caller: Caller, ticket: ChargeTicket, declined: Declined): Promise<never> {
    await settlement.settleFailed(ticket.idempotencyKey, declined.message);
    return declines.tell(caller, ticket.email, declined);
  }
}
