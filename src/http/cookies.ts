/**
 * The four cookies of the site: `token` (the session), `device` (signed: this browser has logged in before), `visitor` (signed,
 * for likes and votes) and `gal_<id>` (proof that a gallery's password was given). All HttpOnly and Lax;
 * Secure on https; shared below the base domain, host-only elsewhere, because browsers
 * refuse a Domain of `localhost` or of an address.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_DAYS } from '#src/features/tenancy/sessions.rules.ts';
import { signValue, verifyValue } from '#src/platform/secrets.ts';

const SESSION_SECONDS = SESSION_DAYS * 86_400;
const VISITOR_SECONDS = 365 * 86_400;
const DEVICE_SECONDS = 365 * 86_400;

export const TOKEN_COOKIE = 'token';
export const VISITOR_COOKIE = 'visitor';
export const DEVICE_COOKIE = 'device';
export const UNLOCK_COOKIE_PREFIX = 'gal_';

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

/** Without an age: the correct entry is remembered for the browser session (specification P§4). */
export function setUnlockCookie(request: FastifyRequest, reply: FastifyReply, galleryId: number, proof: string): void {
  reply.setCookie(`${UNLOCK_COOKIE_PREFIX}${galleryId}`, proof, shared(request));
}

/** The visitor cookie: a random id and our signature over it, so that likes cannot be made up. */
const COOKIE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;

type SignedVisitor = { visitorId: string; cookie: string };

export function signVisitor(key: Buffer, visitorId: string): SignedVisitor {
  return { visitorId, cookie: `${visitorId}.${signValue(key, 'visitor', visitorId)}` };
}

/** The visitor's id; null for a cookie that we did not make. */
export function readVisitor(key: Buffer, cookie: string | undefined): string | null {
  const [, visitorId, signature] = COOKIE.exec(cookie ?? '') ?? [];
  if (visitorId === undefined || signature === undefined) return null;
  return verifyValue(key, signature, 'visitor', visitorId) ? visitorId : null;
}
