/** Sitemaps in the format of sitemaps.org. */
import { escapeMarkup } from '#src/shared/markup.ts';

export type SitemapEntry = { address: string; changedAt: Date | null };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export function sitemapOf(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ address, changedAt }) => {
    const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '';
    return `<url><loc>${escapeMarkup(address)}</loc>${changed}</url>`;
  });
  return `${HEAD}\n<urlset ${SPACE}>\n${urls.join('\n')}\n</urlset>\n`;
}

export function sitemapIndex(addresses: readonly string[]): string {
  const files = addresses.map((address) => `<sitemap><loc>${escapeMarkup(address)}</loc></sitemap>`);
  return `${HEAD}\n<sitemapindex ${SPACE}>\n${files.join('\n')}\n</sitemapindex>\n`;
}
