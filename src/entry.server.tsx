import { text } from 'node:stream/consumers';
import { isRouteErrorResponse, type EntryContext, type RouterContextProvider } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { renderedPage } from '#src/web/documents/render-html.ts';
import { streamTimeout, writePage } from '#src/web/documents/write-page.tsx';

export { streamTimeout };

/** Renders a page; the html is passed next to the response. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method !== 'HEAD') {
    const { serverHandoffStream } = routerContext;
    // Complete immediately: no loader returns promises.
    const data = serverHandoffStream ? await text(serverHandoffStream) : '';
    const html = await writePage(request, routerContext, data, context.get(requestContext));
    context.set(renderedPage, html);
  }
  return new Response(null, { status, headers });
}

/** Unexpected failures of loaders and screens; refusals (4xx, 503) are expected. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  // React Router wraps failures of its own (an address that matches nothing, for example) with their reason inside.
  const reason = isRouteErrorResponse(error) ? (error as { error?: unknown }).error : error;
  if (reason !== undefined && !request.signal.aborted) context.get(requestContext).report(reason);
}
