/**
 * The Fastify host: first the checks (request id, headers, caller, limits), then one plugin per module, and the pages
 * last. Built by `main.ts` and by tests.
 */
import fastifyCookie from '@fastify/cookie';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyRequest,
} from 'fastify';
import { validatorCompiler, type FastifyPluginAsyncZod, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { declareAccess, type DeclaredRoute, type GateDeps } from '#src/http/access.ts';
import { acceptOnlyJson, limitBodies } from '#src/http/body.ts';
import { identifyCallers, type CallerDeps, senderOf } from '#src/http/caller.ts';
import { sendProblem, translateErrors, UNKNOWN_ADDRESS, setValidationMessages } from '#src/http/errors.ts';
import { openApiRoutes } from '#src/http/openapi.ts';
import type { WebhookMessage } from '#src/http/openapi-document.ts';
import { mayReadMetrics } from '#src/http/operator.ts';
import { callWhenDone, followRequests, idOf, trustIn } from '#src/http/request-work.ts';
import { sendSecurityHeaders } from '#src/http/security-headers.ts';
import { STORAGE_PATH } from '#src/platform/storage/disk-storage.ts';
import type { BeginSpan } from '#src/platform/telemetry/work.ts';
import { problem, notFound } from '#src/shared/problem.ts';
import type { AnswerObservation } from '#src/platform/metrics.ts';

export type ServerDeps = Pick<GateDeps, 'noteRefusal'> & {
  log: FastifyBaseLogger;
  baseDomain: string;
  caller: Omit<CallerDeps, 'baseDomain'>;
  /** Whether an organization has this host label; absent: every label is accepted. */
  isHost?: (label: string) => Promise<boolean>;
  metricsToken: string | null;
  /** Proxies whose forwarding headers are trusted; null: none. */
  trustProxy?: string | null;
  /** Called for every response with method, route pattern, status and milliseconds. */
  observe: (answer: AnswerObservation) => void;
  /** Called with 1 for each request, and with -1 when it has been answered or its client has disconnected. */
  countOpen?: (change: 1 | -1) => void;
  /** Begins the span of a request; absent or null: traces are off. */
  begin?: BeginSpan | null;
  /** True while the process shuts down: connections are not kept open for another request. */
  isLeaving?: () => boolean;
  /** True while the process lags: requests other than operators' are refused; absent: never. */
  isLagging?: () => boolean;
  /** Counts one request against the sender's limit of cheap requests; throws too_many. */
  takeRequest: (ip: string) => void;
  /** The plugins of the modules, in any order. */
  modules: readonly (FastifyPluginAsync | FastifyPluginAsyncZod)[];
  /** What webhooks send, for the API's document. */
  webhooks?: readonly WebhookMessage[];
};

const BUSY = 'This site is very busy. Please try again in a moment.';

export type BuiltServer = { server: FastifyInstance; routes: readonly DeclaredRoute[] };

/** Builds the host; the caller listens and closes. */
export async function buildServer(deps: ServerDeps): Promise<BuiltServer> {
  const isTrusted = trustIn(deps.trustProxy ?? null);
  const server = fastify({
    loggerInstance: deps.log,
    // The log adds the request's id to each line itself, for less than a log of its own for each request costs.
    childLoggerFactory: (log) => log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: idOf(isTrusted),
    trustProxy: deps.trustProxy ?? false,
    requestTimeout: 120_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // Time for plugins to load at the start: a slow machine must not fail.
    pluginTimeout: 60_000,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    rewriteUrl: (request) => readableAddress(request.url ?? '/', request.headers.accept),
    frameworkErrors: (_error, request, reply) =>
      // No hook runs for these errors.
      sendProblem(
        reply.header('x-request-id', request.id),
        request,
        problem('bad_request', 'This address could not be understood.'),
      ),
  }).withTypeProvider<ZodTypeProvider>();
  setValidationMessages();
  server.setValidatorCompiler(validatorCompiler);
  // Presenters are the whitelists; schemas of answers document them and are checked by tests.
  server.setSerializerCompiler(() => JSON.stringify);
  acceptOnlyJson(server);
  limitBodies(server);
  translateErrors(server);
  followRequests(server as unknown as FastifyInstance, {
    begin: deps.begin ?? null,
    countOpen: deps.countOpen,
    isTrusted,
  });
  sendSecurityHeaders(server);
  await server.register(fastifyCookie);
  countAnswers(server, deps);
  believeOnlySenderAndScheme(server);
  // A request may have come before the process began to leave.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (deps.isLeaving?.()) reply.header('connection', 'close');
    done();
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (deps.isLagging?.() && !isForOperators(request) && !isPartOfPage(request))
      throw problem('unavailable', BUSY, { retryAfterSeconds: 2 });
    deps.takeRequest(senderOf(request.ip));
    rejectInvalidParams(request);
    done();
  });
  identifyCallers(server, { ...deps.caller, baseDomain: deps.baseDomain });
  server.addHook('onRequest', (request, _reply, done) => {
    const { label } = request.site;
    if (label === 'www' || answersAnyHost(request)) return done();
    if (label === null) throw notFound(UNKNOWN_ADDRESS);
    // Pages find out themselves, because their answer is one, too.
    if (!deps.isHost || !isCall(request)) return done();
    const checked = deps.isHost(label).then((isHost) => {
      if (!isHost) throw notFound(UNKNOWN_ADDRESS);
    });
    void callWhenDone(checked, done);
  });
  const routes = declareAccess(server, { ...deps, operatorMayPass: (request) => mayReadMetrics(request, deps) });
  await server.register(openApiRoutes, { webhooks: deps.webhooks ?? [] });
  for (const module of deps.modules) await server.register(module);
  return { server: server as unknown as FastifyInstance, routes };
}

/**
 * An address with invalid percent signs (`/50%-off`) is taken literally if a browser asks for a page, and is then not
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
 * From a trusted proxy only the sender's address and the scheme are used: a balancer keeps the `Host` header, and a
 * proxy that forwards a visitor's own `X-Forwarded-Host` would let the visitor choose the addresses in our responses.
 */
function believeOnlySenderAndScheme(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    delete headers['x-forwarded-host'];
    if (!/(?:^|,)\s*https?\s*$/i.test(String(headers['x-forwarded-proto'] ?? 'http')))
      delete headers['x-forwarded-proto'];
    done();
  });
}

/** Routes with a schema are calls, also those that are not below `/api/`, like the login; so are uploads. */
function isCall({ routeOptions: { url, schema } }: FastifyRequest): boolean {
  return schema !== undefined || url === STORAGE_PATH || url?.startsWith('/api/') === true;
}

function answersAnyHost(request: FastifyRequest): boolean {
  const { access } = request.routeOptions.config;
  return isForOperators(request) || (access?.who === 'anyone' && access.onAnyHost === true);
}

/** Probes and metrics: a balancer or an operator sees how the process is doing. */
function isForOperators({ url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.access?.who === 'operator' || url === '/healthz' || url === '/readyz';
}

/** A page that was sent before the process lagged needs its scripts: a browser does not always ask again. */
function isPartOfPage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === '/assets/:name';
}

function countAnswers(server: FastifyInstance, deps: ServerDeps): void {
  server.addHook('onResponse', (request, reply, done) => {
    const ms = reply.elapsedTime;
    deps.observe({
      method: request.method,
      route: request.work.name,
      status: reply.statusCode,
      ms,
    });
    const { name: route } = request.work;
    // Balancers ask each second.
    const level = isForOperators(request) && reply.statusCode < 400 ? 'debug' : 'info';
    const answer = { reqId: request.id, req: request, route, status: reply.statusCode, ms: Math.round(ms) };
    request.log[level](answer, 'answered');
    done();
  });
}

/** `?key=a&key=b` is ambiguous (bad input 13), and PostgreSQL accepts no text with U+0000 or half a character. */
function rejectInvalidParams(request: FastifyRequest): void {
  for (const value of [...Object.values(request.query ?? {}), ...Object.values(request.params ?? {})] as unknown[]) {
    // Pages tolerate parameters that other sites append to shared links.
    if (Array.isArray(value) && request.url.startsWith('/api/'))
      throw problem('bad_request', 'A parameter was given twice.');
    for (const text of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof text === 'string' && (text.includes('\u0000') || !text.isWellFormed()))
        throw problem('bad_request', 'This address could not be understood.');
  }
}
