/** Where calls to addresses that users chose may go: to the public internet and nowhere else. */
import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';

/** The addresses of a name, of both kinds. Rejects if it has none or no server answers in time. */
export type Resolve = (name: string) => Promise<string[]>;

/** Public by its number, but in a cloud (Azure) it is the host's own service, which hands out keys to the machine. */
const HOST_OF_THE_CLOUD = '168.63.129.16';

/**
 * Whether a machine on the public internet may have this address. IPv4 written as IPv6 counts as IPv4; IPv6 addresses
 * outside the allocated part (2000::/3) belong to no one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === HOST_OF_THE_CLOUD) return false;
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}

/** Whether this machine itself has the address, like a machine on the internet. */
function isOwnAddress(address: string): boolean {
  const normal = (text: string) => ipaddr.process(text.replace(/%.*/, '')).toString();
  return Object.values(networkInterfaces())
    .flat()
    .some((own) => own !== undefined && normal(own.address) === normal(address));
}

/** On the public internet, and not one of this machine's own public addresses. */
export const mayBeCalled = (address: string): boolean => isPublicAddress(address) && !isOwnAddress(address);

const RESOLVE_MS = 2_000;
const RESOLVE_TRIES = 2;

/** Asks name servers only: this machine's hosts file is private, and its lookups would block our file reads. */
export const resolveName: Resolve = async (name) => {
  const resolver = new dns.Resolver({ timeout: RESOLVE_MS, tries: RESOLVE_TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/** The same message for every case, so that no one learns which names our own network has. */
export const NOT_REACHABLE = 'The host name is unknown, or belongs to a network that is not public.';

/**
 * Resolves a name when the connection is made, and only once: the connection goes to an address that was checked, and a
 * name that changes a moment later has no effect. One forbidden address refuses the name.
 */
export function lookupPublic(resolve: Resolve = resolveName, mayCall = mayBeCalled): LookupFunction {
  const find = callbackify(async (name: string) => {
    const found = isIP(name) === 0 ? await resolve(name).catch(() => []) : [name];
    if (found.length === 0 || !found.every(mayCall)) throw new Error(NOT_REACHABLE);
    return found.map((address) => ({ address, family: isIP(address) }));
  });
  return (name, options, done) =>
    find(name, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) done(error, []);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
}
