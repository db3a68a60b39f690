import * as z from 'zod/mini';
import * as contract from '#src/features/refunds/refunds.contract.ts';
import { call, privateRoutes, routes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import type { RefundLists } from '#src/features/refunds/refund-lists.service.ts';
import type { RefundService } from '#src/features/refunds/refunds.service.ts';
import type { ProviderEventService } from '#src/features/refunds/provider-events.service.ts';
import { idParams } from '#src/shared/validators.ts';

/** Asking for refunds, giving them, declining them. */
export const refundRoutes = privateRoutes((server, refunds: RefundService) => {
  server.post(
    '/api/v1/orders/:id/refund_quote',
    call({ who: 'session' }, 'The amount of a refund of some photos and passes of your own order', {
      params: contract.orderParams,
      body: contract.refundQuoteBody,
      response: { 200: contract.refundQuote },
    }),
    async (request) => refunds.quote(request.caller, request.params.id, request.body),
  );

  server.post(
    '/api/v1/orders/:id/refund_requests',
    call({ who: 'session' }, 'Request a refund of your own order, in full or in part', {
      params: contract.orderParams,
      body: contract.askRefundBody,
      response: { 201: contract.requestAnswer },
    }),
    async (request, reply) =>
      reply.code(201).send(await refunds.requestRefund(request.caller, request.params.id, request.body)),
  );

  server.post(
    '/api/v1/orders/:id/refunds',
    call({ who: 'platform-admin' }, 'Refund the rest of an order or part of it; 202 while it is being confirmed', {
      params: contract.orderParams,
      body: contract.giveRefundBody,
      response: { 201: contract.refundGiven, 202: contract.refundGiven },
    }),
    async (request, reply) => {
      const { amount, photos, passes, reason, refund_key: idempotencyKey } = request.body;
      const given = await refunds.give(request.caller, request.params.id, {
        amountCents: amount ?? null,
        photoIds: photos ?? [],
        passIds: passes ?? [],
        reason,
        idempotencyKey,
      });
      return reply.code(given.refund.state === 'pending' ? 202 : 201).send(given);
    },
  );

  server.put(
    '/api/v1/refund_requests/:id/decline',
    call({ who: 'platform-admin' }, 'Decline a requested refund', {
      params: idParams,
      body: contract.declineRefundBody,
      response: { 200: contract.requestAnswer },
    }),
    async (request) => refunds.decline(request.caller, request.params.id, request.body.note),
  );
});

const ORDERS_READ = { who: 'session', scope: 'orders:read' } as const;

/** `GET /api/v1/affiliates/{id}/orders`: the orders of an organization, for its members; `.csv` the same as a file. */
export const orderListRoutes = privateRoutes((server, lists: Pick<RefundLists, 'answer' | 'csv'>) => {
  server.get(
    '/api/v1/affiliates/:id/orders',
    call(ORDERS_READ, 'Orders of an organization, newest first', {
      params: idParams,
      querystring: contract.ordersQuery,
      response: { 200: contract.ordersPage },
    }),
    async (request) => lists.answer(request.caller, request.params.id, request.query),
  );

  server.get(
    '/api/v1/affiliates/:id/orders.csv',
    {
      exposeHeadRoute: false,
      config: { access: ORDERS_READ },
      schema: {
        summary: 'Orders of an organization as CSV, streamed',
        params: idParams,
        querystring: contract.ordersFilter,
      },
    },
    async (request, reply) => {
      const text = await lists.csv(request.caller, request.params.id, request.query);
      return sendCsv(reply, 'orders', text);
    },
  );
});

/** Stripe's events carry whole objects; their signature is checked before anything is parsed. */
const EVENT_BYTES = 1_048_576;

/** `POST /api/v1/webhooks/stripe`: signed by the provider over the very bytes of the body. */
export const providerEventRoutes = routes((server, events: Pick<ProviderEventService, 'receive'>) => {
  // The signature covers the raw bytes: nothing may parse them before it is checked.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: string | Buffer) => body);

  server.post(
    '/api/v1/webhooks/stripe',
    {
      config: {
        access: {
          who: 'anyone',
          why: 'the provider signs each event over its raw body, at most five minutes ago',
          ignoresSession: true,
        },
      },
      bodyLimit: EVENT_BYTES,
      schema: { summary: 'Events of the card provider', response: { 200: z.object({ received: z.literal(true) }) } },
    },
    async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await events.receive(body, typeof signature === 'string' ? signature : undefined);
      return reply.code(200).send({ received: true });
    },
  );
});
