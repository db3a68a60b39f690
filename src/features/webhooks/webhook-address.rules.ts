/**
 * Which addresses webhooks may be sent to, judged by the address itself. The IP address of its host name is checked
 * when the connection is made (`platform/outgoing`).
 */
import * as words from '#src/features/webhooks/webhooks.contract.ts';

/** `toLocalhost`: also allows this machine, with http and any port, for tests and development. */
export type AddressRules = { baseDomain: string; toLocalhost: boolean };

const PORTS = ['', '8443'];
/** An IPv4 or IPv6 address, in the normalized form of `URL`. */
const IS_NUMBER = /^(?:\[.*\]|[\d.]+)$/;
/** Internet names have a dot; names with these endings exist only in private networks. */
const IS_LOCAL = /^[^.]*$|\.(?:localhost|local|internal|lan|home|corp|intranet|arpa|test|invalid|example|onion)$/;

export const isLocalhost = (url: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

/** All problems of an address; empty for a valid one. */
export function addressProblems(text: string, { baseDomain, toLocalhost }: AddressRules): string[] {
  if (!URL.canParse(text)) return [words.URL_NOT_HTTPS];
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, '');
  const checks: [boolean, string][] = [
    [url.username !== '' || url.password !== '', words.URL_WITH_PASSWORD],
    [url.hash !== '', words.URL_WITH_HASH],
  ];
  if (toLocalhost && isLocalhost(text) && (url.protocol === 'http:' || url.protocol === 'https:'))
    return checks.filter(([isWrong]) => isWrong).map(([, message]) => message);
  return [
    [url.protocol !== 'https:', words.URL_NOT_HTTPS] as const,
    ...checks,
    [url.protocol === 'https:' && !PORTS.includes(url.port), words.URL_PORT] as const,
    [host === baseDomain || host.endsWith(`.${baseDomain}`), words.URL_OUR_OWN] as const,
    [
      IS_NUMBER.test(host) || (IS_LOCAL.test(host) && host !== baseDomain && !host.endsWith(`.${baseDomain}`)),
      words.URL_NOT_PUBLIC,
    ] as const,
  ]
    .filter(([isWrong]) => isWrong)
    .map(([, message]) => message);
}
