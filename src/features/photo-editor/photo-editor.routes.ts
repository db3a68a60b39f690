import * as z from 'zod/mini';
import type { Move } from '#src/features/photo-editor/ordering.service.ts';
import * as contract from '#src/features/photo-editor/photo-editor.contract.ts';
import * as grid from '#src/features/photos/photo-grid.contract.ts';
import {
  addKeywordsBody,
  DELETE_KEYWORD_FAILED,
  keywordsAnswer,
  photoAnswer,
  photoChangesBody,
} from '#src/features/photos/photos.contract.ts';
import type { PhotoEditorService } from '#src/features/photo-editor/photo-editor.service.ts';
import { call, noContent, privateRoutes, type Server } from '#src/http/call.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { idParams, photoParams } from '#src/shared/validators.ts';

const READERS = { who: 'session', scope: 'galleries:read' } as const;
const MEMBERS = { who: 'session', scope: 'photos:write' } as const;

/** What members do to the photos of a gallery: changes of one and of many, keywords, order, and the grid's data. */
export const photoEditorRoutes = privateRoutes((server, photos: PhotoEditorService) => {
  gridRoutes(server, photos);
  manyPhotosRoutes(server, photos);
  movingRoutes(server, photos);
  onePhotoRoutes(server, photos);
  keywordRoutes(server, photos);
});

/** The grid's layout and data, and moving photos. */
function gridRoutes(server: Server, photos: PhotoEditorService): void {
  server.get(
    '/api/v1/galleries/:id/photo_layout',
    call(READERS, 'Order and proportions of a gallery’s photos, in a compact form', {
      params: idParams,
      querystring: grid.layoutQuery,
      response: { 200: grid.photoLayout },
    }),
    async (request) => photos.layout(request.caller, request.params.id, request.query),
  );

  server.get(
    '/api/v1/galleries/:id/photo_facts',
    call(READERS, 'Up to 100 photos of a gallery by their ids', {
      params: idParams,
      querystring: grid.factsQuery,
      response: { 200: grid.photoFacts },
    }),
    async (request) => ({ photos: await photos.facts(request.caller, request.params.id, request.query.ids) }),
  );

  server.post(
    '/api/v1/galleries/:id/update_ordering',
    call(MEMBERS, 'Move a photo to another position (counted from 0), or after another photo', {
      params: idParams,
      querystring: contract.orderingQuery,
      response: { 200: contract.orderingAnswer },
    }),
    async (request) => ({
      photo_ids: await photos.move(request.caller, request.params.id, readMove(request.query)),
    }),
  );
}

function manyPhotosRoutes(server: Server, photos: PhotoEditorService): void {
  server.put(
    '/api/v1/galleries/:id/gallery_photos',
    call(
      MEMBERS,
      'Change visibility, price and keywords of many photos',
      { params: idParams, body: contract.bulkChangesBody, response: { 200: contract.bulkChangesAnswer } },
      { ids: [42, 43], photo: { show_in_gallery: true } },
    ),
    async (request) => ({ updated: await photos.changeMany(request.caller, request.params.id, request.body) }),
  );

  server.post(
    '/api/v1/galleries/:id/gallery_photos/remove',
    call(MEMBERS, 'Remove many photos', {
      params: idParams,
      body: contract.bulkRemovalBody,
      response: { 200: contract.bulkRemovalAnswer },
    }),
    async (request) => ({
      removed: await photos.removeMany(request.caller, request.params.id, request.body.ids),
    }),
  );
}

function movingRoutes(server: Server, photos: PhotoEditorService): void {
  server.get(
    '/api/v1/galleries/:id/other_galleries',
    call(READERS, 'Other galleries of the same organization, to move photos to', {
      params: idParams,
      querystring: contract.otherGalleriesQuery,
      response: { 200: contract.otherGalleriesAnswer },
    }),
    async (request) => photos.otherGalleries(request.caller, request.params.id, request.query.q),
  );

  server.post(
    '/api/v1/galleries/:id/gallery_photos/move',
    call(
      MEMBERS,
      'Move photos to another gallery of the same organization',
      { params: idParams, body: contract.moveBody, response: { 200: contract.moveAnswer } },
      { ids: [42, 43], gallery_id: 7 },
    ),
    async (request) => photos.moveTo(request.caller, request.params.id, request.body),
  );
}

function onePhotoRoutes(server: Server, photos: PhotoEditorService): void {
  server.put(
    '/api/v1/galleries/:id/gallery_photos/:photoId',
    call(MEMBERS, 'Change visibility, feature, price and name of a photo', {
      params: photoParams,
      body: photoChangesBody,
      response: { 200: photoAnswer },
    }),
    async (request) => photos.change(request.caller, request.params.id, request.params.photoId, request.body.photo),
  );

  server.delete(
    '/api/v1/galleries/:id/gallery_photos/:photoId',
    call(MEMBERS, 'Remove a photo', { params: photoParams }),
    async (request, reply) =>
      noContent(reply, photos.remove(request.caller, request.params.id, request.params.photoId)),
  );
}

function keywordRoutes(server: Server, photos: PhotoEditorService): void {
  server.post(
    '/api/v1/galleries/:id/add_keywords',
    call(MEMBERS, 'Add keywords to a photo', {
      params: idParams,
      body: addKeywordsBody,
      response: { 200: keywordsAnswer },
    }),
    async (request) => {
      const { photo } = request.body;
      return { keywords: await photos.addKeywords(request.caller, request.params.id, photo.id, photo.keywords) };
    },
  );

  server.delete(
    '/api/v1/galleries/:id/delete_keyword',
    call(MEMBERS, 'Remove a keyword from a photo', {
      params: idParams,
      querystring: z.object({ photo_id: z.optional(z.string()), keyword_id: z.optional(z.string()) }),
    }),
    async (request, reply) => {
      const [photoId, keywordId] = [readId(request.query.photo_id), readId(request.query.keyword_id)];
      if (photoId === null || keywordId === null) throw notFound(DELETE_KEYWORD_FAILED);
      await photos.deleteKeyword(request.caller, request.params.id, { photoId, keywordId });
      return reply.code(204).send();
    },
  );
}

/** With `photo_id` and `after_id` positions do not matter: they identify the photos. */
function readMove(query: z.infer<typeof contract.orderingQuery>): Move {
  if (query.photo_id !== undefined || query.after_id !== undefined) {
    const [photoId, afterId] = [readId(query.photo_id), readId(query.after_id)];
    const errors = {
      ...(photoId === null && { photo_id: [contract.PHOTO_IS_GONE] }),
      ...(afterId === null && { after_id: [contract.PHOTO_IS_GONE] }),
    };
    if (photoId === null || afterId === null) throw problem('invalid', contract.PHOTO_IS_GONE, { errors });
    return { photoId, afterId };
  }
  const [from, to] = [readPlace(query.from), readPlace(query.to)];
  const errors = {
    ...(from === null && { from: [contract.PLACE_EXPECTED] }),
    ...(to === null && { to: [contract.PLACE_EXPECTED] }),
  };
  if (from === null || to === null) throw problem('invalid', contract.PLACE_EXPECTED, { errors });
  return { from, to };
}

function readPlace(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
