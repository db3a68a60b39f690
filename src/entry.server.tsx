import { isbot } from 'isbot';
import { text } from 'node:stream/consumers';
import { isRouteErrorResponse, ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { PageHeadProvider } from '#src/web/page-head.tsx';
import { rawLiteral, renderAtOnce, renderHtml, renderedPage } from '#src/web/render-html.ts';

export const streamTimeout = 5_000;

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
    const { nonce, sheet, report } = context.get(requestContext);
    const { serverHandoffStream, ...rest } = withRoutesOfThePage(routerContext);
    // Complete immediately: no loader returns promises.
    const handoff = serverHandoffStream ? await text(serverHandoffStream) : '';
    const pageOf = (routed: EntryContext) => (
      <PageHeadProvider value={{ nonce, sheet }}>
        <ServerRouter context={routed} url={request.url} nonce={nonce} />
      </PageHeadProvider>
    );
    const whole = renderAtOnce(pageOf(rest));
    const html =
      whole === null
        ? await renderHtml(pageOf({ ...rest, serverHandoffStream: new Blob([handoff]).stream() }), {
            nonce,
            whole: isbot(request.headers.get('user-agent') ?? ''),
            deadlineMs: streamTimeout + 1_000,
            report: (error) => {
              if (!request.signal.aborted) report(error);
            },
          })
        : Buffer.from(withHandoff(whole, handoff, nonce));
    context.set(renderedPage, html);
  }
  return new Response(null, { status, headers });
}

/** The router prepares what the manifest contains: for each page only that page's routes, not the whole site map. */
function withRoutesOfThePage(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.fromEntries(staticHandlerContext.matches.map(({ route: { id } }) => [id, manifest.routes[id]]));
  return { ...context, manifest: { ...manifest, routes } };
}

const END = '</body></html>';

/**
 * The page with the data from which the browser's router continues, at the end of its body, where `ServerRouter` writes
 * it into a stream.
 */
function withHandoff(html: string, handoff: string, nonce: string): string {
  const stream = 'window.__reactRouterContext.streamController';
  const script = `<script nonce="${nonce}">${stream}.enqueue(${rawLiteral(handoff)});${stream}.close();</script>`;
  return `<!DOCTYPE html>${html.slice(0, -END.length)}${script}${END}`;
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
