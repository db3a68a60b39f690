/**
 * The only entry into the pages' bundle. The server passes a request and a plain object in and gets a plain answer out,
 * because classes and context keys differ between the two module graphs.
 */
import { Readable } from 'node:stream';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import * as serverBuild from 'virtual:react-router/server-build';
import { requestContext, type PageContext } from '#src/web/app-context.ts';
import { answeredOnce, createDocuments, rememberAnswers } from '#src/web/documents/documents.ts';
import { mayBeFound } from '#src/web/robots.ts';
import { renderedPage } from '#src/web/documents/render-html.ts';
import { createRouteGroups } from '#src/web/documents/route-groups.ts';
import { withFramedRefusals, withRefusals } from '#src/web/refusals.ts';

export type PageAnswer = {
  status: number;
  /** `Set-Cookie` may occur several times. */
  headers: [name: string, value: string][];
  body: Readable | Buffer | null;
};

const build = guarded(serverBuild as ServerBuild);
const groups = createRouteGroups(build.routes);
type Handlers = { write: ReturnType<typeof createDocuments>; answer: ReturnType<typeof createRequestHandler> };
const handlers = new Map<string | null, Handlers>();

function handlersOf(pathname: string): Handlers {
  const label = groups.labelOf(pathname);
  const known = handlers.get(label);
  if (known) return known;
  const part = { ...build, routes: groups.routesOf(label) };
  const made = { write: createDocuments(part), answer: createRequestHandler(part, import.meta.env.MODE) };
  handlers.set(label, made);
  return made;
}

async function answered(request: Request, context: PageContext): Promise<PageAnswer> {
  const provider = new RouterContextProvider();
  provider.set(requestContext, context);
  rememberAnswers(provider);
  const { write, answer } = handlersOf(context.url.pathname);
  // In development the router adds to documents.
  const isDocument = import.meta.env.PROD && request.method === 'GET' && !context.url.pathname.endsWith('.data');
  const written = isDocument ? await write(request, context.url, provider) : null;
  if (written) return { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: written };
  const { status, headers, body } = await answer(request, provider);
  const page = request.method === 'HEAD' ? null : provider.get(renderedPage);
  return {
    status,
    headers: [
      ...[...headers].filter(([name]) => name !== 'set-cookie'),
      ...headers.getSetCookie().map((cookie): [string, string] => ['set-cookie', cookie]),
    ],
    body: page ?? (body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : null),
  };
}

/** A page that failed reloads automatically, every second (rule 35). */
const RETRY_SOON = { 'retry-after': '1', refresh: '1', 'cache-control': 'no-store' };

/** Renders the page (or the loader data, for navigations in the browser) that `request` asks for. */
export async function render(request: Request, context: PageContext): Promise<PageAnswer> {
  const { status, headers, body } = await answered(request, context);
  // What a member sees may contain passwords and keys, and what a family sees is about a child: none of it is stored in
  // a browser that others may use.
  const isPersonal = context.caller?.actor.kind === 'user' || context.caller?.family !== undefined;
  const own: Record<string, string> = {};
  if (!headers.some(([name]) => name === 'cache-control'))
    own['cache-control'] = isPersonal ? 'private, no-store' : 'private, no-cache';
  if (status === 503) Object.assign(own, RETRY_SOON);
  if (status !== 200 || !mayBeFound(context.url.pathname)) own['x-robots-tag'] = 'noindex, nofollow';
  return { status, headers: [...headers.filter(([name]) => !(name in own)), ...Object.entries(own)], body };
}

/** Loaders and middleware of every route, with problems translated. */
function guarded(build: ServerBuild): ServerBuild {
  const routes: ServerBuild['routes'] = {};
  for (const [id, route] of Object.entries(build.routes)) {
    if (!route) continue;
    const { loader, middleware } = route.module;
    const module = {
      ...route.module,
      ...(loader ? { loader: answeredOnce(withRefusals(loader)) } : {}),
      ...(middleware ? { middleware: middleware.map((each) => answeredOnce(withFramedRefusals(each))) } : {}),
    };
    routes[id] = { ...route, module };
  }
  return { ...build, routes };
}
