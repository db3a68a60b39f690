/**
 * Where originals and renditions are stored: a folder (`disk-storage.ts`) or any S3-compatible store (`s3-storage.ts`).
 * Every object is private; only our own routes read them. Keys are made by the server: lower-case path segments such as
 * `uploads/12/345/9f….jpg`, `originals/ab/abcdef….jpg`, `renditions/….jpg` (`isObjectKey`). Every call may throw the
 * problems storage_full (507) and unavailable (503).
 */
import type { Readable } from 'node:stream';

export type ObjectInfo = {
  key: string;
  bytes: number;
  /** Opaque version of the content; S3's quoted ETag there, the quoted SHA-256 on disk. */
  etag: string;
  lastModified: Date;
};

/** The SHA-256 of an object's bytes in lower-case hex, if its version is one. */
export function sha256OfObject({ kind }: Pick<Storage, 'kind'>, { etag }: ObjectInfo): string | undefined {
  return kind === 'disk' ? etag.slice(1, -1) : undefined;
}

export type ByteRange = { start: number; /** Inclusive; absent means to the end. */ end?: number };

/** How long sweeps keep objects without a row: a database that was restored may be older than the store (fault F35). */
export const KEPT_WITHOUT_ROW_DAYS = 30;

/** An object of a listing: without its version, because a folder would have to read every file for it. */
export type ListedObject = Omit<ObjectInfo, 'etag'>;

/** What an upload form may send, pinned by the server (rule 4). */
export type UploadPolicyRequest = {
  key: string;
  contentType: 'image/jpeg' | 'image/png';
  maxBytes: number;
  expiresAt: Date;
  /**
   * Scheme, host and port of the request (`originOf` in src/http/site.ts). On disk the form is posted to this origin, so
   * that a page of any organization posts to its own host; S3 has its own address.
   */
  origin: string;
};

/** `url` accepts a multipart form of `fields`, then `file` last. */
export type UploadPolicy = { url: string; fields: Record<string, string> };

/** What is known of an object before it is written; `sha256` in lower-case hex spares a disk store computing it. */
export type ObjectFacts = { contentType: string; bytes?: number; sha256?: string };

export type Storage = {
  readonly kind: 'disk' | 's3';
  /**
   * Signs a form that stores exactly one key, type and size (1 byte or more); 201 with XML on success. Problems:
   * storage_full.
   */
  signUpload(request: UploadPolicyRequest): Promise<UploadPolicy>;
  /** The `Location` that the store's 201 contains for a key (slashes not URL-encoded); `origin` as in the policy request. */
  locationOf(key: string, origin: string): string;
  /** The key that a `Location` (also URL-encoded) names; null if it is not one of ours. Nothing is fetched. */
  keyOfLocation(location: string): string | null;
  /** Writes completely or not at all: the object is durable when the promise resolves. */
  put(key: string, body: Uint8Array | Readable, options: ObjectFacts): Promise<ObjectInfo>;
  /** Null if there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;
  /** The whole object in memory; null if there is none. Only for small objects. */
  get(key: string): Promise<Buffer | null>;
  /**
   * A stream of the object or of a range of it; null if there is none. A range must begin inside the object
   * (RangeError). Read or destroy it: it holds a file or connection open.
   */
  stream(key: string, range?: ByteRange): Promise<{ body: Readable; info: ObjectInfo } | null>;
  /** Server-side copy, only if the source still has `ifEtag`; false if the source is missing or changed. */
  copy(from: string, to: string, options?: { ifEtag?: string }): Promise<boolean>;
  /** Deleting a missing object is not an error. */
  remove(key: string): Promise<void>;
  /** Deletes the bytes of an upload that has become a photo. On disk its form stays used; S3 has no forms that work only once. */
  spend(key: string): Promise<void>;
  /** False while the disk is nearly full and accepts no new uploads; an S3 store always has space. */
  hasSpace(): Promise<boolean>;
  /** All objects below a prefix, page by page, in key order. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Rejects if the store does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** Whether the store accepts uploads. Rejects if it does not answer. */
export async function stateOfStore({ storage }: { storage: Storage }): Promise<'ok' | 'full'> {
  await storage.check();
  return (await storage.hasSpace()) ? 'ok' : 'full';
}
