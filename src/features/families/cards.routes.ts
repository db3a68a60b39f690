import * as contract from '#src/features/families/cards.contract.ts';
import type { CardPrinting } from '#src/features/families/card-print.service.ts';
import type { CardService } from '#src/features/families/cards.service.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { sendPdf } from '#src/http/send-download.ts';
import { idParams } from '#src/shared/validators.ts';

/** Cards of athletes, for members. */
export const cardRoutes = privateRoutes((server, cards: CardService, printing: CardPrinting) => {
  server.get(
    '/api/v1/athletes/:id/cards',
    call(MEMBERS, 'Valid cards of an athlete, for members', {
      params: idParams,
      response: { 200: contract.cardsAnswer },
    }),
    async (request) => cards.list(request.caller, request.params.id),
  );

  server.post(
    '/api/v1/athletes/:id/cards',
    call(MEMBERS, 'Create a new card of an athlete, which revokes the old one, or assign a blank card', {
      params: idParams,
      body: contract.newCardBody,
      response: { 201: contract.cardsAnswer },
    }),
    async (request, reply) => reply.code(201).send(await cards.make(request.caller, request.params.id, request.body)),
  );

  server.get(
    '/api/v1/teams/:id/cards.pdf',
    {
      exposeHeadRoute: false,
      ...call(MEMBERS, 'Cards of a team to print (PDF); athletes without a card get one', {
        params: idParams,
        querystring: contract.printQuery,
      }),
    },
    async (request, reply) => {
      const { layout } = request.query;
      const pdf = await printing.print(request.caller, request.params.id, request.query);
      return sendPdf(reply, `cards-${layout}`, pdf);
    },
  );
});
