/** What search engines and social networks read from a page: one list of descriptors for a route's `meta`. */
import type { MetaDescriptor } from 'react-router';
import { unpacked, type Packed } from '#src/web/packed.ts';

export type PageMeta = {
  title: string;
  description: string;
  /** The page's canonical address, on its organization's own host. */
  address: string;
  /** False: hidden from search engines. */
  isIndexed: boolean;
  siteName: string;
  /** The picture of a shared link: its address, and its description. */
  card: { address: string; alt: string };
  /** The oEmbed address of the page's gallery; only for galleries that are listed for everyone. */
  oembed?: string;
  /** Structured data (schema.org), only on indexed pages. */
  facts?: readonly Record<string, unknown>[];
};

/** Title, description, canonical address or `noindex`, Open Graph, Twitter card and JSON-LD. */
export function pageMeta(about: PageMeta | Packed<PageMeta>) {
  const { title, description, address, isIndexed, siteName, card, oembed, facts = [] }: PageMeta = unpacked(about);
  return [
    { title },
    { name: 'description', content: description },
    isIndexed ? { tagName: 'link', rel: 'canonical', href: address } : { name: 'robots', content: 'noindex' },
    ...(oembed ? [{ tagName: 'link', rel: 'alternate', type: 'application/json+oembed', href: oembed, title }] : []),
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: siteName },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: address },
    { property: 'og:image', content: card.address },
    { property: 'og:image:type', content: 'image/jpeg' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: card.alt },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: card.address },
    { name: 'twitter:image:alt', content: card.alt },
    // The router escapes < > & in it. A data block is not a script, so it needs no nonce.
    ...(isIndexed && facts.length > 0
      ? [{ 'script:ld+json': { '@context': 'https://schema.org', '@graph': facts } } as MetaDescriptor]
      : []),
  ];
}

/** The breadcrumbs from the host's home to a page, as structured data. */
export function breadcrumb(steps: readonly { name: string; address: string }[]): Record<string, unknown> {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, address }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: address,
    })),
  };
}
