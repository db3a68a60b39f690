/** What the pages of members and platform admins have in common. */
import type { RouteHandle } from '#src/web/route-handle.ts';

export const WORKING_PAGE: RouteHandle = { layout: 'working', hidesCart: true };

/** The title of a page that search engines ignore. */
export const unlistedPage = (title: string) => [{ title }, { name: 'robots', content: 'noindex' }];

/** The same for a page of an organization, with its name. */
export function workingMeta(title: string) {
  return ({ loaderData }: { loaderData?: { name: string } | undefined }) =>
    unlistedPage(loaderData ? `${title} · ${loaderData.name}` : title);
}
