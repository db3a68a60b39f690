/**
 * Documents without the router's request handler: it matches each address twice, follows each loader with the request's
 * signal, and makes streams, timers and headers for what is ready (decision record 0175). Anything unusual is left to it.
 */
import type { Readable } from 'node:stream';
import {
  createContext,
  createStaticHandler,
  type DataStrategyFunctionArgs,
  type RouterContextProvider,
  type RouteObject,
  type ServerBuild,
} from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import { routerText } from '#src/web/documents/router-text.ts';
import { writePage } from '#src/web/documents/write-page.tsx';

type Context = Readonly<RouterContextProvider>;
type Handler = (args: { context: Context }) => unknown;

/** What middleware and loaders of a request have answered so far: the router's handler goes on from that. */
const answers = createContext<Map<unknown, Promise<unknown>>>();

/** To be called before the first of a request. */
export const rememberAnswers = (context: RouterContextProvider): void => context.set(answers, new Map());

/** A middleware or loader that answers a request once, however often it is asked. */
export function answeredOnce<F>(handler: F): F {
  const once = async (args: { context: Context }) => {
    const known = args.context.get(answers);
    const answer = known.get(handler) ?? (async () => (handler as Handler)(args))();
    known.set(handler, answer);
    return answer;
  };
  return once as F;
}

const UNUSUAL = new Error('left to the router’s handler');

/**
 * Makes documents of these routes. Null: the router's handler has to answer, because something failed, redirects, has
 * headers of its own, or has data that are not plain.
 */
export function createDocuments({ routes, assets, basename, future, ssr, routeDiscovery }: ServerBuild) {
  const { query } = createStaticHandler(routesBelow(routes, undefined));
  const routeModules = Object.fromEntries(
    Object.values(routes).flatMap((route) => (route ? [[route.id, route.module]] : [])),
  );
  const ofAll = {
    manifest: assets,
    routeModules,
    future,
    ssr,
    routeDiscovery,
    isSpaMode: false,
    // Without characters that end a script.
    serverHandoffString: JSON.stringify({ basename, future, routeDiscovery, ssr, isSpaMode: false }),
    branches: [],
  };

  /** Middleware one after the other, then all loaders together. */
  async function dataStrategy({ matches, request, url, params, pattern, context }: DataStrategyFunctionArgs<unknown>) {
    const page = routes[matches.at(-1)?.route.id ?? '']?.module;
    if (!page?.default || matches.some(({ route }) => routes[route.id]?.module.headers)) throw UNUSUAL;
    const args = { request, url, params, pattern, context: context as Context };
    for (const { route } of matches) {
      for (const middleware of route.middleware ?? [])
        if ((await (middleware as Handler)(args)) !== undefined) throw UNUSUAL;
    }
    const loaded = await Promise.all(
      matches.flatMap(({ route: { id, loader } }) =>
        loader
          ? [(async () => [id, { type: 'data' as const, result: await (loader as Handler)(args) }] as const)()]
          : [],
      ),
    );
    return Object.fromEntries(loaded);
  }

  return async (request: Request, url: URL, context: RouterContextProvider): Promise<Buffer | Readable | null> => {
    try {
      const loaded = await query(request, { requestContext: context, dataStrategy, normalizePath: () => pathOf(url) });
      if (loaded instanceof Response || loaded.errors || loaded.statusCode !== 200) return null;
      if (Object.keys(loaded.loaderHeaders).length > 0) return null;
      const { loaderData, actionData, errors } = loaded;
      const data = routerText({ loaderData, actionData, errors });
      if (data === null) return null;
      const entry = { ...ofAll, staticHandlerContext: loaded, renderMeta: {} };
      return await writePage(request, entry, data, context.get(requestContext));
    } catch {
      // What failed fails again there, and is reported.
      return null;
    }
  };
}

/** As the router's handler reads it. */
function pathOf({ pathname, search }: URL) {
  const params = new URLSearchParams(search);
  params.delete('_routes');
  return { pathname, search: params.size > 0 ? `?${params}` : '', hash: '' };
}

/** The tree of what the build has in a list. */
function routesBelow(routes: ServerBuild['routes'], parentId: string | undefined): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { id, path, index, caseSensitive, module } = route;
    const { middleware, loader, handle } = module;
    const ErrorBoundary = id === 'root' || module.ErrorBoundary ? () => null : undefined;
    const common = { id, path, handle, middleware, loader, ErrorBoundary } as RouteObject;
    return [
      index ? { ...common, index } : { ...common, caseSensitive, children: routesBelow(routes, id) },
    ] as RouteObject[];
  });
}
