/** The visitor cookie: a random id and our signature over it, so that likes cannot be made up. */
import { signValue, verifyValue } from '#src/platform/secrets.ts';

const COOKIE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;

export type SignedVisitor = { visitorId: string; cookie: string };

export function signVisitor(key: Buffer, visitorId: string): SignedVisitor {
  return { visitorId, cookie: `${visitorId}.${signValue(key, 'visitor', visitorId)}` };
}

/** The visitor's id; null for a cookie that we did not make. */
export function readVisitor(key: Buffer, cookie: string | undefined): string | null {
  const [, visitorId, signature] = COOKIE.exec(cookie ?? '') ?? [];
  if (visitorId === undefined || signature === undefined) return null;
  return verifyValue(key, signature, 'visitor', visitorId) ? visitorId : null;
}
