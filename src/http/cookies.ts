/**
 * The five cookies of the site: `token` (the session), `device` (signed: this browser has logged in before), `visitor`
 * (signed, for likes and votes), `gal_<id>` (proof that a gallery's password was given) and `family` (signed: which
 * cards of children this browser has opened). All are HttpOnly and Lax; Secure on https; shared below the base domain,
 * host-only elsewhere, because browsers refuse a Domain of `localhost` or of an IP address. `family` is always
 * host-only.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FamilyOfBrowser } from '#src/features/tenancy/actor.rules.ts';
import { SESSION_DAYS } from '#src/features/tenancy/sessions.rules.ts';
import { signValue, verifyValue } from '#src/platform/secrets.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

const SESSION_SECONDS = SESSION_DAYS * DAY_SECONDS;
const VISITOR_SECONDS = 365 * DAY_SECONDS;
const DEVICE_SECONDS = 365 * DAY_SECONDS;
const FAMILY_DAYS = 180;

export const TOKEN_COOKIE = 'token';
export const VISITOR_COOKIE = 'visitor';
export const DEVICE_COOKIE = 'device';
export const UNLOCK_COOKIE_PREFIX = 'gal_';
export const FAMILY_COOKIE = 'family';

function shared(request: FastifyRequest) {
  const { cookieDomain } = request.site;
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: request.protocol === 'https',
    ...(cookieDomain === null ? {} : { domain: cookieDomain }),
  };
}

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(TOKEN_COOKIE, token, { ...shared(request), maxAge: SESSION_SECONDS });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(TOKEN_COOKIE, shared(request));
}

export function setVisitorCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  reply.setCookie(VISITOR_COOKIE, value, { ...shared(request), maxAge: VISITOR_SECONDS });
}

export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  reply.setCookie(DEVICE_COOKIE, value, { ...shared(request), maxAge: DEVICE_SECONDS });
}

/** Without a max-age: the correct password is remembered for the browser session (specification P§4). */
export function setUnlockCookie(request: FastifyRequest, reply: FastifyReply, galleryId: number, proof: string): void {
  reply.setCookie(`${UNLOCK_COOKIE_PREFIX}${galleryId}`, proof, shared(request));
}

/** The visitor cookie: a random id with our signature, so that likes cannot be forged. */
const COOKIE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;

type SignedVisitor = { visitorId: string; cookie: string };

export function signVisitor(key: Buffer, visitorId: string): SignedVisitor {
  return { visitorId, cookie: `${visitorId}.${signValue(key, 'visitor', visitorId)}` };
}

/** The visitor's id; null for a cookie that we did not sign. */
export function readVisitor(key: Buffer, cookie: string | undefined): string | null {
  const [, visitorId, signature] = COOKIE.exec(cookie ?? '') ?? [];
  if (visitorId === undefined || signature === undefined) return null;
  return verifyValue(key, signature, 'visitor', visitorId) ? visitorId : null;
}

/** Bytes of a card's stored hash. */
const CARD_BYTES = 32;
const FAMILY = /^([0-9a-z]{3,6})\.([A-Za-z0-9_-]{43,400})\.([A-Za-z0-9_-]{43})$/;

/** The cookie of a family: the day it expires, the hashes of its cards, and our signature over both and the host's label. */
function signFamily(key: Buffer, { hostLabel, cards }: FamilyOfBrowser, now: Date): string {
  const ends = (Math.floor(now.getTime() / 1000 / DAY_SECONDS) + FAMILY_DAYS).toString(36);
  const hashes = Buffer.concat(cards).toString('base64url');
  return `${ends}.${hashes}.${signValue(key, 'family', hostLabel, ends, hashes)}`;
}

/**
 * The cards that this browser has opened on this host; null for a cookie of another host, an expired one, and one that
 * we did not sign.
 */
export function readFamily(
  key: Buffer,
  cookie: string | undefined,
  { hostLabel, now }: { hostLabel: string | null; now: Date },
): FamilyOfBrowser | null {
  const [, ends, hashes, signature] = FAMILY.exec(cookie ?? '') ?? [];
  // Nearly all browsers have no such cookie; verifying a signature costs as much as pricing a cart.
  if (hostLabel === null || ends === undefined || hashes === undefined || signature === undefined) return null;
  if (!verifyValue(key, signature, 'family', hostLabel, ends, hashes)) return null;
  if (Number.parseInt(ends, 36) * DAY_SECONDS * 1000 < now.getTime()) return null;
  const bytes = Buffer.from(hashes, 'base64url');
  const cards = Array.from({ length: Math.floor(bytes.length / CARD_BYTES) }, (_, at) =>
    bytes.subarray(at * CARD_BYTES, (at + 1) * CARD_BYTES),
  );
  return { hostLabel, cards };
}

/** Without cards the cookie is deleted. */
export function setFamilyCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, cards, now }: { key: Buffer; cards: readonly Buffer[]; now: Date },
): void {
  const { domain: _ofAllHosts, ...own } = { domain: '', ...shared(request) };
  if (cards.length === 0) return void reply.clearCookie(FAMILY_COOKIE, own);
  const value = signFamily(key, { hostLabel: request.site.label ?? '', cards }, now);
  reply.setCookie(FAMILY_COOKIE, value, { ...own, maxAge: FAMILY_DAYS * DAY_SECONDS });
}
