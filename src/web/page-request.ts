import { data, type MiddlewareFunction } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import type { Refusal } from '#src/web/refusals.ts';

/**
 * The middleware of `root.tsx`: stops a request that was refused before any page was asked, and
 * gives every loader the address of its page.
 */
export const openRequest: MiddlewareFunction<Response> = ({ context, url }) => {
  const page = context.get(requestContext);
  if (page.failure)
    throw data({ message: page.failure.message } satisfies Partial<Refusal>, { status: page.failure.status });
  context.set(requestContext, { ...page, url });
};
