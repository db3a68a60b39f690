import * as contract from '#src/features/sharing/oembed.contract.ts';
import type { OembedService } from '#src/features/sharing/oembed.service.ts';
import { call, routes } from '#src/http/call.ts';
import { sendProblem } from '#src/http/errors.ts';
import { readSite } from '#src/http/site.ts';
import { OEMBED_PATH } from '#src/shared/embedding.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const PUBLIC = { who: 'anyone', why: 'describes only galleries that are listed for everyone' } as const;
const NOT_IMPLEMENTED = 501;

/** `GET /api/v1/oembed?url=`, which the pages of public galleries link to. */
export const oembedRoutes = routes((server, oembed: OembedService, baseDomain: string) => {
  server.get(
    OEMBED_PATH,
    call(PUBLIC, 'How another site shows a gallery in its page (oEmbed 1.0)', {
      querystring: contract.oembedQuery,
      response: { 200: contract.oembedAnswer },
    }),
    async (request, reply) => {
      const { url, format = 'json', maxwidth = Infinity, maxheight = Infinity } = request.query;
      if (format !== 'json')
        return sendProblem(
          reply,
          request,
          Object.assign(problem('invalid', contract.ONLY_JSON), { status: NOT_IMPLEMENTED }),
        ) as never;
      const address = URL.parse(url);
      if (!address) throw notFound(contract.NO_SUCH_GALLERY);
      const { protocol, host, pathname } = address;
      const label = /^https?:$/.test(protocol) ? readSite(host, baseDomain).label : null;
      const answer = await oembed.describe({ label, path: pathname, maxWidth: maxwidth, maxHeight: maxheight });
      return reply.header('cache-control', `public, max-age=${contract.OEMBED_CACHE_SECONDS}`).send(answer);
    },
  );
});
