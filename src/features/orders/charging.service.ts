/**
 * Sends one stored charge to the provider, outside any transaction, and records the outcome. If the response is lost,
 * it is requested again with the same key; if it stays lost, the buyer sees that the payment is being confirmed,
 * never that it failed. Cards that keep being declined are limited.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { throwDecline } from '#src/features/billing/decline-limits.service.ts';
import { recoverOrderJob } from '#src/features/orders/orders.jobs.ts';
import type { OrderPlaced, OrderStatus, PlaceOrderBody } from '#src/features/orders/orders.contract.ts';
import * as paymentsSql from '#src/features/orders/payments.sql.ts';
import {
  settleFailed,
  settlePaid,
  waitForBuyer,
  type SettlementDeps,
  PAYMENTS,
} from '#src/features/orders/settlement.service.ts';
import type { UnpaidSale } from '#src/features/orders/receipt.rules.ts';
import type { OwnAccount } from '#src/features/tenancy/processor-keys.service.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { chargeWithRetries } from '#src/platform/payments/charge-retries.ts';
import type { ChargeRequest, Declined, ProcessorAccount, RequiresAction } from '#src/platform/payments/payments.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { cents, toDollars } from '#src/shared/money.ts';

const RECOVER_AFTER_SECONDS = 2;

export type ChargingContext = SettlementDeps & { limits: Limits };

type ChargeTicket = {
  idempotencyKey: string;
  amountCents: number;
  vanityId: string;
  token: string;
  email: string;
  /** The seller's own Stripe account, if the order is charged there. */
  account: ProcessorAccount | null;
  /** As of `settlePaid`. */
  sale?: UnpaidSale | null;
};

/** `action`: the buyer's bank waits for 3-D Secure. */
type Charged = { status: 'paid' | 'pending'; action: RequiresAction | null };

/** `totalCents`: of the order, including what credit pays. */
export type OpenCharge = paymentsSql.SentCharge & {
  vanityId: string;
  account: OwnAccount | null;
  totalCents: number;
  /** As of `settlePaid`. */
  sale?: UnpaidSale | null;
};

/** The part of a body that is needed here. */
export type PaidBody = Pick<PlaceOrderBody, 'stripe_token'> & {
  order: { user: { email: string }; checkout_key: string };
};

/** Charges an order that is stored as pending. @throws as `charge` */
export async function pay(ctx: ChargingContext, caller: Caller, body: PaidBody, open: OpenCharge) {
  crashAt('checkout.after_pending');
  const { status, action } = await charge(ctx, caller, {
    ...open,
    email: body.order.user.email,
    token: body.stripe_token ?? '',
  });
  return presentPlaced({ vanityId: open.vanityId, status, totalCents: open.totalCents }, action);
}

/**
 * Charges and settles; "pending" when the outcome is unknown or could not be written yet, or during 3-D Secure.
 * @throws card_refused in the provider's words, or in ours if the card is not at fault; unavailable if the provider refuses us
 */
export async function charge(ctx: ChargingContext, caller: Caller, ticket: ChargeTicket): Promise<Charged> {
  const { idempotencyKey } = ticket;
  crashAt('checkout.before_charge');
  const outcome = await chargeWithRetries(ctx.payments, requestOf(ticket));
  crashAt('checkout.after_charge');
  if (outcome.state === 'declined') return refuse(ctx, caller, ticket, outcome);
  if (outcome.state === 'unknown') {
    await recoverLater(ctx, idempotencyKey, outcome.cause);
    return { status: 'pending', action: null };
  }
  try {
    if (outcome.state === 'requires_action') {
      await waitForBuyer(ctx, idempotencyKey, outcome);
      return { status: 'pending', action: outcome };
    }
    await settlePaid(ctx, idempotencyKey, outcome, ticket.sale);
    return { status: 'paid', action: null };
  } catch (error) {
    // The money has moved or may move, so this is no failure for the buyer. The recovery job settles it.
    ctx.log.error({ err: error, idempotencyKey }, 'a charge that was answered could not be settled yet');
    return { status: 'pending', action: outcome.state === 'requires_action' ? outcome : null };
  }
}

function requestOf({ idempotencyKey, token, amountCents, vanityId, account }: ChargeTicket): ChargeRequest {
  return {
    idempotencyKey,
    source: { token },
    amountCents: cents(amountCents),
    description: `Photos, order ${vanityId}`,
    metadata: { order: vanityId },
    ...(account ? { account } : {}),
  };
}

async function refuse(ctx: ChargingContext, caller: Caller, ticket: ChargeTicket, declined: Declined): Promise<never> {
  await settleFailed(ctx, ticket.idempotencyKey, declined.message);
  return throwDecline(ctx, caller, ticket.email, declined);
}

/** The response is lost: the worker asks the provider again. If even that cannot be stored, the recovery job finds the charge. */
async function recoverLater(ctx: ChargingContext, idempotencyKey: string, cause: unknown): Promise<void> {
  ctx.log.error({ err: cause, idempotencyKey }, 'the outcome of a charge is unknown');
  try {
    await ctx.database.write(PAYMENTS, async (tx) => {
      await paymentsSql.markUnknown(tx, idempotencyKey, String(cause).slice(0, 300));
      await ctx.jobs.enqueue(
        tx,
        recoverOrderJob,
        { idempotencyKey },
        { startAfterSeconds: RECOVER_AFTER_SECONDS, singletonKey: idempotencyKey },
      );
    });
  } catch (error) {
    ctx.log.error({ err: error, idempotencyKey }, 'an unknown charge could not be noted');
  }
}

/** What a buyer learns about their order, and what their bank waits for. */
export function presentPlaced(
  order: { vanityId: string; status: OrderStatus; totalCents: number },
  action: RequiresAction | null = null,
): OrderPlaced {
  return {
    vanity_id: order.vanityId,
    status: order.status,
    total: toDollars(order.totalCents),
    ...(action ? { requires_action: { client_secret: action.clientSecret } } : {}),
  };
}
