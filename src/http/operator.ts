/** Who may read what is only for operators: the metrics. */
import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { hostName } from '#src/http/site.ts';

export type OperatorRule = { metricsToken: string | null; trustProxy?: string | null };

/** Headers of a forwarded request, whichever machine the proxy runs on. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;

/** With a token, only its holder; without one, this machine under its own name, or no caller at all if proxies are configured. */
export function mayReadMetrics(request: FastifyRequest, deps: OperatorRule): boolean {
  const { metricsToken, trustProxy = null } = deps;
  if (metricsToken === null)
    return (
      trustProxy === null &&
      FORWARDED.every((name) => request.headers[name] === undefined) &&
      isLoopback(request.socket.remoteAddress ?? '') &&
      isOwnName(hostName(request.headers.host) ?? '')
    );
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A proxy that forwards bytes unchanged keeps the site's public name. */
function isOwnName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host.replace(/^\[|\]$/g, ''));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return isIP(plain) !== 0 && (plain === '::1' || plain.startsWith('127.'));
}
