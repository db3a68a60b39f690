/** Makes a `Caller` of each request: its token, its visitor and its address. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { VIEWER_HEADER, VISITOR, type Caller, type FamilyOfBrowser } from '#src/features/tenancy/actor.rules.ts';
import { API_TOKEN_PREFIX } from '#src/features/tenancy/token-scopes.contract.ts';
import { FAMILY_COOKIE, TOKEN_COOKIE, UNLOCK_COOKIE_PREFIX, VISITOR_COOKIE } from '#src/http/cookies.ts';
import { callWhenDone } from '#src/http/request-work.ts';
import { isSameSite, readSite, type Site } from '#src/http/site.ts';
import { problem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    site: Site;
  }
}

export type CallerDeps = {
  baseDomain: string;
  actorOf: (token: string) => Promise<Caller['actor']>;
  /**
   * Finds the owner of an API token; absent where API tokens are not supported. @throws unauthenticated for an invalid
   * token; too_many
   */
  actorOfApiToken?: (token: string) => Promise<Caller['actor']>;
  /** Reads the signed visitor cookie; null if we did not sign it. */
  visitorOf: (cookie: string | undefined) => string | null;
  /** Reads the signed cookie of a family; null if we did not sign it for this host. Absent where cards are not supported. */
  familyOf?: (cookie: string | undefined, hostLabel: string | null) => FamilyOfBrowser | null;
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const FOREIGN_ORIGIN = 'This request came from another site and was not carried out.';

export function identifyCallers(server: FastifyInstance, deps: CallerDeps): void {
  server.decorateRequest('caller', null as unknown as Caller);
  server.decorateRequest('site', null as unknown as Site);
  // Not async: most requests have no token, and wait for nothing.
  server.addHook('onRequest', (request, _reply, done) => {
    request.site = readSite(request.headers.host, deps.baseDomain);
    request.caller = { ...VISITOR, ip: senderOf(request.ip) };
    const bearer = bearerToken(request);
    const cookie = request.cookies[TOKEN_COOKIE] ?? null;
    refuseForeignWrites(request, { usesCookie: bearer === null && cookie !== null, baseDomain: deps.baseDomain });
    request.caller.visitorId = deps.visitorOf(request.cookies[VISITOR_COOKIE]);
    request.caller.unlocks = readUnlocks(request.cookies);
    const family = deps.familyOf?.(request.cookies[FAMILY_COOKIE], request.site.label) ?? null;
    if (family !== null) request.caller.family = family;
    const token = bearer ?? cookie;
    if (token === null) return done();
    const isApiToken = bearer?.startsWith(API_TOKEN_PREFIX) === true;
    const found = isApiToken && deps.actorOfApiToken ? deps.actorOfApiToken(token) : deps.actorOf(token);
    const viewer = bearer === null ? request.headers[VIEWER_HEADER] : undefined;
    void callWhenDone(
      found.then((actor) => {
        if (viewer === undefined || isUser(actor, viewer)) request.caller.actor = actor;
      }),
      done,
    );
  });
}

/**
 * A page may be older than the login of someone else in another window: what it sends must not be done in that session
 * (decision record 0196).
 */
const isUser = (actor: Caller['actor'], id: string | string[]) => actor.kind === 'user' && String(actor.userId) === id;

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return /^Bearer ([A-Za-z0-9_-]+)$/i.exec(header)?.[1] ?? '';
}

/**
 * Cross-site request forgery (rule 5): a write with a foreign origin is refused; one that uses the session cookie must
 * name our own origin.
 */
function refuseForeignWrites(request: FastifyRequest, options: { usesCookie: boolean; baseDomain: string }): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, host } = request.headers;
  // A form on a page that sends no referrer has the origin `null`; the browser then still says where it came from.
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

const REMEMBER_AT_MOST = 1_000;
const remembered = new Map<string, string>();

/**
 * What a limit counts as one sender. A household or a server has a whole /64 of IPv6 and could use all its addresses;
 * an IPv4 address written as IPv6 counts as the IPv4 address.
 */
export function senderOf(ip: string): string {
  const known = remembered.get(ip);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBER_AT_MOST) remembered.clear();
  const sender = readSender(ip);
  remembered.set(ip, sender);
  return sender;
}

function readSender(ip: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...after];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

/** How a request was started, from the browser's headers that no page can set. */
const AHEAD = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether a person navigated here: from our own pages, or with the address bar or a bookmark. A link or picture on
 * another site, a prefetched page, and clients without these headers may show a page but change nothing.
 */
export function isOwnNavigation(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false;
  if (AHEAD.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))) return false;
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (mode === 'navigate') return dest === 'document' && (site === 'same-origin' || site === 'none');
  // The router's own request for the data of the next page.
  return site === 'same-origin' && dest === 'empty';
}
