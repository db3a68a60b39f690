import { data, type MiddlewareFunction } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { visitorShell } from '#src/web/frame/shell.ts';
import type { Refusal } from '#src/web/refusals.ts';

/**
 * The middleware of `root.tsx`: stops a request that was refused before any page was chosen, and gives every loader the
 * address of its page.
 */
export const openRequest: MiddlewareFunction<Response> = ({ context, url, pattern }) => {
  const page = context.get(requestContext);
  page.isRoute(pattern);
  if (page.failure) {
    const { status, message } = page.failure;
    // A host without an organization has no site to navigate.
    const isOwnerless = status === 404 && page.tenant.organization.id === 0;
    const refusal: Partial<Refusal> = { message, ...(isOwnerless ? {} : { shell: visitorShell(page) }) };
    throw data(refusal, { status });
  }
  context.set(requestContext, { ...page, url });
};
