/**
 * Objects in any S3-compatible store. The bucket must exist and be private; browsers post directly to it, so its CORS
 * rules must let the site's origins POST.
 */
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  CopyObjectCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { assertKeyPrefix, assertObjectKey, decodedPath, isObjectKey } from '#src/platform/storage/object-key.ts';
import { bucketRefusal } from '#src/platform/storage/s3-bucket.ts';
import { storageFull, storageUnavailable, storeStatus } from '#src/platform/storage/storage-faults.ts';
import type {
  ByteRange,
  ListedObject,
  ObjectInfo,
  Storage,
  UploadPolicy,
  UploadPolicyRequest,
} from '#src/platform/storage/storage.ts';
import { isProblem } from '#src/shared/problem.ts';

export type S3StorageOptions = S3Place & {
  /** Null: the machine's own identity, found by the S3 library. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
};

/** A streamed body is held in memory, so that a failed attempt can be repeated; objects of this product are small. */
const MAX_STREAMED_BYTES = 67_108_864;
/** A load balancer uses the check to decide whether to send requests here, so it must not hang. */
const CHECK_MS = 3000;
const ABSENT = [404];
const BEYOND_THE_END = 416;

/** The connection alone; the caller calls `destroy`. */
export function openS3Client(options: S3StorageOptions): S3Client {
  const { credentials } = options;
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    ...(options.endpoint === null ? {} : { endpoint: options.endpoint }),
    // A copy: the library writes into the object it is given, and ours is frozen.
    ...(credentials === null ? {} : { credentials: { ...credentials } }),
    maxAttempts: 3,
    // Stores other than Amazon's may not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 2000,
      requestTimeout: 10_000,
      throwOnRequestTimeout: true,
      socketTimeout: 30_000,
    },
  });
}

/**
 * Opens the store. Rejects if it reports that the bucket is missing or not accessible; a store that does not answer may
 * come back later.
 */
export async function openS3Storage(options: S3StorageOptions): Promise<Storage> {
  const { bucket } = options;
  const client = openS3Client(options);
  const bases = s3Bases(options);
  const at = (key: string) => {
    assertObjectKey(key);
    return { Bucket: bucket, Key: key };
  };

  await refuseBadBucket(client, bucket).catch((error: unknown) => {
    client.destroy();
    throw error;
  });

  const storage: Storage = {
    kind: 's3',

    signUpload: (request) => signUpload(client, bucket, request),

    locationOf: (key) => `${bases[0]?.href ?? ''}${key}`,
    keyOfLocation: (location) => keyOfS3Location(location, bases),

    async put(key, body, { contentType, bytes }) {
      const whole = body instanceof Uint8Array ? body : await collect(body);
      if (bytes !== undefined && bytes !== whole.byteLength)
        throw new Error(`object ${key} was to have ${bytes} bytes and came with ${whole.byteLength}`);
      const command = new PutObjectCommand({
        ...at(key),
        Body: whole,
        ContentType: contentType,
        ContentLength: whole.byteLength,
      });
      const stored = await askStore(() => client.send(command));
      return { key, bytes: whole.byteLength, etag: stored?.ETag ?? '', lastModified: new Date() };
    },

    async head(key) {
      const answer = await askStore(() => client.send(new HeadObjectCommand(at(key))), ABSENT);
      return answer && infoOf(key, answer, answer.ContentLength);
    },

    async get(key) {
      const bytes = await askStore(async () => {
        const answer = await client.send(new GetObjectCommand(at(key)));
        return answer.Body?.transformToByteArray();
      }, ABSENT);
      return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : null;
    },

    stream: (key, range) => openStream(client, at(key), range),

    copy: async (from, to, { ifEtag } = {}) =>
      copyInStore(client, { bucket, from: at(from).Key, to: at(to).Key, ifEtag: ifEtag ?? null }),

    async remove(key) {
      await askStore(() => client.send(new DeleteObjectCommand(at(key))), ABSENT);
    },

    spend: (key) => storage.remove(key),
    hasSpace: async () => true,

    list(prefix) {
      assertKeyPrefix(prefix);
      return listBucket(client, bucket, prefix);
    },

    async check() {
      const abortSignal = AbortSignal.timeout(CHECK_MS);
      await askStore(() => client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }));
    },

    async close() {
      client.destroy();
    },
  };
  return storage;
}

async function refuseBadBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const refusal = bucketRefusal(error, bucket);
    if (refusal !== null) throw refusal;
  }
}

/** S3 ignores the case of field names; they are sent as the disk driver spells them. */
async function signUpload(client: S3Client, bucket: string, request: UploadPolicyRequest): Promise<UploadPolicy> {
  assertObjectKey(request.key);
  const presigned = await askStore(() =>
    createPresignedPost(client, {
      Bucket: bucket,
      Key: request.key,
      Fields: { acl: 'private', 'Content-Type': request.contentType, success_action_status: '201' },
      Conditions: [['content-length-range', 1, request.maxBytes]],
      Expires: Math.max(0, Math.floor((request.expiresAt.getTime() - Date.now()) / 1000)),
    }),
  );
  if (presigned === null) throw new Error('the form was not signed');
  const spelled = Object.entries(presigned.fields).map(([name, value]) => [
    /^(x-amz-|policy$)/i.test(name) ? name.toLowerCase() : name,
    value,
  ]);
  return { url: presigned.url, fields: Object.fromEntries(spelled) as Record<string, string> };
}

async function openStream(client: S3Client, place: { Bucket: string; Key: string }, range?: ByteRange) {
  const wanted = range && { Range: `bytes=${range.start}-${range.end ?? ''}` };
  const answer = await askStore(async () => {
    try {
      return await client.send(new GetObjectCommand({ ...place, ...wanted }));
    } catch (error) {
      if (storeStatus(error) === BEYOND_THE_END)
        throw new RangeError(`object ${place.Key} has no byte ${range?.start ?? 0}`, { cause: error });
      throw error;
    }
  }, ABSENT);
  if (!answer) return null;
  const wholeBytes = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
  return {
    body: answer.Body as Readable,
    info: infoOf(place.Key, answer, wholeBytes === undefined ? answer.ContentLength : Number(wholeBytes)),
  };
}

function infoOf(
  key: string,
  answer: { ETag?: string | undefined; LastModified?: Date | undefined },
  bytes: number | undefined,
): ObjectInfo {
  return { key, bytes: bytes ?? 0, etag: answer.ETag ?? '', lastModified: answer.LastModified ?? new Date(0) };
}

async function* listBucket(client: S3Client, bucket: string, prefix: string): AsyncGenerator<ListedObject> {
  const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })[Symbol.asyncIterator]();
  for (;;) {
    const page = await askStore(() => pages.next());
    if (!page || page.done) return;
    for (const { Key, Size, LastModified } of page.value.Contents ?? []) {
      if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, lastModified: LastModified ?? new Date(0) };
    }
  }
}

async function collect(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_STREAMED_BYTES) throw new Error(`an object of more than ${MAX_STREAMED_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

type S3Copy = { bucket: string; from: string; to: string; ifEtag: string | null };

const CHANGED = [404, 412];
/** Ceph's request ids: `tx` and 21 hexadecimal digits. */
const CEPH_REQUEST = /^tx[0-9a-f]{21}-/;
const CEPH_CONDITION = 'x-amz-copy-if-match';

/**
 * False if the source is missing or has another version. Several stores accept S3's condition and ignore it, so the
 * version is checked first. Between that check and the copy only the condition helps. Ceph's gateway has another name
 * for it (tracker.ceph.com 40808, seen in 16.2), so that is sent as well.
 */
async function copyInStore(client: S3Client, { bucket, from, to, ifEtag }: S3Copy): Promise<boolean> {
  const command = new CopyObjectCommand({
    Bucket: bucket,
    Key: to,
    CopySource: `${bucket}/${from}`,
    ...(ifEtag === null ? {} : { CopySourceIfMatch: ifEtag }),
  });
  if (ifEtag !== null) {
    const source = await askStore(() => client.send(new HeadObjectCommand({ Bucket: bucket, Key: from })), ABSENT);
    if (source?.ETag !== ifEtag) return false;
    if (CEPH_REQUEST.test(source.$metadata.requestId ?? '')) addHeader(command, CEPH_CONDITION, ifEtag);
  }
  return (await askStore(() => client.send(command), CHANGED)) !== null;
}

function addHeader(command: CopyObjectCommand, name: string, value: string): void {
  command.middlewareStack.add(
    (next) => async (args) => {
      (args.request as { headers: Record<string, string> }).headers[name] = value;
      return next(args);
    },
    { step: 'build', name: 'addCondition' },
  );
}

/** Error names of stores that have no space left. */
const FULL_NAMES = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'InsufficientCapacity']);

/**
 * Runs calls to the store; every failure other than `expected` statuses (returned as null) becomes storage_full or
 * unavailable.
 */
async function askStore<T>(work: () => Promise<T>, expected: readonly number[] = []): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const status = storeStatus(error);
    if (status !== null && expected.includes(status)) return null;
    if (isProblem(error) || error instanceof RangeError || error instanceof TypeError) throw error;
    throw status === 507 || FULL_NAMES.has((error as Error).name) ? storageFull(error) : storageUnavailable(error);
  }
}

/** What the addresses of objects are made of. */
export type S3Place = { bucket: string; endpoint: string | null; region: string; forcePathStyle: boolean };

/** Host and path before the key; the first is the one that `locationOf` uses. */
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
  // An IP address cannot have a bucket as a subdomain; the URL then stays unchanged.
  if (virtual.hostname === store.hostname) return [byPath];
  return forcePathStyle ? [byPath, virtual] : [virtual, byPath];
}

/** The key that a store's `Location` names, its slashes URL-encoded or not; null for any other text. */
export function keyOfS3Location(location: string, bases: readonly URL[]): string | null {
  const url = URL.parse(location);
  if (!url) return null;
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  const decoded = isPlain ? decodedPath(`${url.pathname}${url.search}${url.hash}`) : null;
  if (decoded === null) return null;
  const base = bases.find(({ host, pathname }) => host === url.host && decoded.startsWith(pathname));
  const key = base && decoded.slice(base.pathname.length);
  return key !== undefined && isObjectKey(key) ? key : null;
}
