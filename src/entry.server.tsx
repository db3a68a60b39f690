import { PassThrough } from 'node:stream';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { isRouteErrorResponse, ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { renderedPage } from '#src/web/rendered-page.ts';

export const streamTimeout = 5_000;

/** Renders a page to html; crawlers get it in one piece. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> | Response {
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { nonce, report } = context.get(requestContext);
  return new Promise((resolve, reject) => {
    let shellIsReady = false;
    const ready = () => {
      shellIsReady = true;
      const body = new PassThrough();
      body.on('close', () => {
        clearTimeout(timeout);
        if (!body.writableFinished) abort(new Error('the browser went away'));
      });
      pipe(body);
      (context as RouterContextProvider).set(renderedPage, body);
      resolve(new Response(null, { status, headers }));
    };
    const inOnePiece = isbot(request.headers.get('user-agent') ?? '');
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        [inOnePiece ? 'onAllReady' : 'onShellReady']: ready,
        onShellError: reject,
        onError(error: unknown) {
          // Before the shell stands the error reaches handleError below by another way.
          if (shellIsReady && !request.signal.aborted) report(error);
        },
      },
    );
    const timeout = setTimeout(abort, streamTimeout + 1_000);
  });
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
