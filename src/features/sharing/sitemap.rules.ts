/** Sitemaps in the format of sitemaps.org. */

export type SitemapEntry = { address: string; changedAt: Date | null };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export function sitemapOf(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ address, changedAt }) => {
    const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '';
    return `<url><loc>${escapeXml(address)}</loc>${changed}</url>`;
  });
  return `${HEAD}\n<urlset ${SPACE}>\n${urls.join('\n')}\n</urlset>\n`;
}

export function sitemapIndex(addresses: readonly string[]): string {
  const files = addresses.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`);
  return `${HEAD}\n<sitemapindex ${SPACE}>\n${files.join('\n')}\n</sitemapindex>\n`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
