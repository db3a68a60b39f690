import { Suspense, use } from 'react';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createRequestHandler,
  data,
  Links,
  Meta,
  Outlet,
  redirect,
  RouterContextProvider,
  UNSAFE_decodeViaTurboStream as decode,
  useLoaderData,
  type LoaderFunctionArgs,
  type ServerBuild,
} from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import * as entry from '#src/entry.server.tsx';
import { requestContext, type PageContext } from '#src/web/app-context.ts';
import { answeredOnce, createDocuments, rememberAnswers } from '#src/web/documents/documents.ts';
import { renderedPage } from '#src/web/documents/render-html.ts';
import { routerText } from '#src/web/documents/router-text.ts';
import { PageScripts } from '#src/web/page-head.tsx';

const OTHER = { again: 'words', list: [], '': 0 };
const PLAIN = {
  words: 'a “word” </script> `${x}` \\ \n',
  again: 'words',
  none: null,
  no: undefined,
  yes: true,
  OTHER,
  same: [OTHER, 1.5, -1, 0],
};

/** Of each loader and middleware, in their order. */
let calls: string[] = [];
let reports: unknown[] = [];
beforeEach(() => {
  calls = [];
  reports = [];
  waits = false;
});

function Shown() {
  return <p>{JSON.stringify(useLoaderData())}</p>;
}

const never = new Promise<string>(() => undefined);
let soon = never;
/** What waits is sent as a stream. */
let waits = false;
function Late() {
  return <b>{waits ? use(soon) : 'soon'}</b>;
}
const Waiting = () => (
  <Suspense>
    <Late />
  </Suspense>
);

type Module = Record<string, unknown>;

const pages: Record<string, Module> = {
  plain: { default: Shown, loader: () => PLAIN },
  bare: { default: () => <p>No data</p> },
  refused: { default: Shown, loader: () => Promise.reject(data({ message: 'no' }, { status: 403 })) },
  broken: { default: Shown, loader: () => Promise.reject(new Error('broken')) },
  moved: { default: Shown, loader: () => redirect('/plain') },
  stopped: { default: Shown, middleware: [() => Promise.reject(redirect('/bare'))], loader: () => PLAIN },
  dated: { default: Shown, loader: () => ({ at: new Date(7) }) },
  created: { default: Shown, loader: () => data(PLAIN, { status: 201 }) },
  cookie: { default: Shown, loader: () => data(PLAIN, { headers: { 'set-cookie': 'a=1' } }) },
  secret: { default: Shown, loader: () => PLAIN, headers: () => ({ 'cache-control': 'no-store' }) },
  bad: {
    default: () => {
      throw new Error('bad screen');
    },
    loader: () => PLAIN,
  },
  late: {
    default: Waiting,
    meta: () => [{ title: 'Late' }],
    loader: () => PLAIN,
  },
  resource: { loader: () => new Response('text') },
};

const counted = (name: string, handler: unknown) =>
  answeredOnce((args: LoaderFunctionArgs) => {
    calls.push(name);
    return (handler as (args: LoaderFunctionArgs) => unknown)(args);
  });

function route(id: string, module: Module, place: object) {
  const { loader, middleware } = module;
  return {
    id,
    ...place,
    module: {
      ...module,
      ...(loader ? { loader: counted(id, loader) } : {}),
      ...(Array.isArray(middleware) ? { middleware: middleware.map((each) => counted(`${id} gate`, each)) } : {}),
    },
  };
}

const root = {
  Layout: ({ children }: { children: React.ReactNode }) => (
    <html lang="en">
      <head>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <PageScripts />
      </body>
    </html>
  ),
  default: () => <Outlet />,
  ErrorBoundary: Waiting,
  meta: () => [{ title: 'Documents' }],
  links: () => [{ rel: 'icon', href: '/icon.svg' }],
  middleware: [() => undefined],
  loader: ({ url }: LoaderFunctionArgs) => {
    soon = sleep(5, 'soon');
    return { address: url.href, again: 'words' };
  },
};

const routes: Record<string, ReturnType<typeof route>> = Object.fromEntries([
  ['root', route('root', root, { path: '' })],
  ...Object.entries(pages).map(([id, module]) => [id, route(id, module, { path: id, parentId: 'root' })]),
]);

const build = {
  entry: { module: entry },
  routes,
  assets: {
    url: '/assets/manifest.js',
    version: '1',
    entry: { module: '/assets/entry.js', imports: ['/assets/framework.js'] },
    routes: Object.fromEntries(
      Object.entries(routes).map(([id, { module, ...place }]) => [
        id,
        {
          ...place,
          module: `/assets/${id}.js`,
          imports: ['/assets/kit.js'],
          hasLoader: 'loader' in module,
          hasErrorBoundary: id === 'root',
        },
      ]),
    ),
  },
  basename: '/',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
} as unknown as ServerBuild;

const write = createDocuments(build);
const handler = createRequestHandler(build, 'production');

async function askedFor(path: string) {
  const url = new URL(path, 'http://lakeside.test');
  const context = new RouterContextProvider();
  context.set(requestContext, {
    url,
    nonce: 'N0NCE',
    sheet: null,
    report: (error: unknown) => reports.push(error),
  } as unknown as PageContext);
  rememberAnswers(context);
  return { url, context, request: new Request(url, { headers: { 'user-agent': 'Googlebot' } }) };
}

const textOf = async (body: Buffer | Readable) => String(Buffer.isBuffer(body) ? body : await buffer(body));

async function written(path: string): Promise<string | null> {
  const { request, url, context } = await askedFor(path);
  const body = await write(request, url, context);
  return body && textOf(body);
}

async function answered(path: string, { isTriedBefore = false } = {}) {
  const { request, url, context } = await askedFor(path);
  if (isTriedBefore) expect(await write(request, url, context)).toBeNull();
  const response = await handler(request, context);
  const page = context.get(renderedPage);
  return {
    status: response.status,
    headers: [...response.headers],
    body: page ? await textOf(page) : await response.text(),
    calls: calls.splice(0),
    reports: reports.splice(0),
  };
}

describe('a document', () => {
  test.each(['/plain', '/plain?search=a%20b&x=%C3%BC', '/plain/?_routes=root', '/bare', '/late'])(
    '%s is byte for byte what the router’s handler writes',
    async (path) => {
      waits = path === '/late';
      const html = await written(path);
      const callsOfOurs = calls.splice(0);
      const { body, ...expected } = await answered(path);
      expect(html).toBe(body);
      expect(callsOfOurs).toEqual(expected.calls);
      expect(expected).toMatchObject({
        status: 200,
        headers: [['content-type', 'text/html; charset=utf-8']],
        reports: [],
      });
    },
  );

  test.each([
    '/refused',
    '/broken',
    '/moved',
    '/stopped',
    '/dated',
    '/created',
    '/cookie',
    '/secret',
    '/bad',
    '/resource',
    '/nowhere',
  ])('%s is left to the router’s handler, which asks nothing twice', async (path) => {
    const expected = await answered(path);
    expect(await answered(path, { isTriedBefore: true })).toEqual(expected);
    expect(new Set(expected.calls).size).toBe(expected.calls.length);
  });

  test.each(['/late', '/refused', '/broken', '/nowhere'])(
    '%s has the elements in one piece that the router’s components render in a stream',
    async (path) => {
      // The data are compared above.
      const elementsOf = (html: string) =>
        [...html.matchAll(/<(title|script)\b.*?<\/\1>|<(?:meta|link)\b.*?\/>/gs)]
          .map(([element]) => element)
          .filter((element) => !/streamController\.(?:enqueue|close)/.test(element))
          .toSorted();
      const { body } = await answered(path);
      waits = true;
      soon = sleep(5, 'soon');
      const { body: streamed } = await answered(path);
      expect(streamed).not.toBe(body);
      expect(elementsOf(body)).toEqual(elementsOf(streamed));
    },
  );

  test('that nobody waits for any more is not written', async () => {
    const { url, context } = await askedFor('/plain');
    expect(await write(new Request(url, { signal: AbortSignal.abort() }), url, context)).toBeNull();
  });
});

describe('the data for the browser’s router', () => {
  test('are read by it', async () => {
    const text = routerText({ loaderData: { root: PLAIN }, errors: null }) as string;
    const { value } = await decode(new Blob([text]).stream(), globalThis);
    expect(value).toEqual({ loaderData: { root: PLAIN }, errors: null });
  });

  test.each([
    new Date(),
    never,
    new Map(),
    Number.NaN,
    -0,
    1n,
    Symbol.for('a'),
    () => 1,
    Object.create(null),
    new Error('e'),
  ])('are not plain with %s', (value) => {
    expect(routerText({ value })).toBeNull();
  });
});
