import { isbot } from 'isbot';
import { isRouteErrorResponse, ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { PageHeadProvider } from '#src/web/page-head.tsx';
import { renderHtml, renderedPage } from '#src/web/render-html.ts';

export const streamTimeout = 5_000;

/** Renders a page; the html travels beside the response (rendered-page.ts). */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method !== 'HEAD') {
    const { nonce, sheet, report } = context.get(requestContext);
    const page = (
      <PageHeadProvider value={{ nonce, sheet }}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </PageHeadProvider>
    );
    const html = await renderHtml(page, {
      nonce,
      whole: isbot(request.headers.get('user-agent') ?? ''),
      deadlineMs: streamTimeout + 1_000,
      report: (error) => {
        if (!request.signal.aborted) report(error);
      },
    });
    context.set(renderedPage, html);
  }
  return new Response(null, { status, headers });
}

/** Unexpected failures of loaders and screens; refusals (4xx, 503) are no news. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  // React Router wraps failures of its own (an address that matches nothing, for one) and keeps the reason inside.
  const reason = isRouteErrorResponse(error) ? (error as { error?: unknown }).error : error;
  if (reason !== undefined && !request.signal.aborted) context.get(requestContext).report(reason);
}
