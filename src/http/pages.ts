/**
 * The route of the pages: everything that no other route answers. Makes the page's context from the request, lets the
 * bundle render, and sends the result with its policy. Failures become error pages here, not JSON: an unknown host, an
 * unreachable database, anything unexpected.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Subject } from '#src/features/tenancy/revisions.sql.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { isOwnNavigation } from '#src/http/caller.ts';
import { serveAssets } from '#src/http/assets.ts';
import { compressed, compressOnce, encodingFor, readySheet, withSheet, type Sheet } from '#src/http/compression.ts';
import { tagOf } from '#src/http/etag.ts';
import type { CachedResponse, SendCached } from '#src/http/response-cache.ts';
import { contentPolicy, WALLET_HEADERS, withoutNonce } from '#src/http/security-headers.ts';
import { clearSessionCookie, DEVICE_COOKIE, setDeviceCookie, setSessionCookie } from '#src/http/cookies.ts';
import { acceptPlainForms, FORM_CONSTRAINT, SEE_OTHER, withoutSecrets, type PlainForm } from '#src/http/plain-forms.ts';
import { hostName } from '#src/http/site.ts';
import { DEFAULT_TIME_ZONE } from '#src/shared/dates.ts';
import { isEmbeddable } from '#src/shared/embedding.ts';
import { isProblem, notFound, statusOf, type Problem } from '#src/shared/problem.ts';
import type { PageContext, PageFailure, Services } from '#src/web/app-context.ts';
import type { PageAnswer } from '#src/web/host.ts';

type PagesOptions = {
  app: Services;
  /** `built`: the bundle below `build/`; `vite`: compiled on request, with hot reload. */
  mode: 'built' | 'vite';
  /** The project's folder. */
  root: string;
  /** Caches pages that are the same for every visitor. */
  sendCached: SendCached;
  /** Other origins the pages may talk to: the object store. */
  connect?: readonly string[];
  /** Origins of the card provider's scripts and frames. */
  cards?: readonly string[];
  /** The CDN of public pictures; null: none. */
  picturesFrom?: string | null;
  /** Forms of pages that also work without JavaScript. */
  forms?: readonly PlainForm[];
};

/** `sheet`: the built style sheet; null in development, where it changes. */
type Loaded = { loadHost: () => Promise<Host>; sheet: Sheet | null };
type Host = { render(request: Request, context: PageContext): Promise<PageAnswer> };

const PAGES = '/*';
const access = {
  who: 'anyone',
  why: 'pages: each loader asks the services, which know the caller',
  // The guards redirect to the page where a password is chosen.
  whileChoosing: true,
} as const;
/** Hosts whose brand error pages still know while the database is down. */
const REMEMBERED_HOSTS = 1_000;
const WENT_WRONG = 'Something went wrong on our side. Please try again.';

/** What the pages of a process need: the bundle, and the brands for error pages while the database is unreachable. */
type Pages = Loaded & {
  options: PagesOptions;
  seen: Map<string, Organization>;
};

/** The Fastify plugin; register it after all modules. */
export function pageRoutes(options: PagesOptions): FastifyPluginAsync {
  return async (server) => {
    if (!server.hasConstraintStrategy(FORM_CONSTRAINT.name)) server.addConstraintStrategy(FORM_CONSTRAINT);
    const loaded =
      options.mode === 'built' ? await builtHost(server, options.root) : await viteHost(server, options.root);
    const pages: Pages = { ...loaded, options, seen: new Map() };
    server.setErrorHandler((error, request, reply) =>
      // No call has this address, whatever else was wrong: a program gets no page.
      isCall(request) ? reply.callNotFound() : sendFailure(pages, request, reply, error),
    );
    acceptPlainForms(server);
    for (const form of options.forms ?? []) takeForm(server, pages, form);
    server.get(PAGES, { config: { access } }, async (request, reply) => {
      if (isCall(request)) return reply.callNotFound();
      return sendPage(pages, request, reply);
    });
  };
}

const isCall = ({ url }: FastifyRequest) => url.startsWith('/api/');

type Given = Pick<PageContext, 'tenant' | 'failure' | 'form'>;
/** A page as rendered for one request. `madeOf`: the content it depends on, if it is the same for every visitor. */
type Rendered = { answer: PageAnswer; url: URL; nonce: string; madeOf: readonly Subject[] | null };

/** A page that is the same for everyone comes from the cache while its content has not changed; any other is rendered. */
async function sendPage(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return pages.options.sendCached(request, reply, async (isShared) => {
    const given = { tenant: await tenantOf(pages, request), failure: null, form: null };
    // Other requests may wait for a page that is shared.
    const signal = isShared ? new AbortController().signal : untilGone(reply);
    const page = await rendered(pages, request, reply, given, signal);
    const { answer, madeOf } = page;
    const isWhole =
      answer.status === 200 && Buffer.isBuffer(answer.body) && !answer.headers.some(([name]) => name === 'set-cookie');
    return {
      madeOf: isWhole ? madeOf : null,
      send: () => sendFresh(pages, request, reply, page),
      forCache: () => pageForCache(pages, request, page),
    };
  });
}

async function pageForCache(
  { options, sheet }: Pages,
  request: FastifyRequest,
  { answer, url, nonce }: Rendered,
): Promise<CachedResponse> {
  const encoding = encodingFor(request);
  const { html, inline } = withoutNonce(String(withSheet(answer.body as Buffer, sheet)), nonce);
  const body = await compressOnce(Buffer.from(html), encoding);
  return {
    body,
    route: request.work.name,
    headers: {
      ...Object.fromEntries(answer.headers),
      ...(options.cards?.length ? WALLET_HEADERS : {}),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      vary: 'accept-encoding',
      'content-security-policy': policyOf(options, url, inline),
      etag: tagOf(body),
    },
  };
}

/** Aborted when the browser disconnects before it has its answer. */
function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

async function rendered(
  { options, loadHost, sheet }: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  given: Given,
  signal: AbortSignal,
): Promise<Rendered> {
  const url = addressOf(request);
  const nonce = randomBytes(16).toString('base64');
  let madeOf: readonly Subject[] | null = null;
  const host = await loadHost();
  const answer = await host.render(requestOf(request, { url, method: given.form ? 'GET' : request.method, signal }), {
    ...given,
    app: options.app,
    caller: request.caller,
    url,
    nonce,
    // Members return all day and have the file cached; a visitor's first paint must not wait for a second file.
    sheet: request.caller?.actor.kind === 'user' ? null : (sheet?.mark ?? null),
    isOwnNavigation: isOwnNavigation(request.method, request.headers),
    setSubjects: (subjects) => void (madeOf = subjects),
    isRoute: (pattern) => void (request.work.name = routeOf(pattern)),
    endSession: async () => {
      await options.app.accounts.logOut(request.caller);
      clearSessionCookie(request, reply);
    },
    report: (error) => request.log.error({ err: error }, 'a page failed'),
  });
  return { answer, url, nonce, madeOf };
}

async function send(pages: Pages, request: FastifyRequest, reply: FastifyReply, given: Given): Promise<FastifyReply> {
  const page = await rendered(pages, request, reply, given, untilGone(reply));
  return sendFresh(pages, request, reply, page, given.form);
}

async function sendFresh(
  { options, sheet }: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, url, nonce }: Rendered,
  form: Given['form'] = null,
): Promise<FastifyReply> {
  reply.code(form && answer.status === 200 ? form.status : answer.status);
  for (const [name, value] of answer.headers) reply.header(name, value);
  const own = `'nonce-${nonce}'`;
  reply.header('content-security-policy', policyOf(options, url, { scripts: own, styles: own }));
  if (options.cards?.length) reply.headers(WALLET_HEADERS);
  if (answer.body === null) return reply.send();
  reply.header('vary', 'accept-encoding');
  const isPage = answer.headers.some(([name, value]) => name === 'content-type' && value.startsWith('text/html'));
  const { body, encoding } = await compressed(request, answer.body, isPage ? sheet : null);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}

function policyOf(options: PagesOptions, url: URL, inline: { scripts: string; styles: string }): string {
  return contentPolicy({
    inline,
    connect: options.connect ?? [],
    cards: options.cards ?? [],
    pictures: options.picturesFrom ? [options.picturesFrom, ...ownHosts(options.app.site.baseDomain, url)] : [],
    mayBeFramed: isEmbeddable(url),
    forms: ownHosts(options.app.site.baseDomain, url),
    development: options.mode === 'vite',
  });
}

/** The error page; a plain sentence if even that fails. */
async function sendFailure(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  try {
    const failure = failureOf(error, request);
    return await send(pages, request, reply, {
      tenant: await tenantOfFailure(pages, request, failure),
      failure,
      form: null,
    });
  } catch (worse) {
    request.log.error({ err: worse }, 'the error page failed');
    return reply
      .code(500)
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="en"><title>Sideline</title><p>${WENT_WRONG}</p></html>`);
  }
}

async function tenantOf({ options, seen }: Pages, request: FastifyRequest): Promise<PageContext['tenant']> {
  const { label } = request.site;
  const organization = label === null ? null : await options.app.organizations.byHostLabel(label);
  if (label === null || !organization) throw notFound();
  if (!seen.has(label) && seen.size >= REMEMBERED_HOSTS) seen.clear();
  seen.set(label, organization);
  return { organization };
}

/** Whose brand the error page has: also while the database is unreachable, as far as this process remembers. */
async function tenantOfFailure(
  pages: Pages,
  request: FastifyRequest,
  { status }: PageFailure,
): Promise<PageContext['tenant']> {
  const known = pages.seen.get(request.site?.label ?? '');
  if (known) return { organization: known };
  return status === 503 ? NO_TENANT : tenantOf(pages, request).catch(() => NO_TENANT);
}

/** Shows the page again, with its messages and everything that was typed except passwords. */
async function showAgain(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Problem,
): Promise<FastifyReply> {
  const { errors = {}, retryAfterSeconds } = refusal.details;
  const values = withoutSecrets(request.body as Record<string, string>);
  const messages = Object.keys(errors).length > 0 ? [] : [refusal.message];
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  const tenant = await tenantOf(pages, request);
  await send(pages, request, reply, {
    tenant,
    failure: null,
    form: { status: statusOf(refusal.code), values, errors, messages },
  });
  return reply;
}

/** Handles a form that was sent without JavaScript: redirects, or shows the page again. */
function takeForm(server: FastifyInstance, pages: Pages, form: PlainForm): void {
  server.post(
    form.path,
    { constraints: { sentAs: 'form' }, config: { access: { who: 'anyone', why: form.why } } },
    async (request, reply) => {
      // A host that no organization has takes no forms.
      await tenantOf(pages, request);
      try {
        const taken = await form.handle({
          caller: request.caller,
          fields: (request.body ?? {}) as Record<string, string>,
          url: addressOf(request),
          hostLabel: request.site.label,
          device: request.cookies[DEVICE_COOKIE] ?? null,
        });
        if (taken.token !== undefined) setSessionCookie(request, reply, taken.token);
        if (taken.device !== undefined) setDeviceCookie(request, reply, taken.device);
        return reply.header('cache-control', 'no-store').redirect(taken.to, SEE_OTHER);
      } catch (error) {
        if (!isProblem(error)) throw error;
        return showAgain(pages, request, reply, error);
      }
    },
  );
}

/** Every host of the site, on this request's port; no scheme means the page's own scheme. */
function ownHosts(baseDomain: string, { port }: URL): string[] {
  const suffix = port === '' ? baseDomain : `${baseDomain}:${port}`;
  return [suffix, `*.${suffix}`];
}

async function builtHost(server: FastifyInstance, root: string): Promise<Loaded> {
  const assets = join(root, 'build/client/assets');
  await serveAssets(server, assets);
  // Other sheets belong to chunks that are loaded later, such as the gestures of the lightbox.
  const name = (await readdir(assets)).find((file) => /^styles-.*\.css$/.test(file));
  if (name === undefined) throw new Error('the build has no style sheet of the pages');
  const sheet = readySheet(await readFile(join(assets, name), 'utf8'));
  const host = (await import(pathToFileURL(join(root, 'build/server/index.js')).href)) as Host;
  return { loadHost: async () => host, sheet };
}

async function viteHost(server: FastifyInstance, root: string): Promise<Loaded> {
  const { startVite } = await import('#src/http/pages-dev.ts');
  const vite = await startVite(server, root);
  return { loadHost: async () => (await vite.ssrLoadModule('/src/web/host.ts')) as Host, sheet: null };
}

function failureOf(error: unknown, request: FastifyRequest): PageFailure {
  if (isProblem(error)) return { status: statusOf(error.code), message: error.message };
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return { status, message: 'We couldn’t understand this request.' };
  request.log.error({ err: error }, 'unexpected failure');
  return { status: 500, message: WENT_WRONG };
}

/** Requests that no page answers are counted under the route of all pages. */
const routeOf = (pattern: string) => (pattern === '' ? PAGES : `/${pattern.replace(/^\//, '')}`);

const NO_ADDRESS = 'http://unknown.invalid';

/** The address as the browser sent it; a host that cannot be valid still gets its error page. */
function addressOf(request: FastifyRequest): URL {
  const base = hostName(request.headers.host) === null ? NO_ADDRESS : `${request.protocol}://${request.host}`;
  // Appended to the host, not resolved against it: in `//evil.example` and `/\\evil.example` everything is path.
  return (request.url.startsWith('/') ? URL.parse(`${base}${request.url}`) : null) ?? new URL('/', NO_ADDRESS);
}

/**
 * What the router and loaders read of a request. A whole `Request` follows its signal with an object that stays until V8
 * collects old ones (decision record 0173).
 */
function requestOf(
  request: FastifyRequest,
  { url, ...rest }: { url: URL; method: string; signal: AbortSignal },
): Request {
  return { ...rest, url: url.href, headers: headersOf(request) } as Request;
}

/** Only what pages may read: nothing else is passed to the bundle. */
function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const name of ['user-agent', 'accept', 'accept-language', 'sec-fetch-site']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

/** Used when the failure came before the organization was known; no loader reads it. */
const NO_TENANT: PageContext['tenant'] = {
  organization: {
    id: 0,
    kind: 'root',
    name: 'Sideline',
    domainName: 'www',
    parentOrganizationId: null,
    freeTier: false,
    shareBps: 0,
    primaryColor: '#0099CC',
    defaultPhotoPriceCents: 0,
    pictureKeys: { logo: null, home_image: null, tablet_ad: null, mobile_ad: null },
    tabletAdUrl: null,
    mobileAdUrl: null,
    canAddCustomPayment: false,
    stripePk: null,
    contactEmail: null,
    takesPromoCodes: false,
    takesCodes: false,
    timeZone: DEFAULT_TIME_ZONE,
  } satisfies Organization,
};
