/**
 * The door to the pages: everything that no other route answers. Makes the page's context from
 * the request, lets the bundle render, and sends what comes back with its policy. Failures
 * become error pages here, not JSON: an unknown host, a database that is away, anything unexpected.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '#src/app.ts';
import type { Organization } from '#src/features/organizations/organizations.rules.ts';
import { wentHereThemselves } from '#src/http/arrival.ts';
import { serveAssets } from '#src/http/assets.ts';
import { contentPolicy } from '#src/http/content-policy.ts';
import { clearSessionCookie } from '#src/http/cookies.ts';
import { squeezed } from '#src/http/squeezed.ts';
import { isEmbeddable } from '#src/shared/embedding.ts';
import { isProblem, notFound, statusOf } from '#src/shared/problem.ts';
import type { PageContext, PageFailure } from '#src/web/app-context.ts';
import type { PageAnswer } from '#src/web/host.ts';

export type PagesOptions = {
  app: App;
  /** `built`: the bundle below `build/`; `vite`: made on the fly, with hot reload. */
  mode: 'built' | 'vite';
  /** The project's folder. */
  root: string;
  /** Other origins the pages may talk to: the object store. */
  connect?: readonly string[];
  /** Origins of the card provider's scripts and frames. */
  cards?: readonly string[];
};

type Host = { render(request: Request, context: PageContext): Promise<PageAnswer> };

const access = {
  who: 'anyone',
  why: 'pages: each loader asks the services, which know the caller',
  // The guards lead to the choice of a password.
  whileChoosing: true,
} as const;
const WENT_WRONG = 'Something went wrong on our side. Please try again.';

/** The Fastify plugin; register it after all rooms. */
export function pagesDoor(options: PagesOptions): FastifyPluginAsync {
  return async (server) => {
    const loadHost =
      options.mode === 'built' ? await builtHost(server, options.root) : await viteHost(server, options.root);

    async function send(
      request: FastifyRequest,
      reply: FastifyReply,
      given: Pick<PageContext, 'tenant' | 'failure'>,
    ): Promise<FastifyReply> {
      const url = addressOf(request);
      const nonce = randomBytes(16).toString('base64');
      const gone = new AbortController();
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) gone.abort();
      });
      const host = await loadHost();
      const answer = await host.render(
        new Request(url, { method: request.method, headers: headersOf(request), signal: gone.signal }),
        {
          ...given,
          app: options.app,
          caller: request.caller,
          url,
          nonce,
          wentHereThemselves: wentHereThemselves(request.method, request.headers),
          endSession: async () => {
            await options.app.accounts.logOut(request.caller);
            clearSessionCookie(request, reply);
          },
          report: (error) => request.log.error({ err: error }, 'a page failed'),
        },
      );
      reply.code(answer.status);
      for (const [name, value] of answer.headers) reply.header(name, value);
      reply.header(
        'content-security-policy',
        contentPolicy({
          nonce,
          connect: options.connect ?? [],
          cards: options.cards ?? [],
          mayBeFramed: isEmbeddable(url),
          development: options.mode === 'vite',
        }),
      );
      return answer.body === null ? reply.send() : reply.send(await squeezed(request, reply, answer.body));
    }

    server.setErrorHandler(async (error, request, reply) => {
      try {
        return await send(request, reply, { tenant: NOBODYS, failure: failureOf(error, request) });
      } catch (worse) {
        request.log.error({ err: worse }, 'the error page failed');
        return reply
          .code(500)
          .type('text/html; charset=utf-8')
          .send(`<!doctype html><html lang="en"><title>Sideline</title><p>${WENT_WRONG}</p></html>`);
      }
    });

    server.get('/*', { config: { access } }, async (request, reply) => {
      if (request.url.startsWith('/api/')) return reply.callNotFound();
      const organization =
        request.site.label === null ? null : await options.app.organizations.byHostLabel(request.site.label);
      if (!organization) throw notFound();
      return send(request, reply, { tenant: { organization }, failure: null });
    });
  };
}

async function builtHost(server: FastifyInstance, root: string): Promise<() => Promise<Host>> {
  await serveAssets(server, join(root, 'build/client/assets'));
  const host = (await import(pathToFileURL(join(root, 'build/server/index.js')).href)) as Host;
  return async () => host;
}

async function viteHost(server: FastifyInstance, root: string): Promise<() => Promise<Host>> {
  const { startVite } = await import('#src/http/pages-dev.ts');
  const vite = await startVite(server, root);
  return async () => (await vite.ssrLoadModule('/src/web/host.ts')) as Host;
}

function failureOf(error: unknown, request: FastifyRequest): PageFailure {
  if (isProblem(error)) return { status: statusOf(error.code), message: error.message };
  const status = (error as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return { status, message: 'This request could not be understood.' };
  request.log.error({ err: error }, 'unexpected failure');
  return { status: 500, message: WENT_WRONG };
}

/** The address as the browser wrote it; a host that cannot be one still gets its error page. */
function addressOf(request: FastifyRequest): URL {
  const base = `${request.protocol}://${request.host}`;
  const path = request.url.startsWith('//') ? `/.${request.url}` : request.url;
  return URL.parse(path, base) ?? new URL('/', 'http://unknown.invalid');
}

/** Only what pages may look at: nobody else's business gets into the bundle. */
function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const name of ['user-agent', 'accept', 'accept-language', 'sec-fetch-site']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

/** Stands in where the failure came before the organisation was known; no loader sees it. */
const NOBODYS: PageContext['tenant'] = {
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
    timeZone: 'America/New_York',
  } satisfies Organization,
};
