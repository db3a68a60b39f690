/**
 * The Fastify host: gates first (request id, headers, who is calling, limits), then one
 * plugin per module, then the pages last. Built by `main.ts` for real and by tests.
 */
import { isIP } from 'node:net';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
} from 'fastify';
import { validatorCompiler, type FastifyPluginAsyncZod, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { declareAccess, type DeclaredRoute } from '#src/http/access.ts';
import { acceptOnlyJson, limitBodies } from '#src/http/body.ts';
import { identifyCallers, type CallerDeps, senderOf } from '#src/http/caller.ts';
import { sendProblem, translateErrors, UNKNOWN_ADDRESS, setValidationMessages } from '#src/http/errors.ts';
import { openApiRoutes } from '#src/http/openapi.ts';
import { hostName } from '#src/http/site.ts';
import { sendSecurityHeaders } from '#src/http/security-headers.ts';
import { problem } from '#src/shared/problem.ts';

export type ServerDeps = {
  log: FastifyBaseLogger;
  baseDomain: string;
  caller: Omit<CallerDeps, 'baseDomain'>;
  metricsToken: string | null;
  /** Proxies whose word about the sender is believed; null: none. */
  trustProxy?: string | null;
  /** Told of every answer: method, route pattern, status and milliseconds. */
  observe: (answer: { method: string; route: string; status: number; ms: number }) => void;
  /** True while the process only finishes what comes: connections are not kept for another request then. */
  isLeaving?: () => boolean;
  /** Takes one from the sender's share of cheap requests; throws too_many. */
  takeRequest: (ip: string) => void;
  /** The plugins of the modules, in any order. */
  modules: readonly (FastifyPluginAsync | FastifyPluginAsyncZod)[];
};

export type BuiltServer = { server: FastifyInstance; routes: readonly DeclaredRoute[] };

/** Builds the host; the caller listens and closes. */
export async function buildServer(deps: ServerDeps): Promise<BuiltServer> {
  const server = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: deps.trustProxy ?? false,
    requestTimeout: 120_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    rewriteUrl: (request) => readableAddress(request.url ?? '/', request.headers.accept),
    frameworkErrors: (_error, request, reply) =>
      sendProblem(reply, request, problem('bad_request', 'This address could not be understood.')),
  }).withTypeProvider<ZodTypeProvider>();
  setValidationMessages();
  server.setValidatorCompiler(validatorCompiler);
  // Presenters are the whitelists; schemas of answers document them and are checked by tests.
  server.setSerializerCompiler(() => JSON.stringify);
  acceptOnlyJson(server);
  limitBodies(server);
  translateErrors(server);
  sendSecurityHeaders(server);
  await server.register(fastifyCookie);
  countAnswers(server, deps);
  believeOnlySenderAndScheme(server);
  server.addHook('onSend', async (_request, reply) => {
    if (deps.isLeaving?.()) reply.header('connection', 'close');
  });
  server.addHook('onRequest', async (request) => {
    deps.takeRequest(senderOf(request.ip));
    rejectInvalidParams(request);
  });
  identifyCallers(server, { ...deps.caller, baseDomain: deps.baseDomain });
  server.addHook('onRequest', async (request) => {
    if (request.site.label === null && request.routeOptions.config.access?.who !== 'operator' && !isProbe(request)) {
      throw problem('not_found', UNKNOWN_ADDRESS);
    }
  });
  const routes = declareAccess(server, (request) => mayReadMetrics(request, deps));
  await server.register(openApiRoutes(routes));
  for (const module of deps.modules) await server.register(module);
  return { server: server as unknown as FastifyInstance, routes };
}

/**
 * An address with invalid percent signs (`/50%-off`) is taken literally where a browser asks for a page, which then is not
 * found like any other. API calls get 400.
 */
function readableAddress(address: string, accept = ''): string {
  const [path = '', ...query] = address.split('?');
  if (!path.includes('%') || path.startsWith('/api/') || !accept.includes('text/html')) return address;
  try {
    decodeURIComponent(path);
    return address;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/**
 * Of what a trusted proxy adds, only who asked and whether by TLS is taken: a balancer keeps the `Host` header, and a proxy
 * that passes on a visitor's own `X-Forwarded-Host` would let them choose the addresses that we answer.
 */
function believeOnlySenderAndScheme(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onRequest', async ({ headers }) => {
    delete headers['x-forwarded-host'];
    if (!/(?:^|,)\s*https?\s*$/i.test(String(headers['x-forwarded-proto'] ?? 'http')))
      delete headers['x-forwarded-proto'];
  });
}

function isProbe(request: FastifyRequest): boolean {
  return request.url === '/healthz' || request.url === '/readyz';
}

function countAnswers(server: FastifyInstance, deps: ServerDeps): void {
  server.addHook('onResponse', async (request, reply) => {
    const ms = reply.elapsedTime;
    deps.observe({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms,
    });
    request.log.info({ req: request, status: reply.statusCode, ms: Math.round(ms) }, 'answered');
  });
}

/** `?key=a&key=b` has no single meaning (bad input 13), and PostgreSQL takes no text with U+0000 or half a character. */
function rejectInvalidParams(request: FastifyRequest): void {
  for (const value of [...Object.values(request.query ?? {}), ...Object.values(request.params ?? {})] as unknown[]) {
    // Pages live with what others append to shared links.
    if (Array.isArray(value) && request.url.startsWith('/api/'))
      throw problem('bad_request', 'A parameter was given twice.');
    for (const text of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof text === 'string' && (text.includes('\u0000') || !text.isWellFormed()))
        throw problem('bad_request', 'This address could not be understood.');
  }
}

/** Headers of a forwarded request, whatever machine the proxy runs on. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/** With a token only its holder; without one this machine by its own name, and no one where proxies are configured. */
function mayReadMetrics(request: FastifyRequest, deps: Pick<ServerDeps, 'metricsToken' | 'trustProxy'>): boolean {
  const { metricsToken, trustProxy = null } = deps;
  if (metricsToken === null)
    return (
      trustProxy === null &&
      FORWARDED.every((name) => request.headers[name] === undefined) &&
      isLoopback(request.socket.remoteAddress ?? '') &&
      isOwnName(hostName(request.headers.host) ?? '')
    );
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A proxy that passes bytes on keeps the site's public name. */
function isOwnName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host.replace(/^\[|\]$/g, ''));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return isIP(plain) !== 0 && (plain === '::1' || plain.startsWith('127.'));
}
