/**
 * Every route says who may call it; one that does not stops the start. The gate here asks
 * only what the session alone can answer: whether the thing in the path may be touched is
 * the service's question, with the object in hand.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  CHOOSE_OWN_FIRST,
  isPlatformAdmin,
  LOG_IN_FIRST,
  requirePlatformAdmin,
} from '#src/features/tenancy/actor.rules.ts';
import { notFound, problem } from '#src/shared/problem.ts';

export type RouteAccess =
  /** No session needed; `why` says what guards the thing instead. */
  | {
      who: 'anyone';
      why: string;
      /** The session changes nothing here, so a write needs no proof of its origin. */ ignoresSession?: true;
      /** Also a session whose password was chosen by someone else is recognized here. */ whileChoosing?: true;
    }
  /** Any signed-in user; the service decides about the object. */
  | {
      who: 'session';
      /** Choosing a password needs it: open to a session whose password was chosen by someone else (threat D17). */
      whileChoosing?: true;
    }
  /** A session or a contribute key in the request; the service decides which. */
  | { who: 'session-or-contributor' }
  | {
      who: 'platform-admin';
      /** Other users get 404 instead of 403, which would reveal that the thing exists. */ hides?: true;
    }
  /** This machine, or the holder of the metrics token. */
  | { who: 'operator' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

export type DeclaredRoute = { method: string; url: string; access: RouteAccess };

/** Installs the rule and the gate; answers the list of declared routes, which tests and the OpenAPI page read. */
export function declareAccess(
  server: FastifyInstance,
  operatorMayPass: (request: FastifyRequest) => boolean,
): DeclaredRoute[] {
  const declared: DeclaredRoute[] = [];
  server.addHook('onRoute', (route) => {
    const access = route.config?.access;
    const methods = [route.method].flat().filter((method) => method !== 'HEAD');
    if (!access) throw new Error(`route ${methods.join(',')} ${route.url} does not say who may call it`);
    for (const method of methods) declared.push({ method, url: route.url, access });
  });
  server.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access;
    if (!access) return;
    requirePasswordChange(request, access);
    const { actor } = request.caller;
    if (access.who === 'session' && actor.kind !== 'user') throw problem('unauthenticated', LOG_IN_FIRST);
    if (access.who === 'platform-admin') {
      if (access.hides && actor.kind === 'user' && !isPlatformAdmin(actor)) throw notFound();
      requirePlatformAdmin(actor);
    }
    if (access.who === 'operator' && !operatorMayPass(request)) throw notFound();
  });
  return declared;
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
