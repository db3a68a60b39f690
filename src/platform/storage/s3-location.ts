/** The addresses of objects in an S3-compatible store, as its 201 gives them. */
import { decodedPath, isObjectKey } from '#src/platform/storage/object-key.ts';

export type S3Place = { bucket: string; endpoint: string | null; region: string; forcePathStyle: boolean };

/** Host and path that come before the key; the first is the one that `locationOf` uses. */
export function s3Bases({ bucket, endpoint, region, forcePathStyle }: S3Place): URL[] {
  if (endpoint === null) {
    const hosts = [`s3.${region}.amazonaws.com`, 's3.amazonaws.com'];
    const virtual = hosts.map((host) => new URL(`https://${bucket}.${host}/`));
    const byPath = hosts.map((host) => new URL(`https://${host}/${bucket}/`));
    return forcePathStyle ? [...byPath, ...virtual] : [...virtual, ...byPath];
  }
  const store = new URL(endpoint.endsWith('/') ? endpoint : `${endpoint}/`);
  const byPath = new URL(`${bucket}/`, store);
  const virtual = new URL(store);
  virtual.hostname = `${bucket}.${store.hostname}`;
  // An IP address takes no bucket as a subdomain; the URL then stays as it was.
  if (virtual.hostname === store.hostname) return [byPath];
  return forcePathStyle ? [byPath, virtual] : [virtual, byPath];
}

/** The key that a store's `Location` names, its slashes URL-encoded or not; null for any other text. */
export function keyOfS3Location(location: string, bases: readonly URL[]): string | null {
  if (!URL.canParse(location)) return null;
  const url = new URL(location);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  const decoded = isPlain ? decodedPath(`${url.pathname}${url.search}${url.hash}`) : null;
  if (decoded === null) return null;
  const base = bases.find(({ host, pathname }) => host === url.host && decoded.startsWith(pathname));
  const key = base && decoded.slice(base.pathname.length);
  return key !== undefined && isObjectKey(key) ? key : null;
}
