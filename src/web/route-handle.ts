/** The frame around a page. `home` if a route does not set it (specification P§2.1). */
export type LayoutName = 'home' | 'affiliate' | 'working' | 'bare';

/** What a page module exports as `handle`. */
export type RouteHandle = {
  layout?: LayoutName;
  /** True if the cart bar is hidden: checkout, order, contributor (P§2.4). */
  hidesCart?: boolean;
  /** A query parameter that removes the frame: the page is then for someone else (`collabKey`). */
  bareWith?: string;
};

/** The deepest route that names a layout decides. @param search of the page's address */
export function layoutOf(matches: readonly { handle: unknown }[], search = ''): LayoutName {
  const query = new URLSearchParams(search);
  if (handles(matches).some(({ bareWith }) => bareWith !== undefined && query.has(bareWith))) return 'bare';
  return handles(matches).findLast((handle) => handle.layout !== undefined)?.layout ?? 'home';
}

/** Whether a route of this page hides the cart. */
export function hidesCart(matches: readonly { handle: unknown }[]): boolean {
  return handles(matches).some((handle) => handle.hidesCart === true);
}

function handles(matches: readonly { handle: unknown }[]): RouteHandle[] {
  return matches.map((match) => (match.handle ?? {}) as RouteHandle);
}
