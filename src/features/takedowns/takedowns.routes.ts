import * as z from 'zod/mini';
import * as contract from '#src/features/takedowns/takedowns.contract.ts';
import type { TakedownService } from '#src/features/takedowns/takedowns.service.ts';
import { idParams, idSchema, photoParams } from '#src/shared/validators.ts';
import { askedPath } from '#src/features/takedowns/takedowns.rules.ts';
import { call, MEMBERS, privateRoutes, routes } from '#src/http/call.ts';
import { acceptPlainForms, REDIRECTS, SEE_OTHER, TAKES_FORM } from '#src/http/plain-forms.ts';
import { isProblem } from '#src/shared/problem.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';

/** Requests to hide a photo, and the owners' decisions. */
export const takedownRoutes = privateRoutes(async (server, takedowns: TakedownService) => {
  await server.register(takedownFormRoutes(takedowns));

  server.post(
    '/api/v1/galleries/:id/gallery_photos/:photoId/takedown',
    call(
      { who: 'anyone', why: 'anyone who sees a photo may ask to hide it; requests are limited' },
      'Ask to hide a photo',
      { params: photoParams, body: contract.takedownBody, response: { 202: contract.takedownThanks } },
    ),
    async (request, reply) => {
      await takedowns.requestToHide(request.caller, request.params.id, request.params.photoId, request.body);
      return reply.code(202).send({ message: contract.TAKEDOWN_THANKS });
    },
  );

  server.get(
    '/api/v1/affiliates/:id/takedowns',
    call(MEMBERS, 'Requests to hide photos, for members', {
      params: idParams,
      querystring: contract.takedownsQuery,
      response: { 200: contract.takedownsPage },
    }),
    async (request) => takedowns.list(request.caller, request.params.id, request.query),
  );

  server.put(
    '/api/v1/affiliates/:id/takedowns/:takedownId',
    call(MEMBERS, 'Hide, keep or delete the photo of a request', {
      params: z.object({ id: idSchema, takedownId: idSchema }),
      body: contract.decisionBody,
      response: { 200: contract.takedownAnswer },
    }),
    async (request) => takedowns.decide(request.caller, request.params.id, request.params.takedownId, request.body),
  );

  server.put(
    '/api/v1/affiliates/:id/takedown_mode',
    call(MEMBERS, 'Choose whether photos are hidden on request before review', {
      params: idParams,
      body: contract.modeBody,
      response: { 200: contract.modeAnswer },
    }),
    async (request) => ({ mode: await takedowns.setMode(request.caller, request.params.id, request.body.mode) }),
  );
});

const field = z.optional(z.string());

/** Requests without JavaScript: a plain form, which redirects back to its page. */
const takedownFormRoutes = routes((server, takedowns: Pick<TakedownService, 'requestToHide'>) => {
  acceptPlainForms(server);

  server.post(
    '/api/v1/galleries/:id/gallery_photos/:photoId/takedown_form',
    call(
      { who: 'anyone', why: 'anyone who sees a photo may ask to hide it; requests are limited' },
      'Ask to hide a photo with a form; redirects to its page',
      {
        consumes: TAKES_FORM,
        response: REDIRECTS,
        params: photoParams,
        body: z.object({ reason: field, contact: field, guardian: field, to: field }),
      },
    ),
    async (request, reply) => {
      const { to, guardian, ...written } = request.body;

      async function sendRequest(): Promise<contract.FormProblem | null> {
        const parsed = contract.takedownBody.safeParse({ ...written, guardian: guardian !== undefined });
        if (!parsed.success) return 'incomplete';
        try {
          await takedowns.requestToHide(request.caller, request.params.id, request.params.photoId, parsed.data);
          return null;
        } catch (error) {
          if (isProblem(error) && error.code === 'too_many') return 'wait';
          if (isProblem(error) && error.code === 'not_found') return 'gone';
          throw error;
        }
      }
      const outcome = await sendRequest();
      return reply.redirect(askedPath(safeRedirect(to), outcome), SEE_OTHER);
    },
  );
});
