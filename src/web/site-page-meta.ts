/** The metadata of the site's own pages, which are the same on every host. */
import type { MetaDescriptor } from 'react-router';
import { pageMeta } from '#src/web/page-meta.ts';
import type { Shell } from '#src/web/frame/shell.ts';

type SitePage = {
  path: string;
  title: string;
  description: string;
  /** If the page differs from host to host: its address on this one. */
  address?: string | undefined;
};

/** The root organization always has id 1. */
const ROOT_CARD = '/api/v1/share_cards/organizations/1';

/** Title, description, the product's card, and one address: the product's own host, made from configuration (rule 11). */
export function sitePageMeta(
  matches: readonly ({ loaderData?: unknown } | undefined)[],
  { path, title, description, address }: SitePage,
): MetaDescriptor[] {
  const shell = matches[0]?.loaderData as Shell | undefined;
  if (!shell) return [{ title }, { name: 'description', content: description }];
  const onRoot = (place: string) => new URL(place, shell.footer.productUrl).href;
  return pageMeta({
    title,
    description,
    address: address ?? onRoot(path),
    isIndexed: true,
    siteName: 'Sideline',
    card: { address: onRoot(ROOT_CARD), alt: 'Sideline: galleries that pay for the team' },
  });
}
