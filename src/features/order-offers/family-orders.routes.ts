import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as contract from '#src/features/order-offers/family-orders.contract.ts';
import type { FamilyOrderService } from '#src/features/order-offers/family-orders.service.ts';
import { call, MEMBERS } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

/** A club decides which orders are from a child's own family. */
export function familyOrderRoutes(orders: FamilyOrderService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    server.get(
      '/api/v1/athletes/:id/orders',
      call(MEMBERS, 'Orders that count as from an athlete’s family, without their buyers', {
        params: idParams,
        response: { 200: contract.familyOrders },
      }),
      async (request) => orders.list(request.caller, request.params.id),
    );

    server.put(
      '/api/v1/athletes/:id/orders/:orderId',
      call(
        MEMBERS,
        'Set whether an order is from an athlete’s family',
        { params: contract.orderParams, body: contract.ofFamilyBody, response: { 200: contract.familyOrders } },
        { of_family: false },
      ),
      async ({ caller, params, body }) =>
        orders.setFamilyOrder(caller, { athleteId: params.id, orderId: params.orderId }, body.of_family),
    );
  };
}
