/** What every store must do with upload forms, valid and invalid ones (bad inputs 72 and 73). */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { UploadPolicy } from '#src/platform/storage/storage.ts';
import type { StorageRig } from '#tests/support/storage-rig.ts';
import { formEntries, jpegBlob, newUploadKey as newKey, postForm, type FormEntry } from '#tests/support/upload-form.ts';

const MAX_BYTES = 10_485_760;
const TEN_MINUTES = 600_000;

type Tampering = [what: string, tamper: (fields: Record<string, string>, file: Blob) => FormEntry[], codes: string[]];

const OTHER_KEY = 'uploads/99/999/other.jpg';
const DENIED = [
  'AccessDenied',
  'SignatureDoesNotMatch',
  'InvalidArgument',
  'InvalidAccessKeyId',
  'InvalidPolicyDocument',
  'MalformedPOSTRequest',
];

const changed = (what: string, field: string, change: (value: string) => string): Tampering => [
  what,
  (fields, file) => [...Object.entries({ ...fields, [field]: change(fields[field] ?? '') }), ['file', file]],
  DENIED,
];

const inPolicy = (what: string, from: string | RegExp, to: string): Tampering =>
  changed(what, 'policy', (policy) =>
    Buffer.from(Buffer.from(policy, 'base64').toString('utf8').replace(from, to)).toString('base64'),
  );

const without = (field: string): Tampering => [
  `a form without ${field}`,
  (fields, file) => [...Object.entries(fields).filter(([name]) => name !== field), ['file', file]],
  DENIED,
];

/** Bad input 72, each field and each way. */
const TAMPERINGS: Tampering[] = [
  changed('another key', 'key', () => OTHER_KEY),
  changed('a key with something added', 'key', (key) => `${key}x`),
  changed('a public acl', 'acl', () => 'public-read'),
  changed('another type', 'Content-Type', () => 'text/html'),
  changed('another status', 'success_action_status', () => '200'),
  changed('another day in the credential', 'x-amz-credential', (credential) =>
    credential.replace(/\/\d{8}\//, '/20200101/'),
  ),
  changed('another region in the credential', 'x-amz-credential', (credential) =>
    credential.replace(/\/[a-z0-9-]+\/s3\//, '/eu-west-9/s3/'),
  ),
  changed(
    'another access key',
    'x-amz-credential',
    (credential) => `STRANGER${credential.slice(credential.indexOf('/'))}`,
  ),
  changed('another algorithm', 'x-amz-algorithm', () => 'AWS4-HMAC-SHA1'),
  changed('another date', 'x-amz-date', () => '20200101T000000Z'),
  changed(
    'a signature with one digit changed',
    'x-amz-signature',
    (signature) => (signature.startsWith('0') ? '1' : '0') + signature.slice(1),
  ),
  changed('a signature cut short', 'x-amz-signature', (signature) => signature.slice(0, 63)),
  changed('an empty signature', 'x-amz-signature', () => ''),
  changed(
    'a policy with one byte changed',
    'policy',
    (policy) => policy.slice(0, 20) + (policy[20] === 'A' ? 'B' : 'A') + policy.slice(21),
  ),
  changed('an empty policy', 'policy', () => ''),
  inPolicy('a policy with a larger limit', '10485760', '99999999'),
  inPolicy('a policy that lives longer', /"expiration":"\d{4}/, '"expiration":"2099'),
  ...[
    'key',
    'acl',
    'Content-Type',
    'success_action_status',
    'policy',
    'x-amz-credential',
    'x-amz-algorithm',
    'x-amz-date',
    'x-amz-signature',
  ].map(without),
  [
    'a field that the policy does not cover',
    (fields, file) => [...Object.entries(fields), ['x-amz-meta-note', 'hello'], ['file', file]],
    DENIED,
  ],
  [
    'a redirect that the policy does not cover',
    (fields, file) => [...Object.entries(fields), ['success_action_redirect', 'https://example.com/'], ['file', file]],
    DENIED,
  ],
  [
    'a second key before the file',
    (fields, file) => [...Object.entries(fields), ['key', OTHER_KEY], ['file', file]],
    DENIED,
  ],
  ['a form whose file comes first', (fields, file) => [['file', file], ...Object.entries(fields)], DENIED],
];

export function testUploadForms(rig: () => StorageRig): void {
  describe('upload forms', () => {
    const sign = (key: string, terms: { maxBytes?: number; expiresAt?: Date } = {}): Promise<UploadPolicy> =>
      rig().storage.signUpload({
        key,
        contentType: 'image/jpeg',
        maxBytes: MAX_BYTES,
        expiresAt: new Date(Date.now() + TEN_MINUTES),
        origin: rig().origin,
        ...terms,
      });

    test('a right form is stored whole and answered with 201 and XML', async () => {
      const key = newKey();
      const bytes = randomBytes(300_000);
      const policy = await sign(key);
      const answer = await postForm(policy.url, formEntries(policy, jpegBlob(bytes)));
      expect([answer.status, answer.element('Key')]).toEqual([201, key]);
      expect(answer.headers.get('content-type')).toContain('application/xml');
      expect(answer.element('Bucket')).toMatch(/^[a-z0-9-]+$/);
      const head = await rig().storage.head(key);
      expect(head?.etag.replaceAll('"', '')).toBe(answer.element('ETag')?.replaceAll('"', ''));
      expect(await rig().storage.get(key)).toEqual(bytes);
      const location = answer.element('Location') ?? '';
      expect(rig().storage.keyOfLocation(location)).toBe(key);
      expect(decodeURIComponent(location)).toBe(rig().storage.locationOf(key, rig().origin));
    });

    test('no one can read what was stored by its Location', async () => {
      const key = newKey();
      const policy = await sign(key);
      const location = (await postForm(policy.url, formEntries(policy, jpegBlob(1000)))).element('Location') ?? '';
      for (const method of ['GET', 'HEAD']) expect([403, 404]).toContain((await fetch(location, { method })).status);
      expect([403, 404]).toContain((await fetch(rig().storage.locationOf(key, rig().origin))).status);
    });

    test.each<[string, number, number, string | null]>([
      ['10,485,760 bytes are taken', MAX_BYTES, 201, null],
      ['one byte more is EntityTooLarge', MAX_BYTES + 1, 400, 'EntityTooLarge'],
      ['an empty file is EntityTooSmall', 0, 400, 'EntityTooSmall'],
      ['one byte is taken', 1, 201, null],
    ])('%s', async (_what, bytes, status, code) => {
      const key = newKey();
      const policy = await sign(key);
      const answer = await postForm(policy.url, formEntries(policy, jpegBlob(bytes)));
      expect([answer.status, answer.element('Code')]).toEqual([status, code]);
      expect((await rig().storage.head(key))?.bytes ?? null).toBe(status === 201 ? bytes : null);
    });

    test('a form that was refused may be sent again as it should be', async () => {
      const key = newKey();
      const policy = await sign(key);
      expect((await postForm(policy.url, formEntries(policy, jpegBlob(0)))).status).toBe(400);
      expect((await postForm(policy.url, formEntries(policy, jpegBlob(10)))).status).toBe(201);
    });

    test('an expired policy is refused by the clock of the server', async () => {
      const key = newKey();
      const policy = await sign(key, { expiresAt: new Date(Date.now() - 1000) });
      const answer = await postForm(policy.url, formEntries(policy, jpegBlob(10)));
      expect([answer.status, answer.element('Code')]).toEqual([403, 'AccessDenied']);
      expect(await rig().storage.head(key)).toBeNull();
    });

    test.each(TAMPERINGS)('%s is refused and stores nothing', async (_what, tamper, codes) => {
      const key = newKey();
      const policy = await sign(key);
      const answer = await postForm(policy.url, tamper(policy.fields, jpegBlob(100)));
      expect([400, 403], answer.xml).toContain(answer.status);
      expect(codes, answer.xml).toContain(answer.element('Code'));
      for (const possible of [key, `${key}x`, OTHER_KEY]) expect(await rig().storage.head(possible)).toBeNull();
    });

    test('fields whose names begin with x-ignore- are ignored', async () => {
      const policy = await sign(newKey());
      const entries: FormEntry[] = [['x-ignore-note', 'hello'], ...formEntries(policy, jpegBlob(10))];
      expect((await postForm(policy.url, entries)).status).toBe(201);
    });

    test('something that is no form is refused', async () => {
      const policy = await sign(newKey());
      const answer = await fetch(policy.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect([400, 403]).toContain(answer.status);
      expect(await answer.text()).toContain('<Error>');
    });
  });
}
