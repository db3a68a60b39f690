/** Asking without a script: a plain form, answered with the way back to its page. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { askedPath } from '#src/features/takedowns/takedown-form.rules.ts';
import { takedownBody, type FormProblem } from '#src/features/takedowns/takedowns.contract.ts';
import type { TakedownService } from '#src/features/takedowns/takedowns.service.ts';
import { acceptPlainForms, LEADS_ON, SEE_OTHER, TAKES_FORM } from '#src/http/plain-forms.ts';
import { isProblem } from '#src/shared/problem.ts';
import { idSchema } from '#src/shared/validators.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';

const field = z.optional(z.string());

export function takedownFormRoutes(takedowns: Pick<TakedownService, 'ask'>): FastifyPluginAsyncZod {
  return async (server) => {
    acceptPlainForms(server);

    server.post(
      '/api/v1/galleries/:id/gallery_photos/:photoId/takedown_form',
      {
        config: { access: { who: 'anyone', why: 'anyone who sees a photo may ask to hide it; requests are limited' } },
        schema: {
          summary: 'Ask to hide a photo by a form; redirects to its page',
          consumes: TAKES_FORM,
          response: LEADS_ON,
          params: z.object({ id: idSchema, photoId: idSchema }),
          body: z.object({ reason: field, contact: field, guardian: field, to: field }),
        },
      },
      async (request, reply) => {
        const { to, guardian, ...written } = request.body;
        const outcome = await tryToAsk();
        return reply.redirect(askedPath(safeRedirect(to), outcome), SEE_OTHER);

        async function tryToAsk(): Promise<FormProblem | null> {
          const asked = takedownBody.safeParse({ ...written, guardian: guardian !== undefined });
          if (!asked.success) return 'incomplete';
          try {
            await takedowns.ask(request.caller, request.params.id, request.params.photoId, asked.data);
            return null;
          } catch (error) {
            if (isProblem(error) && error.code === 'too_many') return 'wait';
            if (isProblem(error) && error.code === 'not_found') return 'gone';
            throw error;
          }
        }
      },
    );
  };
}
