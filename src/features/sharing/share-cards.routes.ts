import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { ShareCard, ShareCardService } from '#src/features/sharing/share-cards.service.ts';
import { call, routes } from '#src/http/call.ts';
import { hasVersion } from '#src/http/etag.ts';
import { readId } from '#src/shared/read-id.ts';

const access = { who: 'anyone', why: 'made of what everyone may see (rule 2); neutral for everything else' } as const;
/** Minutes, because a photo may have to be removed permanently (takedown). */
const KEPT = { neutral: 'public, max-age=300', made: 'public, max-age=600' } as const;

/** `GET /api/v1/share_cards/…`: preview images for shared links, 1200 × 630. Invalid ids get the neutral card. */
export const shareCardRoutes = routes((server, cards: ShareCardService) => {
  server.get(
    '/api/v1/share_cards/galleries/:id',
    call(access, 'The preview image of a shared link to a gallery or one of its photos', {
      params: z.object({ id: z.string() }),
      querystring: z.object({ photo: z.optional(z.string()), v: z.optional(z.string()) }),
    }),
    async (request, reply) => {
      const { photo } = request.query;
      // An invalid id belongs to no gallery.
      const photoId = photo === undefined ? null : (readId(photo) ?? 0);
      return sendCard(request, reply, await cards.ofGallery(readId(request.params.id) ?? 0, photoId));
    },
  );

  server.get(
    '/api/v1/share_cards/organizations/:id',
    call(access, 'The preview image of a shared link to an organization’s home page', {
      params: z.object({ id: z.string() }),
      querystring: z.object({ v: z.optional(z.string()), only: z.optional(z.string()) }),
    }),
    async (request, reply) => {
      const withPhoto = request.query.only !== 'name';
      return sendCard(request, reply, await cards.ofOrganization(readId(request.params.id) ?? 0, withPhoto));
    },
  );
});

async function sendCard(request: FastifyRequest, reply: FastifyReply, card: ShareCard): Promise<FastifyReply> {
  reply
    .header('etag', card.etag)
    .header('cache-control', card.isNeutral ? KEPT.neutral : KEPT.made)
    .header('cross-origin-resource-policy', 'cross-origin');
  if (hasVersion(request, card.etag)) return reply.code(304).send();
  return reply.type('image/jpeg').send(await card.bytes());
}
