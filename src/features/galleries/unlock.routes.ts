/**
 * Unlocking without a script: a plain form, and the link that an owner hands on. Both answer with the way back to the page,
 * and count their tries like the call does (rule 1).
 */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { unlockBody, type GateProblem, type UnlockBody } from '#src/features/galleries/galleries.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { gatePath } from '#src/features/galleries/gallery-link.rules.ts';
import { setUnlockCookie } from '#src/http/cookies.ts';
import { acceptPlainForms, LEADS_ON, SEE_OTHER, TAKES_FORM } from '#src/http/plain-forms.ts';
import { isProblem } from '#src/shared/problem.ts';
import { idSchema } from '#src/shared/validators.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';

const params = z.object({ id: idSchema });
const access = { who: 'anyone', why: 'the gallery’s password or its key opens it; tries are counted' } as const;
const field = z.optional(z.string());

export function unlockRoutes(galleries: Pick<GalleryService, 'unlock'>): FastifyPluginAsyncZod {
  return async (server) => {
    acceptPlainForms(server);

    server.post(
      '/api/v1/galleries/:id/unlock_form',
      {
        config: { access },
        schema: {
          summary: 'Enter a gallery’s password by a form; redirects to its page',
          consumes: TAKES_FORM,
          response: LEADS_ON,
          params,
          body: z.object({ password: field, to: field }),
        },
      },
      async (request, reply) => {
        const { password = '', to } = request.body;
        const outcome = await tryToUnlock(request.params.id, { password });
        if (outcome.proof !== null) setUnlockCookie(request, reply, request.params.id, outcome.proof);
        return reply.redirect(gatePath(safeRedirect(to), outcome.problem), SEE_OTHER);

        async function tryToUnlock(id: number, body: UnlockBody): Promise<Outcome> {
          if (!unlockBody.safeParse(body).success) return { proof: null, problem: password === '' ? 'empty' : 'wrong' };
          return outcomeOf(() => galleries.unlock(request.caller, id, body), 'wrong');
        }
      },
    );

    server.get(
      '/api/v1/galleries/:id/unlock',
      {
        config: { access },
        schema: {
          summary: 'Open an unlock link; redirects to its page',
          response: LEADS_ON,
          params,
          querystring: z.object({ key: field, to: field }),
        },
      },
      async (request, reply) => {
        const { key = '', to } = request.query;
        const { id } = request.params;
        const outcome: Outcome =
          key === '' || key.length > 100
            ? { proof: null, problem: 'link' }
            : await outcomeOf(() => galleries.unlock(request.caller, id, { key }), 'link');
        if (outcome.proof !== null) setUnlockCookie(request, reply, id, outcome.proof);
        reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex');
        return reply.redirect(gatePath(safeRedirect(to), outcome.problem), SEE_OTHER);
      },
    );
  };
}

type Outcome = { proof: string | null; problem: GateProblem | null };

/** Refusals are shown by the page, beside the gate; a gallery that is not there by the page that cannot be found. */
async function outcomeOf(unlock: () => Promise<string | null>, wrong: GateProblem): Promise<Outcome> {
  try {
    return { proof: await unlock(), problem: null };
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.code === 'too_many') return { proof: null, problem: 'wait' };
    if (error.code === 'unauthenticated') return { proof: null, problem: wrong };
    if (error.code === 'not_found') return { proof: null, problem: null };
    throw error;
  }
}
