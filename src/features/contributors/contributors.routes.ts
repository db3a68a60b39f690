import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  checkKeyAnswer,
  contributionAnswer,
  contributionBody,
} from '#src/features/contributors/contributors.contract.ts';
import type { ContributorService } from '#src/features/contributors/contributors.service.ts';

const BY_KEY = { who: 'anyone', why: 'the contribute key opens it, and only uploads made with it are taken' } as const;

/** `GET /api/v1/check-key` and `POST /api/v1/contributor`. */
export function contributorRoutes(contributors: ContributorService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook(
      'onRequest',
      async (_request, reply) =>
        void reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer'),
    );

    server.get(
      '/api/v1/check-key',
      {
        config: { access: BY_KEY },
        schema: {
          summary: 'What a contribute key opens',
          querystring: z.object({ contributeKey: z.optional(z.string()) }),
          response: { 200: checkKeyAnswer },
        },
      },
      async (request) => contributors.checkKey(request.caller, request.query.contributeKey ?? ''),
    );

    server.post(
      '/api/v1/contributor',
      {
        config: { access: BY_KEY },
        schema: {
          summary: 'Hand over photos by a contribute key',
          body: contributionBody,
          response: { 200: contributionAnswer },
        },
      },
      async (request) => ({ accepted: await contributors.contribute(request.caller, request.body) }),
    );
  };
}
