import { describe, expect, test } from 'vitest';
import { breadcrumb, pageMeta } from '#src/web/page-meta.ts';

const page = {
  title: 'Cup Final · Hawks',
  description: 'Photos of the final.',
  address: 'https://lakeside.sideline.example/hawks/gallery/7',
  isIndexed: true,
  siteName: 'Lakeside',
  card: { address: 'https://lakeside.sideline.example/card', alt: 'Cup Final' },
  facts: [{ '@type': 'ImageGallery', name: 'Cup Final' }],
};

describe('a page’s metadata', () => {
  test('has one address for search engines, a card for networks, structured data for machines', () => {
    const told = pageMeta(page);
    expect(told).toContainEqual({ tagName: 'link', rel: 'canonical', href: page.address });
    expect(told).toContainEqual({ property: 'og:image', content: page.card.address });
    expect(told).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' });
    expect(told).toContainEqual({ 'script:ld+json': { '@context': 'https://schema.org', '@graph': page.facts } });
  });

  test('has nothing for search engines if the page must not be found, and no structured data either', () => {
    const told = JSON.stringify(pageMeta({ ...page, isIndexed: false }));
    expect(told).toContain('noindex');
    expect(told).not.toContain('canonical');
    expect(told).not.toContain('ld+json');
  });
});

test('breadcrumbs are numbered', () => {
  expect(breadcrumb([{ name: 'Hawks', address: 'https://x/hawks' }])['itemListElement']).toEqual([
    { '@type': 'ListItem', position: 1, name: 'Hawks', item: 'https://x/hawks' },
  ]);
});
