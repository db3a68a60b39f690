/**
 * Signed upload forms in S3's format (AWS Signature Version 4, "POST policy"): the server records what a form may
 * contain, signs it, and the upload is accepted only if every field is covered by a condition and meets it (bad input
 * 72).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuseUpload } from '#src/platform/storage/storage-faults.ts';

export type PolicyCredentials = { accessKeyId: string; secretAccessKey: string; region: string; bucket: string };

type PolicyTerms = { key: string; contentType: string; maxBytes: number; expiresAt: Date };

/** What an accepted form may store. */
export type AdmittedForm = { key: string; contentType: string; minBytes: number; maxBytes: number };

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 's3';
const SCOPE_END = 'aws4_request';
/** These contain or follow the policy and cannot be covered by it; S3 leaves the same ones out, and `x-ignore-…`. */
const UNCOVERED = new Set(['policy', 'x-amz-signature', 'file']);
const IGNORED_PREFIX = 'x-ignore-';
const SIGNED_FIELDS = ['x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature'] as const;

/** The form's fields (all except `file`, which comes last). `expiresAt` keeps its milliseconds. */
export function signPostPolicy(credentials: PolicyCredentials, terms: PolicyTerms, now: Date): Record<string, string> {
  const date = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = date.slice(0, 8);
  const pinned = {
    key: terms.key,
    acl: 'private',
    'Content-Type': terms.contentType,
    success_action_status: '201',
    'x-amz-algorithm': ALGORITHM,
    'x-amz-credential': [credentials.accessKeyId, day, credentials.region, SERVICE, SCOPE_END].join('/'),
    'x-amz-date': date,
  };
  const conditions = [
    { bucket: credentials.bucket },
    ...Object.entries(pinned).map(([name, value]) => ({ [name]: value })),
    ['content-length-range', 1, terms.maxBytes],
  ];
  const policy = Buffer.from(JSON.stringify({ expiration: terms.expiresAt.toISOString(), conditions })).toString(
    'base64',
  );
  return { ...pinned, policy, 'x-amz-signature': signatureOf(credentials, day, policy).toString('hex') };
}

/**
 * Checks a form's fields (names in lower case) and returns what it may store. Throws StoreRefusal: AccessDenied,
 * InvalidAccessKeyId, InvalidArgument, InvalidPolicyDocument, SignatureDoesNotMatch. Nothing inside the policy is read
 * before its signature is verified.
 */
export function verifyPostPolicy(credentials: PolicyCredentials, form: ReadonlyMap<string, string>, now: Date) {
  const policy = form.get('policy');
  if (policy === undefined) throw refuseUpload('AccessDenied', 'Access Denied');
  for (const name of ['key', ...SIGNED_FIELDS]) {
    if (!form.has(name)) throw refuseUpload('InvalidArgument', `Bucket POST must contain a field named '${name}'.`);
  }
  checkSignature(credentials, form, policy);
  const { expiration, conditions } = readPolicy(policy);
  if (now >= expiration) throw refuseUpload('AccessDenied', 'Invalid according to Policy: Policy expired.');
  const sizes = checkConditions(conditions, new Map([['bucket', credentials.bucket], ...form]));
  return { key: form.get('key') ?? '', contentType: form.get('content-type') ?? '', ...sizes };
}

function checkSignature(credentials: PolicyCredentials, form: ReadonlyMap<string, string>, policy: string): void {
  const mismatch = refuseUpload(
    'SignatureDoesNotMatch',
    'The signature does not match the policy and the signing key.',
  );
  const [accessKeyId, day = '', ...scope] = (form.get('x-amz-credential') ?? '').split('/');
  if (accessKeyId !== credentials.accessKeyId)
    throw refuseUpload('InvalidAccessKeyId', 'The access key of this form is not known here.');
  const scopeIsOurs = scope.join('/') === [credentials.region, SERVICE, SCOPE_END].join('/') && /^\d{8}$/.test(day);
  if (!scopeIsOurs || form.get('x-amz-algorithm') !== ALGORITHM) throw mismatch;
  const given = form.get('x-amz-signature') ?? '';
  if (!/^[0-9a-f]{64}$/.test(given)) throw mismatch;
  if (!timingSafeEqual(Buffer.from(given, 'hex'), signatureOf(credentials, day, policy))) throw mismatch;
}

function signatureOf(credentials: PolicyCredentials, day: string, policy: string): Buffer {
  const keyed = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const signingKey = [day, credentials.region, SERVICE, SCOPE_END].reduce<string | Buffer>(
    keyed,
    `AWS4${credentials.secretAccessKey}`,
  );
  return keyed(signingKey, policy);
}

function readPolicy(policy: string): { expiration: Date; conditions: unknown[] } {
  const invalid = (reason: string) => refuseUpload('InvalidPolicyDocument', `Invalid Policy: ${reason}.`);
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(policy, 'base64').toString('utf8'));
  } catch {
    throw invalid('Invalid JSON');
  }
  if (document === null || typeof document !== 'object') throw invalid('Policy is no object');
  const { expiration, conditions } = document as { expiration?: unknown; conditions?: unknown };
  const expires = new Date(typeof expiration === 'string' ? expiration : Number.NaN);
  if (Number.isNaN(expires.getTime())) throw invalid('Policy is missing expiration');
  if (!Array.isArray(conditions)) throw invalid('Policy is missing conditions');
  return { expiration: expires, conditions };
}

/** Only the kinds of condition that `signPostPolicy` writes are supported; any other is refused. */
function checkConditions(conditions: unknown[], form: ReadonlyMap<string, string>) {
  const unknown = refuseUpload('InvalidPolicyDocument', 'Invalid Policy: Invalid Simple-Condition.');
  const covered = new Set(UNCOVERED);
  let sizes: { minBytes: number; maxBytes: number } | null = null;
  for (const condition of conditions) {
    if (Array.isArray(condition) && condition[0] === 'content-length-range') {
      const [, minBytes, maxBytes] = condition as [string, unknown, unknown];
      if (!Number.isSafeInteger(minBytes) || !Number.isSafeInteger(maxBytes)) throw unknown;
      sizes = { minBytes: minBytes as number, maxBytes: maxBytes as number };
      continue;
    }
    const [name, value] = readEquality(condition) ?? [];
    if (name === undefined) throw unknown;
    if (form.get(name) !== value)
      throw refuseUpload(
        'AccessDenied',
        `Invalid according to Policy: Policy Condition failed: ["eq", "$${name}", "${value}"]`,
      );
    covered.add(name);
  }
  const extra = [...form.keys()].filter((name) => !covered.has(name) && !name.startsWith(IGNORED_PREFIX));
  if (extra.length > 0)
    throw refuseUpload('AccessDenied', `Invalid according to Policy: Extra input fields: ${extra.join(', ')}`);
  if (sizes === null)
    throw refuseUpload('InvalidPolicyDocument', 'Invalid Policy: Policy has no content-length-range.');
  return sizes;
}

/** `{"name": "value"}` or `["eq", "$name", "value"]`, the name in lower case. */
function readEquality(condition: unknown): [string, string] | null {
  const isTriple =
    Array.isArray(condition) && condition.length === 3 && condition[0] === 'eq' && String(condition[1]).startsWith('$');
  const pair = isTriple
    ? [String(condition[1]).slice(1), condition[2]]
    : Array.isArray(condition)
      ? null
      : onlyEntry(condition);
  if (pair === null || typeof pair[1] !== 'string') return null;
  return [String(pair[0]).toLowerCase(), pair[1]];
}

function onlyEntry(condition: unknown): [string, unknown] | null {
  if (condition === null || typeof condition !== 'object') return null;
  const [entry, second] = Object.entries(condition);
  return entry !== undefined && second === undefined ? entry : null;
}
