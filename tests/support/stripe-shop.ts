/** The shop of the checkout rig, with cards through Stripe's adapter from a local stand-in, and its webhook route. */
import pino from 'pino';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import { orderRoutes } from '#src/features/orders/orders.routes.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import { createChargeStatus } from '#src/features/refunds/charge-status.service.ts';
import { providerEventRoutes } from '#src/features/refunds/refunds.routes.ts';
import { createProviderEvents, type ProviderEventService } from '#src/features/refunds/provider-events.service.ts';
import { buildServer } from '#src/http/build-server.ts';
import { systemClock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { stripeEventReader } from '#src/platform/payments/provider-events.ts';
import { openStripeProvider } from '#src/platform/payments/stripe-provider.ts';
import { HOST, type CheckoutRig } from '#tests/support/checkout-rig.ts';
import type { StripeEvent } from '#tests/support/stripe-stand-in/books.ts';
import { startStripeStandIn, type StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';
import { openShop } from '#tests/support/shop-goods.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

export type StripeShop = {
  orders: OrderService;
  providerEvents: ProviderEventService;
  /** `from` is the buyer's address: one address charges only a few cards at a time. */
  order(body: object, from?: string): Promise<{ status: number; body: Record<string, unknown> }>;
  /** As Stripe delivers an event. */
  deliver(event: StripeEvent, changes?: { secret?: string; at?: number }): Promise<number>;
  post(body: string, headers: Record<string, string>): Promise<{ status: number; error: string }>;
  close(): Promise<void>;
};

/** A stand-in of Stripe, a shop with its cards, and photos to buy. */
export async function startStripeShop(rig: CheckoutRig, db: TestDatabase) {
  const stripe = await startStripeStandIn();
  const shop = await openStripeShop(rig, db.database, stripe);
  const stop = async () => {
    await shop.close();
    await stripe.close();
  };
  return { stripe, shop, goods: await openShop(db), stop };
}

export async function openStripeShop(rig: CheckoutRig, database: Database, stripe: StandIn): Promise<StripeShop> {
  const log = pino({ level: 'silent' });
  const { secretKey, url: apiBase } = stripe;
  const payments = openStripeProvider({ secretKey, apiBase, log });
  const orders = rig.another(payments);
  const ledger = createLedgerService({ database });
  const chargeStatus = createChargeStatus({
    database,
    payments,
    ledger,
    credit: rig.credit,
    clock: systemClock,
    log,
    settlement: orders,
    ...rig.counters,
  });
  const readProviderEvent = stripeEventReader(stripe.webhookSecret);
  const providerEvents = createProviderEvents({
    database,
    jobs: rig.jobs,
    log,
    clock: systemClock,
    payments,
    chargeStatus,
    readProviderEvent,
  });
  const built = await buildServer({
    log,
    baseDomain: 'sideline.localhost',
    metricsToken: null,
    caller: { actorOf: rig.accounts.actorOf, visitorOf: () => null },
    observe: () => undefined,
    takeRequest: () => undefined,
    modules: [orderRoutes(orders), providerEventRoutes(providerEvents)],
  });
  const post: StripeShop['post'] = async (body, headers) => {
    const answer = await built.server.inject({
      method: 'POST',
      url: '/api/v1/webhooks/stripe',
      headers: { host: HOST, 'content-type': 'application/json; charset=utf-8', ...headers },
      payload: body,
    });
    return { status: answer.statusCode, error: answer.json<{ error?: string }>().error ?? '' };
  };
  return {
    orders,
    providerEvents,
    post,
    async order(body, from = '127.0.0.1') {
      const answer = await built.server.inject({
        method: 'POST',
        url: '/api/v1/orders',
        headers: { host: HOST },
        remoteAddress: from,
        payload: body,
      });
      return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
    },
    async deliver(event, changes) {
      const { body, signature } = stripe.signed(event, changes);
      return (await post(body, { 'stripe-signature': signature })).status;
    },
    close: () => built.server.close(),
  };
}
