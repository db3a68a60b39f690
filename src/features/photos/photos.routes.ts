import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { opinionRoutes, type NewVisitor } from '#src/features/photos/opinions.routes.ts';
import {
  addKeywordsBody,
  DELETE_KEYWORD_FAILED,
  fullGallery,
  keywordsAnswer,
  photoAnswer,
  photoChangesBody,
  photosPage,
} from '#src/features/photos/photos.contract.ts';
import { gridRoutes } from '#src/features/photo-editor/photo-grid.routes.ts';
import { shownPhotosQuery } from '#src/features/photos/photo-grid.contract.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { pictureRoutes } from '#src/features/pictures/pictures.routes.ts';
import { pixelRoutes } from '#src/features/pictures/pixels.routes.ts';
import type { SettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import { uploadRoutes } from '#src/features/uploads/uploads.routes.ts';
import { notFound } from '#src/shared/problem.ts';
import { idSchema, readId } from '#src/shared/validators.ts';

const VISIBLE = { who: 'anyone', why: 'visitors see public photos of open galleries, members all of theirs' } as const;
const MEMBERS = { who: 'session' } as const;
const ofGallery = z.object({ id: idSchema });
const ofPhoto = z.object({ id: idSchema, photoId: idSchema });

/** Everything below `/api/v1/galleries/{id}` that is about photos, and `POST /api/v1/policy`. */
export function photoRoutes(
  photos: PhotoService,
  {
    newVisitor,
    settingsPictures,
  }: { newVisitor: NewVisitor; settingsPictures: Pick<SettingsPictures, 'requestPolicy'> },
): FastifyPluginAsyncZod {
  return async (server) => {
    await server.register(pictureRoutes(photos));
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));
    await server.register(gridRoutes(photos));
    await server.register(pixelRoutes(photos));
    await server.register(uploadRoutes(photos, settingsPictures));
    await server.register(opinionRoutes(photos, newVisitor));

    server.get(
      '/api/v1/galleries/:id/full',
      {
        config: { access: VISIBLE },
        schema: {
          summary: 'A gallery with all photos that the caller may see',
          params: ofGallery,
          response: { 200: z.array(fullGallery) },
        },
      },
      async (request) => [await photos.full(request.caller, request.params.id)],
    );

    server.get(
      '/api/v1/galleries/:id/gallery_photos',
      {
        config: { access: VISIBLE },
        schema: {
          summary: 'Photos of a gallery, page by page',
          params: ofGallery,
          querystring: shownPhotosQuery,
          response: { 200: photosPage },
        },
      },
      async (request) => photos.page(request.caller, request.params.id, request.query),
    );

    server.put(
      '/api/v1/galleries/:id/gallery_photos/:photoId',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Show, hide, feature, price or name a photo',
          params: ofPhoto,
          body: photoChangesBody,
          response: { 200: photoAnswer },
        },
      },
      async (request) => photos.change(request.caller, request.params.id, request.params.photoId, request.body.photo),
    );

    server.delete(
      '/api/v1/galleries/:id/gallery_photos/:photoId',
      { config: { access: MEMBERS }, schema: { summary: 'Remove a photo', params: ofPhoto } },
      async (request, reply) => {
        await photos.remove(request.caller, request.params.id, request.params.photoId);
        return reply.code(204).send();
      },
    );

    server.post(
      '/api/v1/galleries/:id/add_keywords',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Give a photo keywords',
          params: ofGallery,
          body: addKeywordsBody,
          response: { 200: keywordsAnswer },
        },
      },
      async (request) => {
        const { photo } = request.body;
        return { keywords: await photos.addKeywords(request.caller, request.params.id, photo.id, photo.keywords) };
      },
    );

    server.delete(
      '/api/v1/galleries/:id/delete_keyword',
      {
        config: { access: MEMBERS },
        schema: {
          summary: 'Take a keyword from a photo',
          params: ofGallery,
          querystring: z.object({ photo_id: z.optional(z.string()), keyword_id: z.optional(z.string()) }),
        },
      },
      async (request, reply) => {
        const [photoId, keywordId] = [readId(request.query.photo_id), readId(request.query.keyword_id)];
        if (photoId === null || keywordId === null) throw notFound(DELETE_KEYWORD_FAILED);
        await photos.deleteKeyword(request.caller, request.params.id, { photoId, keywordId });
        return reply.code(204).send();
      },
    );
  };
}
