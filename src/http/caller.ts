/** Makes a `Caller` of each request: who shows which token, which visitor, from where. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { TOKEN_COOKIE, UNLOCK_COOKIE_PREFIX, VISITOR_COOKIE } from '#src/http/cookies.ts';
import { senderOf } from '#src/http/sender.ts';
import { isSameSite, readSite, type Site } from '#src/http/site.ts';
import { problem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/validators.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    site: Site;
  }
}

export type CallerDeps = {
  baseDomain: string;
  actorOf: (token: string | null) => Promise<Caller['actor']>;
  /** Reads the signed visitor cookie; null when it was not made by us. */
  visitorOf: (cookie: string | undefined) => string | null;
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const VISITOR: Caller = { actor: { kind: 'visitor' }, visitorId: null, unlocks: new Map(), ip: '' };
const FOREIGN_ORIGIN = 'This request came from another site and was not carried out.';

export function identifyCallers(server: FastifyInstance, deps: CallerDeps): void {
  server.decorateRequest('caller', null as unknown as Caller);
  server.decorateRequest('site', null as unknown as Site);
  server.addHook('onRequest', async (request) => {
    request.site = readSite(request.headers.host, deps.baseDomain);
    request.caller = { ...VISITOR, ip: senderOf(request.ip) };
    const bearer = bearerToken(request);
    const cookie = request.cookies[TOKEN_COOKIE] ?? null;
    refuseForeignWrites(request, { usesCookie: bearer === null && cookie !== null, baseDomain: deps.baseDomain });
    request.caller = {
      actor: await deps.actorOf(bearer ?? cookie),
      visitorId: deps.visitorOf(request.cookies[VISITOR_COOKIE]),
      unlocks: readUnlocks(request.cookies),
      ip: senderOf(request.ip),
    };
  });
}

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return /^Bearer ([A-Za-z0-9_-]+)$/i.exec(header)?.[1] ?? '';
}

/**
 * Cross-site request forgery (rule 5): a write that names a foreign origin is refused;
 * one that acts by the session cookie must name our own.
 */
function refuseForeignWrites(request: FastifyRequest, options: { usesCookie: boolean; baseDomain: string }): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, host } = request.headers;
  // A form of a page that sends no referrer has the origin `null`; the browser then still says from where it came.
  const isOwnForm = origin === 'null' && request.headers['sec-fetch-site'] === 'same-origin';
  const isForeign =
    origin === undefined
      ? // Forms take no session, but begin one: another site must not log anyone in.
        request.headers['sec-fetch-site'] === 'cross-site'
      : !isOwnForm && !isSameSite(origin, host, options.baseDomain);
  if (isForeign) throw problem('forbidden', FOREIGN_ORIGIN);
  const access = request.routeOptions.config.access;
  if (access?.who === 'anyone' && access.ignoresSession) return;
  if (options.usesCookie && origin === undefined && request.headers['sec-fetch-site'] !== 'same-origin') {
    throw problem('forbidden', FOREIGN_ORIGIN);
  }
}

function readUnlocks(cookies: Record<string, string | undefined>): ReadonlyMap<number, string> {
  const unlocks = new Map<number, string>();
  for (const [name, value] of Object.entries(cookies)) {
    if (!name.startsWith(UNLOCK_COOKIE_PREFIX) || value === undefined) continue;
    const galleryId = readId(name.slice(UNLOCK_COOKIE_PREFIX.length));
    if (galleryId !== null) unlocks.set(galleryId, value);
  }
  return unlocks;
}
