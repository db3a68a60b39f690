/**
 * Each host tells search engines of its public pages: the home, the affiliates that show something and
 * their galleries, as far as they are open to everybody. Private, locked, inactive and empty ones are never
 * named (decision 51). Many galleries come in several files, paged by key.
 */
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { sitemapIndex, sitemapOf, type SitemapEntry } from '#src/features/sharing/sitemap.rules.ts';
import * as sitemapSql from '#src/features/sharing/sitemap.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database } from '#src/platform/db/db.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { SITE_PAGES } from '#src/shared/site-pages.ts';

export type SitemapDeps = {
  database: Database;
  clock: Clock;
  config: { baseDomain: string; port: number };
  /** Galleries of one file. */
  perFile?: number;
};

export type SitemapService = ReturnType<typeof createSitemap>;

const PUBLIC = { kind: 'public' } as const;
const PER_FILE = 5_000;
/** The protocol allows 50,000 addresses in a file. */
const MAX_AFFILIATES = 40_000;
const REMEMBER_MS = 300_000;
const REMEMBER_AT_MOST = 50;

export function createSitemap({ database, clock, config, perFile = PER_FILE }: SitemapDeps) {
  const origin = siteOrigin(config.baseDomain, config.port);
  const remembered = new Map<string, { xml: string; untilMs: number }>();

  async function remember(key: string, make: () => Promise<string>): Promise<string> {
    const nowMs = clock.now().getTime();
    const known = remembered.get(key);
    if (known && known.untilMs > nowMs) return known.xml;
    const xml = await make();
    if (remembered.size >= REMEMBER_AT_MOST) remembered.clear();
    remembered.set(key, { xml, untilMs: nowMs + REMEMBER_MS });
    return xml;
  }

  const on = (host: Organization, path: string) => siteUrl(origin, host.domainName, path);

  async function pagesOf(host: Organization): Promise<SitemapEntry[]> {
    const affiliates = await database.read(PUBLIC, (db) => sitemapSql.listOpenAffiliates(db, host.id, MAX_AFFILIATES));
    const own = host.kind === 'root' ? SITE_PAGES : [];
    return ['/', ...own, ...affiliates.map((path) => `/${path}`)].map((path) => ({
      address: on(host, path),
      changedAt: null,
    }));
  }

  async function galleriesOf(host: Organization, after: number, limit: number): Promise<SitemapEntry[]> {
    const rows = await database.read(PUBLIC, (db) => sitemapSql.listOpenGalleries(db, host.id, { after, limit }));
    return rows.map(({ path, galleryId, updatedAt }) => ({
      address: on(host, `/${path}/gallery/${galleryId}`),
      changedAt: updatedAt,
    }));
  }

  return {
    /** `/sitemap.xml`: everything, or an index of files where there are many galleries. */
    whole: (host: Organization): Promise<string> =>
      remember(`${host.id}`, async () => {
        const galleries = await galleriesOf(host, 0, perFile + 1);
        if (galleries.length <= perFile) return sitemapOf([...(await pagesOf(host)), ...galleries]);
        const ends = await database.read(PUBLIC, (db) => sitemapSql.listPageEnds(db, host.id, perFile));
        return sitemapIndex([
          on(host, '/sitemap-pages.xml'),
          ...[0, ...ends].map((after) => on(host, `/sitemap-galleries.xml?after=${after}`)),
        ]);
      }),

    /** `/sitemap-pages.xml`: the home, the site's own pages and the affiliates. */
    pages: (host: Organization): Promise<string> =>
      remember(`${host.id} pages`, async () => sitemapOf(await pagesOf(host))),

    /** `/sitemap-galleries.xml`: one page of galleries, after an id. */
    galleries: (host: Organization, after: number): Promise<string> =>
      remember(`${host.id} after ${after}`, async () => sitemapOf(await galleriesOf(host, after, perFile))),

    /** `/robots.txt`: calls and pictures are not for crawlers, share cards are. What must not be found says so itself (`noindex`). */
    robots: (host: Organization): string =>
      [
        'User-agent: *',
        'Allow: /api/v1/share_cards/',
        'Disallow: /api/',
        'Disallow: /storage',
        'Disallow: /sandbox/',
        '',
        `Sitemap: ${on(host, '/sitemap.xml')}`,
        '',
      ].join('\n'),
  };
}
