import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#src/features/families/families.contract.ts';
import type { FamilyService, RefusalService } from '#src/features/families/families.service.ts';
import { call, routes } from '#src/http/call.ts';

/** Stores these cards in the browser's cookie. */
export type KeepCards = (request: FastifyRequest, reply: FastifyReply, cards: readonly Buffer[]) => void;

const BY_COOKIE = { who: 'anyone', why: 'the signed cookie of the family says which children it may see' } as const;
const NO_CONTENT = 204;

/** `/api/v1/family…`: opening a card, and forgetting a child. */
export const familyRoutes = routes(
  (server, families: Pick<FamilyService, 'open' | 'forget'> & RefusalService, keep: KeepCards) => {
    server.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });
    });

    server.post(
      '/api/v1/family',
      call(
        { who: 'anyone', why: 'the code of a card is the key; wrong ones are limited' },
        'Open the page of a child with the code or the QR code of its card; sets the cookie `family`',
        { body: contract.openFamilyBody, response: { 200: contract.familyAnswer } },
        { code: 'K7M3P-9QX2T' },
      ),
      async (request, reply) => {
        const { child, cards } = await families.open(request.caller, request.site.label, request.body);
        keep(request, reply, cards);
        return { child };
      },
    );

    server.delete(
      '/api/v1/family',
      call(BY_COOKIE, 'Make this browser forget all children'),
      async (request, reply) => {
        keep(request, reply, []);
        return reply.code(NO_CONTENT).send();
      },
    );

    server.delete(
      '/api/v1/family/:child',
      call(BY_COOKIE, 'Make this browser forget a child', { params: contract.childParams }),
      async (request, reply) => {
        keep(request, reply, await families.forget(request.caller, request.params.child));
        return reply.code(NO_CONTENT).send();
      },
    );

    server.post(
      '/api/v1/family/:child/not_mine',
      call(BY_COOKIE, 'Report that this is not your child: the card stops working, and the team is notified', {
        params: contract.childParams,
        response: { 200: contract.notMineAnswer },
      }),
      async (request, reply) => {
        keep(request, reply, await families.refuse(request.caller, request.params.child));
        return { message: contract.NOT_MY_CHILD_DONE };
      },
    );
  },
);
