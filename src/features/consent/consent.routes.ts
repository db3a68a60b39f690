import type { ConsentOffice } from '#src/features/consent/consent-office.service.ts';
import * as contract from '#src/features/consent/consent.contract.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams, photoParams } from '#src/shared/validators.ts';

/** These calls are about children, so no API token may use them. */
const EXCEPTION = '/api/v1/galleries/:id/gallery_photos/:photoId/exception';

/** Decisions of members about who may be published. */
export const consentRoutes = privateRoutes((server, consent: ConsentOffice) => {
  server.get(
    '/api/v1/affiliates/:id/roster_settings',
    call(MEMBERS, 'Who finds children, and what an unknown consent means', {
      params: idParams,
      response: { 200: contract.settingsAnswer },
    }),
    async (request) => consent.settings(request.caller, request.params.id),
  );

  server.put(
    '/api/v1/affiliates/:id/roster_settings',
    call(
      MEMBERS,
      'Change who finds children; `not_published` is the number to confirm when the hold of new photos ends',
      { params: idParams, body: contract.settingsBody, response: { 200: contract.changedSettings } },
      { settings: { mode: 'numbers', unknown_consent: 'show' } },
    ),
    async (request) => consent.changeSettings(request.caller, request.params.id, request.body),
  );

  server.get(
    '/api/v1/affiliates/:id/withdrawn_sales',
    call(MEMBERS, 'Sold photos that were withdrawn at a family’s wish, newest first', {
      params: idParams,
      response: { 200: contract.withdrawnSales },
    }),
    async (request) => consent.withdrawnSales(request.caller, request.params.id),
  );

  server.get(
    '/api/v1/galleries/:id/hold',
    call(MEMBERS, 'New photos that wait until they are tagged or checked', {
      params: idParams,
      response: { 200: contract.holdAnswer },
    }),
    async (request) => consent.hold(request.caller, request.params.id),
  );

  server.post(
    '/api/v1/galleries/:id/hold/none',
    call(
      MEMBERS,
      'Confirm that no one who must not be published is in these photos',
      { params: idParams, body: contract.noneBody, response: { 200: contract.noneAnswer } },
      { through: '1795467438000000' },
    ),
    async (request) => consent.noneOfThem(request.caller, request.params.id, request.body.through),
  );

  server.put(
    EXCEPTION,
    call(
      MEMBERS,
      'Show one photo although a consent hides it',
      { params: photoParams, body: contract.exceptionBody, response: { 200: contract.exceptionAnswer } },
      { reason: 'The child is seen from behind.' },
    ),
    async ({ caller, params, body }) =>
      consent.makeException(caller, { galleryId: params.id, photoId: params.photoId }, body.reason),
  );

  server.delete(
    EXCEPTION,
    call(MEMBERS, 'Hide the photo again', { params: photoParams }),
    async ({ caller, params }, reply) => {
      await consent.endException(caller, { galleryId: params.id, photoId: params.photoId });
      return reply.code(204).send();
    },
  );
});
