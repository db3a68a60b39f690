import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import type { SitemapService } from '#src/features/sharing/sitemap.service.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';

const access = { who: 'anyone', why: 'names only what is open to everyone (rule 51)' } as const;
const KEPT = 'public, max-age=300';
const XML = 'application/xml; charset=utf-8';

/** `GET /sitemap.xml`, its parts, and `GET /robots.txt`, separate for each host. */
export function sitemapRoutes(
  sitemap: SitemapService,
  organizations: Pick<OrganizationService, 'byHostLabel'>,
): FastifyPluginAsyncZod {
  async function hostOf(request: FastifyRequest): Promise<Organization> {
    const { label } = request.site;
    const host = label === null ? null : await organizations.byHostLabel(label);
    if (!host) throw notFound();
    return host;
  }

  return async (server) => {
    const files = [
      ['/sitemap.xml', (host: Organization) => sitemap.whole(host)],
      ['/sitemap-pages.xml', (host: Organization) => sitemap.pages(host)],
    ] as const;
    for (const [url, write] of files) {
      server.get(url, { config: { access } }, async (request, reply) => {
        const xml = await write(await hostOf(request));
        return reply.header('cache-control', KEPT).type(XML).send(xml);
      });
    }

    server.get(
      '/sitemap-galleries.xml',
      { config: { access }, schema: { querystring: z.object({ after: z.optional(z.string()) }) } },
      async (request, reply) => {
        const after = readId(request.query.after ?? '') ?? 0;
        const xml = await sitemap.galleries(await hostOf(request), after);
        return reply.header('cache-control', KEPT).type(XML).send(xml);
      },
    );

    server.get('/robots.txt', { config: { access } }, async (request, reply) => {
      const text = sitemap.robots(await hostOf(request));
      return reply.header('cache-control', KEPT).type('text/plain; charset=utf-8').send(text);
    });
  };
}
