/**
 * Every route says who may call it; one that does not stops the start. The gate here asks
 * only what the session alone can answer: whether the thing in the path may be touched is
 * the service's question, with the object in hand.
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
import { notFound, problem } from '#src/shared/problem.ts';

/** Of an API token; a route that names no scope takes none. */
type TakesTokens = { scope?: TokenScope };

export type RouteAccess =
  /** No session needed; `why` says what guards the thing instead. */
  | (TakesTokens & {
      who: 'anyone';
      why: string;
      /** The session changes nothing here, so a write needs no proof of its origin. */ ignoresSession?: true;
      /** Also a session whose password was chosen by someone else is recognized here. */ whileChoosing?: true;
      /** By whatever name the request has for us: a CDN may ask by its own. */ onAnyHost?: true;
    })
  /** Any signed-in user; the service decides about the object. */
  | (TakesTokens & {
      who: 'session';
      /** Choosing a password needs it: open to a session whose password was chosen by someone else (threat D17). */
      whileChoosing?: true;
    })
  /** A session or a contribute key in the request; the service decides which. */
  | (TakesTokens & { who: 'session-or-contributor' })
  /** An API token of any scope, and nothing else: what a program asks of itself. */
  | { who: 'token' }
  | {
      who: 'platform-admin';
      /** Other users get 404 instead of 403, which would reveal that the thing exists. */ hides?: true;
    }
  /** This machine, or the holder of the metrics token. */
  | { who: 'operator' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** A body that the call takes, for the API's document, where one made of the schema would not do. */
    example?: unknown;
  }
}

export type DeclaredRoute = { method: string; url: string; access: RouteAccess; schema?: FastifySchema | undefined };

export type GateDeps = {
  operatorMayPass: (request: FastifyRequest) => boolean;
  /** Notes that someone who is known, and no platform admin, made a call of platform admins (threat 18); absent: nowhere. */
  noteRefusal?: (caller: Caller, call: string) => Promise<void>;
};

/** Installs the rule and the gate; answers the list of declared routes, which tests and the OpenAPI page read. */
export function declareAccess(server: FastifyInstance, { operatorMayPass, noteRefusal }: GateDeps): DeclaredRoute[] {
  const declared: DeclaredRoute[] = [];
  server.addHook('onRoute', (route) => {
    const access = route.config?.access;
    const methods = [route.method].flat().filter((method) => method !== 'HEAD');
    if (!access) throw new Error(`route ${methods.join(',')} ${route.url} does not say who may call it`);
    for (const method of methods) declared.push({ method, url: route.url, access, schema: route.schema });
  });
  server.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access;
    if (!access) return;
    requirePasswordChange(request, access);
    const { actor } = request.caller;
    if (access.who === 'platform-admin' && isKnown(actor) && !isPlatformAdmin(actor) && isOwnDoing(request))
      await noteRefusal?.(request.caller, `${request.method} ${request.routeOptions.url}`);
    if (actor.kind === 'token') return requireScope(actor, access);
    if (access.who === 'token') throw problem('unauthenticated', TOKEN_NEEDED);
    if (access.who === 'session' && actor.kind !== 'user') throw problem('unauthenticated', LOG_IN_FIRST);
    if (access.who === 'platform-admin') {
      if (access.hides && actor.kind === 'user' && !isPlatformAdmin(actor)) throw notFound();
      requirePlatformAdmin(actor);
    }
    if (access.who === 'operator' && !operatorMayPass(request)) throw notFound();
  });
  return declared;
}

/** Whether it is no link or picture of another site that had a browser ask; where a write comes from was checked before. */
function isOwnDoing({ method, headers }: FastifyRequest): boolean {
  const isReading = method === 'GET' || method === 'HEAD';
  return !isReading || headers.authorization !== undefined || headers['sec-fetch-site'] === 'same-origin';
}

/** A token makes the calls of its scopes, and no other: not even one that anyone may make. @throws forbidden */
function requireScope(actor: TokenActor, access: RouteAccess): void {
  if (access.who === 'token') return;
  const scope = 'scope' in access ? access.scope : undefined;
  if (scope === undefined) throw problem('forbidden', TOKEN_NOT_TAKEN);
  if (!actor.scopes.includes(scope)) throw problem('forbidden', lacksScope(scope));
}

/**
 * A session whose password was chosen by someone else may call only what choosing a new one needs; where anyone may call,
 * it counts as a visitor's. @throws forbidden
 */
function requirePasswordChange(request: FastifyRequest, access: RouteAccess): void {
  const { actor } = request.caller;
  if (actor.kind !== 'user' || actor.mustChangePassword !== true) return;
  if ('whileChoosing' in access && access.whileChoosing) return;
  if (access.who !== 'anyone') throw problem('forbidden', CHOOSE_OWN_FIRST);
  request.caller = { ...request.caller, actor: { kind: 'visitor' } };
}
