import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { WebhookService } from '#src/features/refunds/webhooks.service.ts';

/** Stripe's events carry whole objects; the signature over them is checked before anything is parsed. */
const EVENT_BYTES = 1_048_576;

/** `POST /api/v1/webhooks/stripe`: signed by the provider over the very bytes of the body. */
export function webhookRoutes(webhooks: Pick<WebhookService, 'hear'>): FastifyPluginAsyncZod {
  return async (server) => {
    // The signature is over the bytes as they came: nothing may read them before it is checked.
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
        schema: { summary: 'Events of the card provider' },
      },
      async (request, reply) => {
        const signature = request.headers['stripe-signature'];
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await webhooks.hear(body, typeof signature === 'string' ? signature : undefined);
        return reply.code(200).send({ received: true });
      },
    );
  };
}
