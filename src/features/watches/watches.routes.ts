import * as z from 'zod/mini';
import * as contract from '#src/features/watches/watches.contract.ts';
import { watchPath } from '#src/features/watches/watches.rules.ts';
import type { WatchService } from '#src/features/watches/watches.service.ts';
import { call, routes, SECRET_ADDRESS } from '#src/http/call.ts';
import { notFound, orNull } from '#src/shared/problem.ts';
import { acceptPlainForms, SEE_OTHER } from '#src/http/plain-forms.ts';

const SECRET = { 'cache-control': 'private, no-store', ...SECRET_ADDRESS };

/**
 * `POST /api/v1/watches`, and `POST /w/stop?key=`, which mail programs send on one click (RFC 8058). The pages are
 * `/w/confirm` and `/w/stop`.
 */
export const watchRoutes = routes((server, watches: Pick<WatchService, 'requestWatch' | 'stop'>) => {
  server.addHook('onRequest', async (_request, reply) => void reply.headers(SECRET));
  acceptPlainForms(server);
  // Mail programs may send a multipart form; its content does not matter.
  server.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    payload.resume();
    done(null, {});
  });

  server.post(
    '/api/v1/watches',
    call(
      {
        who: 'anyone',
        why: 'the answer is the same for every address, and nothing follows without a click in its email',
      },
      'Request emails about new photos of a number, or of a child that is open in this browser',
      { body: contract.watchBody, response: { 202: contract.watchAnswer } },
      { email: 'maria@example.com', team_id: 5, number: '10' },
    ),
    async (request, reply) => {
      const answer = await watches.requestWatch(request.caller, request.site.label, request.body);
      return reply.code(202).send(answer);
    },
  );

  server.post(
    '/w/stop',
    {
      config: {
        access: { who: 'anyone', why: 'the key in an email stops its watch', ignoresSession: true },
      },
      schema: {
        hide: true,
        querystring: z.object({ key: z.optional(z.string()), all: z.optional(z.string()) }),
      },
    },
    async (request, reply) => {
      const { key = '', all } = request.query;
      const stopped = await orNull(watches.stop(key, all === 'yes'));
      // Our own page is redirected to the result; mail programs do not follow redirects.
      const isPage = (request.body as { from?: string } | undefined)?.from === 'page';
      if (isPage) return reply.redirect(`${watchPath('stop', key, all === 'yes')}&done=yes`, SEE_OTHER);
      if (!stopped) throw notFound(contract.LINK_UNKNOWN);
      return reply.type('text/plain; charset=utf-8').send(contract.watchStopped(stopped.player));
    },
  );
});
