import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { MarketingService } from '#src/features/marketing/marketing.service.ts';
import {
  EXPERT_BODY_BYTES,
  EXPERT_THANKS,
  talkToExpertAnswer,
  talkToExpertBody,
} from '#src/features/marketing/talk-to-expert.contract.ts';

/** `POST /api/v1/talk-to-expert/`, with or without its last slash. */
export function marketingRoutes(marketing: MarketingService): FastifyPluginAsyncZod {
  return async (server) => {
    for (const url of ['/api/v1/talk-to-expert/', '/api/v1/talk-to-expert']) {
      server.post(
        url,
        {
          config: { access: { who: 'anyone', why: 'people ask before they have an account' } },
          bodyLimit: EXPERT_BODY_BYTES,
          schema: {
            summary: 'Ask an expert; the question is stored and emailed',
            body: talkToExpertBody,
            response: { 200: talkToExpertAnswer },
          },
        },
        async (request) => {
          await marketing.askExpert(request.caller, request.site.label, request.body.user);
          return { message: EXPERT_THANKS };
        },
      );
    }
  };
}
