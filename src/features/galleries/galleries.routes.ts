import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import {
  galleryAnswer,
  galleryChangesBody,
  madeGallery,
  newGalleryBody,
  unlockBody,
} from '#src/features/galleries/galleries.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { deletedGalleryRoutes } from '#src/features/galleries/deleted-galleries.routes.ts';
import { galleryEventRoutes } from '#src/features/galleries/gallery-events.routes.ts';
import { unlockRoutes } from '#src/features/galleries/unlock.routes.ts';
import { setUnlockCookie } from '#src/http/cookies.ts';
import { idSchema } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session' } as const;
const ofGallery = z.object({ id: idSchema });

/** Galleries themselves: making, changing, deleting, unlocking, following; their photos are the photos module's. */
export function galleryRoutes(galleries: GalleryService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));
    await server.register(galleryEventRoutes(galleries));
    await server.register(unlockRoutes(galleries));
    await server.register(deletedGalleryRoutes(galleries));

    server.post(
      '/api/v1/galleries/',
      {
        config: { access: MEMBERS },
        schema: { summary: 'Make a gallery', body: newGalleryBody, response: { 200: madeGallery, 201: madeGallery } },
      },
      async (request, reply) => {
        const { gallery: input, client_key: clientKey } = request.body;
        const { gallery, isNew } = await galleries.createOnce(request.caller, input, clientKey ?? null);
        return reply.code(isNew ? 201 : 200).send({ ...gallery, gallery_photo: [] });
      },
    );

    server.put(
      '/api/v1/galleries/:id',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Change a gallery',
          params: ofGallery,
          body: galleryChangesBody,
          response: { 200: z.array(galleryAnswer) },
        },
      },
      async (request) => {
        const { gallery, seen } = request.body;
        return [await galleries.change(request.caller, request.params.id, gallery, seen)];
      },
    );

    server.post(
      '/api/v1/galleries/:id/inactive',
      {
        config: { access: MEMBERS },
        schema: { summary: 'Delete a gallery', params: ofGallery, response: { 200: z.array(galleryAnswer) } },
      },
      async (request) => [await galleries.deactivate(request.caller, request.params.id)],
    );

    server.post(
      '/api/v1/galleries/:id/unlock',
      {
        config: { access: { who: 'anyone', why: 'the gallery’s password is the key; tries are counted' } },
        schema: {
          summary: 'Enter a gallery’s password',
          params: ofGallery,
          body: unlockBody,
          response: { 200: z.object({ unlocked: z.literal(true) }) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const proof = await galleries.unlock(request.caller, id, request.body);
        if (proof !== null) setUnlockCookie(request, reply, id, proof);
        return { unlocked: true as const };
      },
    );
  };
}
