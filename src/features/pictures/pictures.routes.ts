import * as z from 'zod/mini';
import { photoAnswer, pictureQuery } from '#src/features/photos/photos.contract.ts';
import { markPreviewQuery, markProgress, rotateBody } from '#src/features/pictures/pictures.contract.ts';
import type { PictureService } from '#src/features/pictures/pictures.service.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { CDN_PICTURES, lastingAddress } from '#src/shared/cdn-addresses.ts';
import { RENDITION_SIZES, type RenditionSize } from '#src/shared/picture-sizes.ts';
import { idParams, idSchema, photoParams } from '#src/shared/validators.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Picture } from '#src/features/pictures/picture-bytes.service.ts';
import { call, MEMBERS, privateRoutes, routes } from '#src/http/call.ts';
import { hasVersion } from '#src/http/etag.ts';
import { sendDownload } from '#src/http/send-download.ts';

/** `POST …/gallery_photos/{photoId}/rotate`; `GET /api/v1/affiliates/{id}/watermark_preview` and `…/watermark_progress`. */
export const pictureEditRoutes = privateRoutes(
  (server, pictures: Pick<PictureService, 'rotate' | 'previewMark' | 'markProgress'>) => {
    server.post(
      '/api/v1/galleries/:id/gallery_photos/:photoId/rotate',
      call({ ...MEMBERS, scope: 'photos:write' }, 'Rotate a photo clockwise, by one quarter turn or more', {
        params: photoParams,
        body: rotateBody,
        response: { 200: photoAnswer },
      }),
      async (request) =>
        pictures.rotate(request.caller, request.params.id, request.params.photoId, request.body?.turns),
    );

    server.get(
      '/api/v1/affiliates/:id/watermark_preview',
      call(MEMBERS, 'Preview of a photo with the watermark', {
        params: idParams,
        querystring: markPreviewQuery,
      }),
      async (request, reply) => {
        const picture = await pictures.previewMark(request.caller, request.params.id, request.query);
        return reply.type('image/jpeg').header('cache-control', 'private, no-store').send(picture);
      },
    );

    server.get(
      '/api/v1/affiliates/:id/watermark_progress',
      call(MEMBERS, 'How many photos have the current watermark', {
        params: idParams,
        response: { 200: markProgress },
      }),
      async (request) => pictures.markProgress(request.caller, request.params.id),
    );
  },
);

const BY_PIXEL_RIGHTS = {
  who: 'anyone',
  why: 'one function decides which pixels the caller may see (rule 2)',
  scope: 'galleries:read',
} as const;

/** `GET` and `HEAD /api/v1/galleries/{id}/gallery_photos/{photoId}`: the bytes. */
export const pictureRoutes = routes((server, pictures: Pick<PictureService, 'bytesFor'>) => {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/api/v1/galleries/:id/gallery_photos/:photoId',
    exposeHeadRoute: false,
    config: { access: BY_PIXEL_RIGHTS },
    schema: {
      summary: 'The picture of a photo, or its download',
      params: photoParams,
      querystring: pictureQuery,
    },
    handler: async (request, reply) => {
      const { id, photoId } = request.params;
      const { size, adminview, download, orderkey, own, v } = request.query;
      const picture = await pictures.bytesFor(request.caller, {
        galleryId: id,
        photoId,
        size,
        adminview: isOn(adminview),
        download: isOn(download),
        orderKey: orderkey || null,
        own: own || null,
        version: v,
      });
      return sendPicture(request, reply, picture);
    },
  });
});

const isOn = (flag: string | undefined) => flag === 'true' || flag === '1';

const BY_SIGNED_ADDRESS = {
  who: 'anyone',
  why: 'the address is signed, and opens only what every visitor may see',
  ignoresSession: true,
  onAnyHost: true,
} as const;
const FILES = RENDITION_SIZES.map((size) => `${size}.jpg` as const);

/**
 * `GET` and `HEAD /api/v1/pictures/…`, for the CDN. Browsers whose page has been open for longer than its addresses are valid
 * are redirected to our own address, where rights are checked again.
 */
export const cdnPictureRoutes = routes(
  (server, pictures: Pick<PictureService, 'publicPicture'>, origin: SiteOrigin) => {
    server.route({
      method: ['GET', 'HEAD'],
      url: `${CDN_PICTURES}/:id/:photoId/:version/:seal/:file`,
      exposeHeadRoute: false,
      config: { access: BY_SIGNED_ADDRESS },
      schema: {
        summary: 'A picture that every visitor may see, for a CDN',
        params: z.object({
          id: idSchema,
          photoId: idSchema,
          version: z.string(),
          seal: z.string(),
          file: z.enum(FILES),
        }),
      },
      handler: async (request, reply) => {
        const { id: galleryId, photoId, version, seal, file } = request.params;
        const size = Number.parseInt(file) as RenditionSize;
        const found = await pictures.publicPicture({ galleryId, photoId, version, seal, size });
        if (!found) {
          const address = siteUrl(origin, 'www', `${lastingAddress(request.url)}&size=${size}`);
          return reply.header('cache-control', 'no-store').redirect(address);
        }
        const { picture, tags } = found;
        reply.headers({ 'cache-tag': tags.join(','), 'cdn-tag': tags.join(','), 'surrogate-key': tags.join(' ') });
        return sendPicture(request, reply, picture, 'cross-origin');
      },
    });
  },
);

/** `shownOn`: whose pages may show it. */
async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  picture: Picture,
  shownOn: 'same-site' | 'cross-origin' = 'same-site',
): Promise<FastifyReply> {
  reply
    .header('etag', picture.etag)
    .header('cache-control', picture.cacheControl)
    .header('cross-origin-resource-policy', shownOn);
  if (hasVersion(request, picture.etag)) return reply.code(304).send();
  reply.type(picture.contentType);
  if (picture.disposition === null) {
    reply.header('content-length', picture.bytes);
    return reply.send(request.method === 'HEAD' ? undefined : await picture.open());
  }
  return sendDownload(request, reply, { ...picture, disposition: picture.disposition });
}
