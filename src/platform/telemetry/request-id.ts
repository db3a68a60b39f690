/** Ids that a proxy assigned to a request, if they are well-formed. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** UUIDs, numbers as hexadecimal or base64, and prefixes that balancers add. Nothing that ends a header or a line. */
const SANE_ID = /^[\w.:=+/-]{8,128}$/;
/** W3C Trace Context, version 00; ids of zeros are not valid. */
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** A trusted proxy's id for the request (`X-Request-Id`, else its trace id), else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders, isTrusted: boolean): string {
  if (!isTrusted) return randomUUID();
  const given = headers['x-request-id'];
  if (typeof given === 'string' && SANE_ID.test(given)) return given;
  return TRACEPARENT.exec(givenTraceparent(headers) ?? '')?.[1] ?? randomUUID();
}

/** The proxy's span of a request; null if it names none. */
export function givenTraceparent({ traceparent }: IncomingHttpHeaders): string | null {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null;
}
