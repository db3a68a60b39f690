/**
 * Keys name files on disk, so their form cannot leave the folder or hide, and means the same on file systems that
 * ignore case: lower-case segments that begin with a letter or digit.
 */
const SEGMENT = /^[a-z0-9][a-z0-9._-]{0,127}$/;
const MAX_KEY_LENGTH = 512;

/** Whether the text may be a key. */
export function isObjectKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && text.split('/').every((segment) => SEGMENT.test(segment));
}

/** Keys are made by the server, so an invalid one is a bug of ours: throws TypeError, not a problem. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError(`not an object key: ${JSON.stringify(key.slice(0, 100))}`);
}

/** Whether a key could begin like this: whole segments, then a part of one. Throws TypeError. */
export function assertKeyPrefix(prefix: string): void {
  const folders = prefix.split('/');
  const begun = folders.pop() ?? '';
  const isPrefix = folders.every((segment) => SEGMENT.test(segment)) && (begun === '' || SEGMENT.test(begun));
  if (!isPrefix) throw new TypeError(`not a prefix of object keys: ${JSON.stringify(prefix.slice(0, 100))}`);
}

/** The decoded path of a URL or path text; null if it has a query, a fragment or a bad escape. */
export function decodedPath(pathname: string): string | null {
  if (/[?#\\]/.test(pathname)) return null;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}
