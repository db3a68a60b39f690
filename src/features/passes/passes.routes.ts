import * as z from 'zod/mini';
import type { NumberOfferService } from '#src/features/passes/number-offers.service.ts';
import * as contract from '#src/features/passes/passes.contract.ts';
import type { PassService } from '#src/features/passes/passes.service.ts';
import { call, routes, SECRET_ADDRESS } from '#src/http/call.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

/** `GET /api/v1/orders/{vanity_id}/passes/{passId}/photos`, and what a search by number offers. */
export const passRoutes = routes((server, passes: Pick<PassService, 'photos'>, offers: NumberOfferService) => {
  server.get(
    '/api/v1/orders/:id/passes/:passId/photos',
    call(
      { who: 'anyone', why: 'the vanity id is the key; the right to each photo is checked' },
      'The photos of a pass that was bought, newest first',
      {
        params: z.object({ id: z.string(), passId: idSchema }),
        querystring: contract.passPhotosQuery,
        response: { 200: contract.passPhotosAnswer },
      },
    ),
    async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', ...SECRET_ADDRESS });
      const { id: vanityId, passId } = request.params;
      return passes.photos({ vanityId, passId }, request.query);
    },
  );

  server.get(
    '/api/v1/galleries/:id/number_offers',
    call(
      { who: 'anyone', why: 'public facts of a gallery that the caller may see' },
      'Teams whose number may be watched, and its athlete pass, where everyone may search numbers',
      {
        params: idParams,
        querystring: contract.numberOffersQuery,
        response: { 200: contract.numberOffersAnswer },
      },
    ),
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return offers.ofNumber(request.caller, request.params.id, request.query);
    },
  );
});
