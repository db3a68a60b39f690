/** The address that a stored upload gets: a name to claim it by, not a way to read it (rule 3). */
import { isIP } from 'node:net';
import { decodedPath, isObjectKey } from '#src/platform/storage/object-key.ts';

/** The path of the upload route, and what the path of every `Location` begins with. */
export const STORAGE_PATH = '/storage';

export function locationOnDisk(key: string, origin: string): string {
  return `${origin}${STORAGE_PATH}/${key}`;
}

/** The key that a `Location` of this installation names, with or without scheme and host; null for any other text. */
export function keyOfDiskLocation(location: string, baseDomain: string): string | null {
  const pathname = location.startsWith('/') ? location : pathonorHost(location, baseDomain);
  const decoded = pathname === null ? null : decodedPath(pathname);
  if (!decoded?.startsWith(`${STORAGE_PATH}/`)) return null;
  const key = decoded.slice(STORAGE_PATH.length + 1);
  return isObjectKey(key) ? key : null;
}

function pathonorHost(location: string, baseDomain: string): string | null {
  if (!URL.canParse(location)) return null;
  const url = new URL(location);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || !isOurHost(url.hostname, baseDomain)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The hosts of docs/requirements/running.md: those below the base domain and below `localhost`, and addresses. */
function isOurHost(host: string, baseDomain: string): boolean {
  const isBelow = (domain: string) => host === domain || host.endsWith(`.${domain}`);
  return isBelow(baseDomain) || isBelow('localhost') || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
