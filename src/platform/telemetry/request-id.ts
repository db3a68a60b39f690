/** Ids that a proxy gave to a request, as far as they are sane. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** UUIDs, numbers as hexadecimal or base64, and what balancers put in front of them. Nothing that ends a header or a line. */
const SANE_ID = /^[\w.:=+/-]{8,128}$/;
/** W3C Trace Context, version 00; ids of zeros are not valid. */
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** What a trusted proxy calls the request (`X-Request-Id`, else the id of its trace), else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders, isTrusted: boolean): string {
  if (!isTrusted) return randomUUID();
  const given = headers['x-request-id'];
  if (typeof given === 'string' && SANE_ID.test(given)) return given;
  return TRACEPARENT.exec(givenTraceparent(headers) ?? '')?.[1] ?? randomUUID();
}

/** The span of a proxy that a request belongs to; null where it names none. */
export function givenTraceparent({ traceparent }: IncomingHttpHeaders): string | null {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null;
}
