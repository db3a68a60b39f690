import { photoAnswer } from '#src/features/photos/photos.contract.ts';
import type { SettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import type { UploadService } from '#src/features/uploads/uploads.service.ts';
import { policyAnswer } from '#src/shared/upload-policy.ts';
import {
  claimBody,
  knownPhotosAnswer,
  knownPhotosBody,
  policyBody,
  policyQuery,
} from '#src/features/uploads/uploads.contract.ts';
import { call, privateRoutes } from '#src/http/call.ts';
import { originOf } from '#src/http/site.ts';
import { idParams } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session', scope: 'photos:write' } as const;

/** `POST /api/v1/policy`, `POST /api/v1/galleries/{id}/gallery_photos` and `…/known`. */
export const uploadRoutes = privateRoutes(
  (
    server,
    uploads: Pick<UploadService, 'requestPolicy' | 'claim' | 'knownPhotos'>,
    settingsPictures: Pick<SettingsPictures, 'requestPolicy'>,
  ) => {
    server.post(
      '/api/v1/policy',
      call({ who: 'session-or-contributor', scope: 'photos:write' }, 'Sign a form for the upload of one file', {
        querystring: policyQuery,
        body: policyBody,
        response: { 200: policyAnswer },
      }),
      async (request) => {
        const { query, body } = request;
        const origin = originOf(request);
        if (query.settings_page !== 'true' && body.kind === undefined)
          return uploads.requestPolicy(request.caller, { galleryId: query.gallery_id ?? null, body, origin });
        return settingsPictures.requestPolicy(request.caller, {
          organizationId: body.affiliate_id ?? null,
          kind: body.kind ?? null,
          filename: body.filename,
          origin,
        });
      },
    );

    server.post(
      '/api/v1/galleries/:id/gallery_photos',
      call(
        MEMBERS,
        'Create a photo from an upload',
        { params: idParams, body: claimBody, response: { 201: photoAnswer } },
        { photo: { key: 'uploads/3/42/0f1e2d3c4b5a69788796a5b4c3d2e1f0.jpg', name: 'IMG_0042.jpg' } },
      ),
      async (request, reply) => {
        const photo = await uploads.claim(request.caller, request.params.id, request.body.photo);
        return reply.code(201).send(photo);
      },
    );

    server.post(
      '/api/v1/galleries/:id/gallery_photos/known',
      call(MEMBERS, 'Which of these files are already in the gallery', {
        params: idParams,
        body: knownPhotosBody,
        response: { 200: knownPhotosAnswer },
      }),
      async (request) => ({
        known: await uploads.knownPhotos(request.caller, request.params.id, request.body.sha256),
      }),
    );
  },
);
