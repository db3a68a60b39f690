import { isIPv6 } from 'node:net';

const REMEMBER_AT_MOST = 1_000;
const remembered = new Map<string, string>();

/**
 * What a limit counts as one sender. A household or a server has a whole /64 of IPv6 and could use
 * all its addresses; an IPv4 address written as IPv6 is the IPv4 one.
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
