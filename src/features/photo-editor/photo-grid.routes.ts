import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { Move } from '#src/features/photo-editor/ordering.service.ts';
import {
  bulkChangesAnswer,
  bulkChangesBody,
  bulkRemovalAnswer,
  bulkRemovalBody,
  factsQuery,
  layoutQuery,
  orderingAnswer,
  orderingQuery,
  photoFacts,
  photoLayout,
  PHOTO_IS_GONE,
  PLACE_EXPECTED,
} from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { problem } from '#src/shared/problem.ts';
import { idSchema, readId } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session' } as const;
const ofGallery = z.object({ id: idSchema });

/** What the editor's grid asks beside the list of photos: order, places, and changes of many. */
export function gridRoutes(photos: PhotoService): FastifyPluginAsyncZod {
  return async (server) => {
    server.get(
      '/api/v1/galleries/:id/photo_layout',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'The order and shapes of a gallery’s photos, in few words',
          params: ofGallery,
          querystring: layoutQuery,
          response: { 200: photoLayout },
        },
      },
      async (request) => photos.layout(request.caller, request.params.id, request.query),
    );

    server.get(
      '/api/v1/galleries/:id/photo_facts',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Up to 100 photos of a gallery by their ids',
          params: ofGallery,
          querystring: factsQuery,
          response: { 200: photoFacts },
        },
      },
      async (request) => ({ photos: await photos.facts(request.caller, request.params.id, request.query.ids) }),
    );

    server.post(
      '/api/v1/galleries/:id/update_ordering',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Move a photo from one place to another (from 0), or behind another photo',
          params: ofGallery,
          querystring: orderingQuery,
          response: { 200: orderingAnswer },
        },
      },
      async (request) => ({
        photo_ids: await photos.move(request.caller, request.params.id, readMove(request.query)),
      }),
    );

    server.put(
      '/api/v1/galleries/:id/gallery_photos',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Show, hide, price or give keywords to many photos',
          params: ofGallery,
          body: bulkChangesBody,
          response: { 200: bulkChangesAnswer },
        },
      },
      async (request) => ({ updated: await photos.changeMany(request.caller, request.params.id, request.body) }),
    );

    server.post(
      '/api/v1/galleries/:id/gallery_photos/remove',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Remove many photos',
          params: ofGallery,
          body: bulkRemovalBody,
          response: { 200: bulkRemovalAnswer },
        },
      },
      async (request) => ({
        removed: await photos.removeMany(request.caller, request.params.id, request.body.ids),
      }),
    );
  };
}

/** With `photo_id` and `after_id` the places do not matter: they mean these photos, wherever they stand by now. */
function readMove(query: z.infer<typeof orderingQuery>): Move {
  if (query.photo_id !== undefined || query.after_id !== undefined) {
    const [photoId, afterId] = [readId(query.photo_id), readId(query.after_id)];
    const errors = {
      ...(photoId === null && { photo_id: [PHOTO_IS_GONE] }),
      ...(afterId === null && { after_id: [PHOTO_IS_GONE] }),
    };
    if (photoId === null || afterId === null) throw problem('invalid', PHOTO_IS_GONE, { errors });
    return { photoId, afterId };
  }
  const [from, to] = [readPlace(query.from), readPlace(query.to)];
  const errors = {
    ...(from === null && { from: [PLACE_EXPECTED] }),
    ...(to === null && { to: [PLACE_EXPECTED] }),
  };
  if (from === null || to === null) throw problem('invalid', PLACE_EXPECTED, { errors });
  return { from, to };
}

function readPlace(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
