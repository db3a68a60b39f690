/**
 * Every route declares who may call it; the server does not start with one that does not. This check decides only what
 * the session alone can decide. The service, which has loaded the object in the path, decides whether it may be
 * touched.
 */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import {
  CHOOSE_OWN_FIRST,
  isKnown,
  isPlatformAdmin,
  LOG_IN_FIRST,
  requirePlatformAdmin,
  type Caller,
  type TokenActor,
} from '#src/features/tenancy/actor.rules.ts';
import {
  lacksScope,
  TOKEN_NEEDED,
  TOKEN_NOT_TAKEN,
  type TokenScope,
} from '#src/features/tenancy/token-scopes.contract.ts';
import { callWhenDone } from '#src/http/request-work.ts';
import { notFound, problem } from '#src/shared/problem.ts';

/** For API tokens; a route without a scope accepts none. */
type TakesTokens = { scope?: TokenScope };

export type RouteAccess =
  /** No session needed; `why` says what protects the object instead. */
  | (TakesTokens & {
      who: 'anyone';
      why: string;
      /** The call does not use the session, so a write does not need to prove its origin. */
      ignoresSession?: true;
      /** Also accepts a session whose password was chosen by someone else. */
      whileChoosing?: true;
      /** Answers on any host name: a CDN may use its own. */
      onAnyHost?: true;
    })
  /** Any signed-in user; the service decides about the object. */
  | (TakesTokens & {
      who: 'session';
      /** Needed to choose a password: open to a session whose password was chosen by someone else (threat D17). */
      whileChoosing?: true;
    })
  /** A session or a contribute key in the request; the service decides which. */
  | (TakesTokens & { who: 'session-or-contributor' })
  /** An API token of any scope, and nothing else: for what a program asks about its own token. */
  | { who: 'token' }
  | {
      who: 'platform-admin';
      /** Other users get 404 instead of 403, which would reveal that the object exists. */
      hides?: true;
    }
  /** This machine, or the holder of the metrics token. */
  | { who: 'operator' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** A body that the call accepts, for the API's document, if one generated from the schema would not do. */
    example?: unknown;
  }
}

export type DeclaredRoute = { method: string; url: string; access: RouteAccess; schema?: FastifySchema | undefined };

export type GateDeps = {
  operatorMayPass: (request: FastifyRequest) => boolean;
  /**
   * Records that a logged-in user who is not a platform admin tried a call of platform admins (threat 18); absent: it
   * is not recorded.
   */
  noteRefusal?: (caller: Caller, call: string) => Promise<void>;
};

/** Installs the check; returns the list of declared routes, which tests and the OpenAPI page read. */
export function declareAccess(server: FastifyInstance, { operatorMayPass, noteRefusal }: GateDeps): DeclaredRoute[] {
  const declared: DeclaredRoute[] = [];
  server.addHook('onRoute', (route) => {
    const access = route.config?.access;
    const methods = [route.method].flat().filter((method) => method !== 'HEAD');
    if (!access) throw new Error(`route ${methods.join(',')} ${route.url} does not say who may call it`);
    for (const method of methods) declared.push({ method, url: route.url, access, schema: route.schema });
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config;
    if (!access) return done();
    requirePasswordChange(request, access);
    const { caller } = request;
    const check = () => requireAccess(request, access, operatorMayPass);
    const needsAdmin = access.who === 'platform-admin' && isKnown(caller.actor) && !isPlatformAdmin(caller.actor);
    const noted = needsAdmin && isFromOwnPages(request) ? noteRefusal?.(caller, callOf(request)) : undefined;
    if (noted) return void callWhenDone(noted.then(check), done);
    check();
    done();
  });
  return declared;
}

const callOf = ({ method, routeOptions }: FastifyRequest) => `${method} ${routeOptions.url}`;

/** @throws unauthenticated, forbidden, not_found */
function requireAccess(request: FastifyRequest, access: RouteAccess, operatorMayPass: GateDeps['operatorMayPass']) {
  const { actor } = request.caller;
  if (actor.kind === 'token') return requireScope(actor, access);
  if (access.who === 'token') throw problem('unauthenticated', TOKEN_NEEDED);
  if (access.who === 'session' && actor.kind !== 'user') throw problem('unauthenticated', LOG_IN_FIRST);
  if (access.who === 'platform-admin') {
    if (access.hides && actor.kind === 'user' && !isPlatformAdmin(actor)) throw notFound();
    requirePlatformAdmin(actor);
  }
  if (access.who === 'operator' && !operatorMayPass(request)) throw notFound();
}

/**
 * Whether the request comes from our own pages, not from a link or picture on another site; the origin of writes was
 * checked before.
 */
function isFromOwnPages({ method, headers }: FastifyRequest): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return !isReading || headers.authorization !== undefined || headers['sec-fetch-site'] === 'same-origin';
}

/** A token may make the calls of its scopes and no others, not even those that anyone may make. @throws forbidden */
function requireScope(actor: TokenActor, access: RouteAccess): void {
  if (access.who === 'token') return;
  const scope = 'scope' in access ? access.scope : undefined;
  if (scope === undefined) throw problem('forbidden', TOKEN_NOT_TAKEN);
  if (!actor.scopes.includes(scope)) throw problem('forbidden', lacksScope(scope));
}

/**
 * A session whose password was chosen by someone else may call only what is needed to choose a new one; where anyone
 * may call, it counts as a visitor's. @throws forbidden
 */
function requirePasswordChange(request: FastifyRequest, access: RouteAccess): void {
  const { actor } = request.caller;
  if (actor.kind !== 'user' || actor.mustChangePassword !== true) return;
  if ('whileChoosing' in access && access.whileChoosing) return;
  if (access.who !== 'anyone') throw problem('forbidden', CHOOSE_OWN_FIRST);
  request.caller = { ...request.caller, actor: { kind: 'visitor' } };
}
