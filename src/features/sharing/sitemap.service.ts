/**
 * Each host lists its public pages for search engines: the home page, the affiliates with public galleries, and these
 * galleries. Private, locked, inactive and empty ones are never listed (rule 51). Many galleries are split into several files,
 * paged by key.
 */
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { sitemapIndex, sitemapOf, type SitemapEntry } from '#src/features/sharing/sitemap.rules.ts';
import * as sitemapSql from '#src/features/sharing/sitemap.sql.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { createAnswerCache } from '#src/shared/answer-cache.ts';
import { bind } from '#src/shared/bind.ts';
import { SITE_PAGES } from '#src/shared/site-pages.ts';

type SitemapDeps = Pick<Platform, 'database' | 'clock'> & {
  config: { baseDomain: string; sitePort: number };
  /** Galleries per file. */
  perFile?: number;
};

export type SitemapService = ReturnType<typeof createSitemap>;

/** The result is cached for minutes, so the data may be some seconds old. */
const SHOWN = { kind: 'public', mayLag: true } as const;
const PER_FILE = 5_000;
/** The protocol allows 50,000 addresses per file. */
const MAX_AFFILIATES = 40_000;
const REMEMBER_MS = 300_000;
const REMEMBER_AT_MOST = 50;

type SitemapContext = ReturnType<typeof contextOf>;

function contextOf(deps: SitemapDeps) {
  const { perFile = PER_FILE } = deps;
  const origin = siteOrigin(deps.config.baseDomain, deps.config.sitePort);
  const files = createAnswerCache<string>({
    keptMs: REMEMBER_MS,
    atMost: REMEMBER_AT_MOST,
    now: () => deps.clock.now(),
  });
  return { ...deps, perFile, origin, files };
}

function remember(ctx: SitemapContext, key: string, make: () => Promise<string>): Promise<string> {
  return ctx.files(key, () => ctx.database.withReplica(null, make));
}

function on(ctx: SitemapContext, host: Organization, path: string) {
  return siteUrl(ctx.origin, host.domainName, path);
}

async function pagesOf(ctx: SitemapContext, host: Organization): Promise<SitemapEntry[]> {
  const affiliates = await ctx.database.read(SHOWN, (db) => sitemapSql.listOpenAffiliates(db, host.id, MAX_AFFILIATES));
  const own = host.kind === 'root' ? SITE_PAGES : [];
  return ['/', ...own, ...affiliates.map((path) => `/${path}`)].map((path) => ({
    address: on(ctx, host, path),
    changedAt: null,
  }));
}

async function galleriesOf(ctx: SitemapContext, host: Organization, after: number, limit: number) {
  const rows = await ctx.database.read(SHOWN, (db) => sitemapSql.listOpenGalleries(db, host.id, { after, limit }));
  return rows.map(({ path, galleryId, updatedAt }) => ({
    address: on(ctx, host, `/${path}/gallery/${galleryId}`),
    changedAt: updatedAt,
  }));
}

/** `/sitemap.xml`: everything, or an index of files if there are many galleries. */
export function whole(ctx: SitemapContext, host: Organization): Promise<string> {
  return remember(ctx, `${host.id}`, async () => {
    const galleries = await galleriesOf(ctx, host, 0, ctx.perFile + 1);
    if (galleries.length <= ctx.perFile) return sitemapOf([...(await pagesOf(ctx, host)), ...galleries]);
    const ends = await ctx.database.read(SHOWN, (db) => sitemapSql.listPageEnds(db, host.id, ctx.perFile));
    return sitemapIndex([
      on(ctx, host, '/sitemap-pages.xml'),
      ...[0, ...ends].map((after) => on(ctx, host, `/sitemap-galleries.xml?after=${after}`)),
    ]);
  });
}

/** `/sitemap-pages.xml`: the home page, the site's own pages and the affiliates. */
export function pages(ctx: SitemapContext, host: Organization): Promise<string> {
  return remember(ctx, `${host.id} pages`, async () => sitemapOf(await pagesOf(ctx, host)));
}

/** `/sitemap-galleries.xml`: one page of galleries, after an id. */
export function galleries(ctx: SitemapContext, host: Organization, after: number): Promise<string> {
  return remember(ctx, `${host.id} after ${after}`, async () =>
    sitemapOf(await galleriesOf(ctx, host, after, ctx.perFile)),
  );
}

/**
 * `/robots.txt`: the API and pictures are not for crawlers, share cards are. Pages that must not be found say so themselves
 * (`noindex`).
 */
export function robots(ctx: SitemapContext, host: Organization): string {
  return [
    'User-agent: *',
    'Allow: /api/v1/share_cards/',
    'Disallow: /api/',
    'Disallow: /storage',
    'Disallow: /sandbox/',
    '',
    `Sitemap: ${on(ctx, host, '/sitemap.xml')}`,
    '',
  ].join('\n');
}

export const createSitemap = (deps: SitemapDeps) => bind(contextOf(deps), { whole, pages, galleries, robots });
