import * as z from 'zod/mini';
import {
  galleryAnswer,
  galleryChangesBody,
  madeGallery,
  newGalleryBody,
  unlockBody,
  type UnlockBody,
} from '#src/features/galleries/galleries.contract.ts';
import type { GateProblem } from '#src/features/galleries/gate.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { setUnlockCookie } from '#src/http/cookies.ts';
import { idParams } from '#src/shared/validators.ts';
import { gatePath } from '#src/features/galleries/gallery-link.rules.ts';
import { acceptPlainForms, REDIRECTS, SEE_OTHER, TAKES_FORM } from '#src/http/plain-forms.ts';
import { isProblem } from '#src/shared/problem.ts';
import { safeRedirect } from '#src/web/safe-redirect.ts';
import { PassThrough } from 'node:stream';
import { deletedGalleries } from '#src/features/galleries/galleries.contract.ts';
import { call, privateRoutes, routes, SECRET_ADDRESS } from '#src/http/call.ts';

const EDITORS = { who: 'session', scope: 'galleries:write' } as const;

/** Galleries: creating, changing, deleting, unlocking, following. Their photos are in the photos module. */
export const galleryRoutes = privateRoutes(async (server, galleries: GalleryService) => {
  await server.register(galleryEventRoutes(galleries));
  await server.register(unlockRoutes(galleries));
  await server.register(deletedGalleryRoutes(galleries));

  server.post(
    '/api/v1/galleries/',
    call(EDITORS, 'Create a gallery', { body: newGalleryBody, response: { 200: madeGallery, 201: madeGallery } }),
    async (request, reply) => {
      const { gallery: input, client_key: clientKey } = request.body;
      const { gallery, isNew } = await galleries.createOnce(request.caller, input, clientKey ?? null);
      return reply.code(isNew ? 201 : 200).send({ ...gallery, gallery_photo: [] });
    },
  );

  server.put(
    '/api/v1/galleries/:id',
    call(EDITORS, 'Change a gallery', {
      params: idParams,
      body: galleryChangesBody,
      response: { 200: z.array(galleryAnswer) },
    }),
    async (request) => {
      const { gallery, seen } = request.body;
      return [await galleries.change(request.caller, request.params.id, gallery, seen)];
    },
  );

  server.post(
    '/api/v1/galleries/:id/inactive',
    call(EDITORS, 'Delete a gallery', { params: idParams, response: { 200: z.array(galleryAnswer) } }),
    async (request) => [await galleries.deactivate(request.caller, request.params.id)],
  );

  server.post(
    '/api/v1/galleries/:id/unlock',
    call(
      { who: 'anyone', why: 'the gallery’s password is the key; tries are counted' },
      'Enter a gallery’s password',
      { params: idParams, body: unlockBody, response: { 200: z.object({ unlocked: z.literal(true) }) } },
      { password: 'blue-whistle' },
    ),
    async (request, reply) => {
      const { id } = request.params;
      const proof = await galleries.unlock(request.caller, id, request.body);
      if (proof !== null) setUnlockCookie(request, reply, id, proof);
      return { unlocked: true as const };
    },
  );
});

const UNLOCKING = { who: 'anyone', why: 'the gallery’s password or its key opens it; tries are counted' } as const;
const field = z.optional(z.string());

/**
 * Unlocking without JavaScript: a plain form, and the unlock link of an owner. Both redirect to the page, and their tries are
 * counted like the call's (rule 1).
 */
const unlockRoutes = routes((server, galleries: Pick<GalleryService, 'unlock'>) => {
  acceptPlainForms(server);

  server.post(
    '/api/v1/galleries/:id/unlock_form',
    call(UNLOCKING, 'Enter a gallery’s password with a form; redirects to its page', {
      consumes: TAKES_FORM,
      response: REDIRECTS,
      params: idParams,
      body: z.object({ password: field, to: field }),
    }),
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
    call(UNLOCKING, 'Open an unlock link; redirects to its page', {
      response: REDIRECTS,
      params: idParams,
      querystring: z.object({ key: field, to: field }),
    }),
    async (request, reply) => {
      const { key = '', to } = request.query;
      const { id } = request.params;
      const outcome: Outcome =
        key === '' || key.length > 100
          ? { proof: null, problem: 'link' }
          : await outcomeOf(() => galleries.unlock(request.caller, id, { key }), 'link');
      if (outcome.proof !== null) setUnlockCookie(request, reply, id, outcome.proof);
      reply.headers(SECRET_ADDRESS);
      return reply.redirect(gatePath(safeRedirect(to), outcome.problem), SEE_OTHER);
    },
  );
});

type Outcome = { proof: string | null; problem: GateProblem | null };

/** The page shows refusals in its password form; an unknown gallery leads to the not-found page. */
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

/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 20_000;
/** The browser then reconnects automatically, and its session is checked again. */
const LONGEST_MS = 10 * 60_000;
/** A page that does not read is disconnected. */
const MAX_WAITING_BYTES = 262_144;

/** `GET /api/v1/galleries/{id}/events`: server-sent events of a gallery. */
const galleryEventRoutes = routes((server, galleries: Pick<GalleryService, 'follow'>) => {
  const open = new Set<PassThrough>();
  server.addHook('preClose', async () => {
    for (const stream of open) stream.end();
  });

  server.get(
    '/api/v1/galleries/:id/events',
    {
      exposeHeadRoute: false,
      config: { access: { who: 'session' } },
      schema: { summary: 'Server-sent events of a gallery', params: idParams },
    },
    async (request, reply) => {
      const stream = new PassThrough();
      const write = (text: string) => {
        if (stream.writableLength > MAX_WAITING_BYTES) stream.destroy();
        else if (stream.writable) stream.write(text);
      };
      const stop = await galleries.follow(request.caller, request.params.id, {
        onEvent: (event) => write(`event: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`),
        ended: () => stream.end(),
      });
      open.add(stream);
      const beats = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
      const end = setTimeout(() => stream.end(), LONGEST_MS);
      stream.once('close', () => {
        stop();
        open.delete(stream);
        clearInterval(beats);
        clearTimeout(end);
      });
      write('retry: 2000\n\n');
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );
});

/** `GET /api/v1/affiliates/{id}/deleted_galleries`; `PUT /api/v1/galleries/{id} {gallery:{active:true}}` restores one. */
const deletedGalleryRoutes = routes((server, galleries: Pick<GalleryService, 'listDeleted'>) => {
  server.get(
    '/api/v1/affiliates/:id/deleted_galleries',
    call({ who: 'platform-admin' }, 'Deleted galleries, newest first', {
      params: idParams,
      querystring: z.object({ after: z.optional(z.string()) }),
      response: { 200: deletedGalleries },
    }),
    async (request) => galleries.listDeleted(request.caller, request.params.id, request.query.after ?? null),
  );
});
