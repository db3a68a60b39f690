/**
 * The only entry into the pages' bundle. The server passes a request and a plain object in and gets a plain answer out,
 * because classes and context keys differ between the two module graphs.
 */
import { Readable } from 'node:stream';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import * as serverBuild from 'virtual:react-router/server-build';
import { createRouteGroups } from '#src/web/affiliate-context.ts';
import { requestContext, type PageContext } from '#src/web/app-context.ts';
import { mayBeFound } from '#src/web/robots.ts';
import { renderedPage } from '#src/web/render-html.ts';
import { withFramedRefusals, withRefusals } from '#src/web/refusals.ts';

export type PageAnswer = {
  status: number;
  /** `Set-Cookie` may occur several times. */
  headers: [name: string, value: string][];
  body: Readable | Buffer | null;
};

const build = guarded(serverBuild as ServerBuild);
const groups = createRouteGroups(build.routes);
const handlers = new Map<string | null, ReturnType<typeof createRequestHandler>>();

function handlerOf(pathname: string) {
  const label = groups.labelOf(pathname);
  const known = handlers.get(label);
  if (known) return known;
  const handler = createRequestHandler({ ...build, routes: groups.routesOf(label) }, import.meta.env.MODE);
  handlers.set(label, handler);
  return handler;
}

/** Renders the page (or the loader data, for navigations in the browser) that `request` asks for. */
export async function render(request: Request, context: PageContext): Promise<PageAnswer> {
  const provider = new RouterContextProvider();
  provider.set(requestContext, context);
  const response = await handlerOf(context.url.pathname)(request, provider);
  const page = request.method === 'HEAD' ? null : provider.get(renderedPage);
  const { headers } = response;
  // What a member sees may contain passwords and keys, and what a family sees is about a child: none of it is stored in
  // a browser that others may use.
  const isPersonal = context.caller?.actor.kind === 'user' || context.caller?.family !== undefined;
  const cacheControl = isPersonal ? 'private, no-store' : 'private, no-cache';
  if (!headers.has('cache-control')) headers.set('cache-control', cacheControl);
  if (response.status === 503) retrySoon(headers);
  if (response.status !== 200 || !mayBeFound(context.url.pathname)) headers.set('x-robots-tag', 'noindex, nofollow');
  return {
    status: response.status,
    headers: [
      ...[...headers].filter(([name]) => name !== 'set-cookie'),
      ...headers.getSetCookie().map((cookie): [string, string] => ['set-cookie', cookie]),
    ],
    body: page ?? (response.body ? Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]) : null),
  };
}

/** A page that failed reloads automatically, every second (rule 35). */
function retrySoon(headers: Headers): void {
  headers.set('retry-after', '1');
  headers.set('refresh', '1');
  headers.set('cache-control', 'no-store');
}

/** Loaders and middleware of every route, with problems translated. */
function guarded(build: ServerBuild): ServerBuild {
  const routes: ServerBuild['routes'] = {};
  for (const [id, route] of Object.entries(build.routes)) {
    if (!route) continue;
    const { loader, middleware } = route.module;
    const module = {
      ...route.module,
      ...(loader ? { loader: withRefusals(loader) } : {}),
      ...(middleware ? { middleware: middleware.map(withFramedRefusals) } : {}),
    };
    routes[id] = { ...route, module };
  }
  return { ...build, routes };
}
