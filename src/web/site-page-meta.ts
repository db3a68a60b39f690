/** What search engines and windows hear of the site's own pages, which look alike on every host. */
import type { MetaDescriptor } from 'react-router';
import type { Shell } from '#src/web/shell.ts';

type SitePage = { path: string; title: string; description: string };

/** Title, description, and one address: the product's own host, made from configuration (decision 11). */
export function sitePageMeta(
  matches: readonly ({ loaderData?: unknown } | undefined)[],
  { path, title, description }: SitePage,
): MetaDescriptor[] {
  const shell = matches[0]?.loaderData as Shell | undefined;
  return [
    { title },
    { name: 'description', content: description },
    ...(shell
      ? [{ tagName: 'link', rel: 'canonical', href: new URL(path, shell.footer.productUrl).href } as const]
      : []),
  ];
}
