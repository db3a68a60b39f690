import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signPostPolicy, verifyPostPolicy, type PolicyCredentials } from '#src/platform/storage/post-policy.ts';

const credentials: PolicyCredentials = {
  accessKeyId: 'ours',
  secretAccessKey: 'secret',
  region: 'local',
  bucket: 'objects',
};
const now = new Date('2026-05-04T10:00:00.000Z');
const expiresAt = new Date('2026-05-04T10:10:00.000Z');
const terms = { key: 'uploads/1/2/a.jpg', contentType: 'image/jpeg', maxBytes: 10_485_760, expiresAt };

const formOf = (fields: Record<string, string>) =>
  new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
const right = () => formOf(signPostPolicy(credentials, terms, now));

/** Signs any document as if we had written it. */
function signed(document: string): Map<string, string> {
  const form = right();
  const policy = Buffer.from(document).toString('base64');
  const key = ['20260504', 'local', 's3', 'aws4_request'].reduce<string | Buffer>(
    (parent, text) => createHmac('sha256', parent).update(text).digest(),
    'AWS4secret',
  );
  return form.set('policy', policy).set('x-amz-signature', createHmac('sha256', key).update(policy).digest('hex'));
}

const conditionsOf = (form: Map<string, string>): unknown[] =>
  (JSON.parse(Buffer.from(form.get('policy') ?? '', 'base64').toString()) as { conditions: unknown[] }).conditions;
const withConditions = (conditions: unknown[]) =>
  signed(JSON.stringify({ expiration: expiresAt.toISOString(), conditions }));

function codeOf(form: Map<string, string>, at: Date = now, by: PolicyCredentials = credentials): string {
  try {
    verifyPostPolicy(by, form, at);
    return 'admitted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('signed upload forms', () => {
  test('accept what was signed, with its size range', () => {
    expect(verifyPostPolicy(credentials, right(), now)).toEqual({
      key: terms.key,
      contentType: 'image/jpeg',
      minBytes: 1,
      maxBytes: 10_485_760,
    });
  });

  test('have the fields of S3, a private acl and status 201', () => {
    expect(Object.keys(signPostPolicy(credentials, terms, now))).toEqual([
      'key',
      'acl',
      'Content-Type',
      'success_action_status',
      'x-amz-algorithm',
      'x-amz-credential',
      'x-amz-date',
      'policy',
      'x-amz-signature',
    ]);
    expect(Object.fromEntries(right())).toMatchObject({
      acl: 'private',
      success_action_status: '201',
      'x-amz-date': '20260504T100000Z',
      'x-amz-credential': 'ours/20260504/local/s3/aws4_request',
    });
  });

  test.each([
    ['at the last millisecond', new Date(expiresAt.getTime() - 1), 'admitted'],
    ['at its end', expiresAt, 'AccessDenied'],
    ['a day later', new Date(expiresAt.getTime() + 86_400_000), 'AccessDenied'],
  ])('a policy %s', (_when, at, code) => {
    expect(codeOf(right(), at)).toBe(code);
  });

  test.each<[string, Partial<PolicyCredentials>, string]>([
    ['another secret', { secretAccessKey: 'guess' }, 'SignatureDoesNotMatch'],
    ['another access key', { accessKeyId: 'theirs' }, 'InvalidAccessKeyId'],
    ['another region', { region: 'elsewhere' }, 'SignatureDoesNotMatch'],
    ['another bucket', { bucket: 'others' }, 'AccessDenied'],
  ])('a form of an installation with %s is refused', (_what, difference, code) => {
    expect(codeOf(formOf(signPostPolicy({ ...credentials, ...difference }, terms, now)))).toBe(code);
  });

  test('do not allow any change of the policy or the signature', () => {
    for (const field of ['policy', 'x-amz-signature']) {
      const value = right().get(field) ?? '';
      for (let index = 0; index < value.length; index++) {
        const other = value[index] === 'a' ? 'b' : 'a';
        const form = right().set(field, value.slice(0, index) + other + value.slice(index + 1));
        expect(codeOf(form), `${field}[${index}]`).toBe('SignatureDoesNotMatch');
      }
    }
  });

  test.each([
    'key',
    'acl',
    'content-type',
    'success_action_status',
    'x-amz-algorithm',
    'x-amz-credential',
    'x-amz-date',
  ])('%s must be what was signed', (field) => {
    const value = right().get(field) ?? '';
    const others = [`${value} `, `${value}x`, value.slice(0, -1), value.toUpperCase(), value.toLowerCase(), ''].filter(
      (other) => other !== value,
    );
    for (const other of others) {
      expect(codeOf(right().set(field, other)), other).not.toBe('admitted');
    }
    const form = right();
    form.delete(field);
    expect(codeOf(form)).not.toBe('admitted');
  });

  test.each([
    ['a field beside the policy', 'x-amz-meta-a', 'AccessDenied'],
    ['a redirect', 'success_action_redirect', 'AccessDenied'],
    ['a tagging', 'tagging', 'AccessDenied'],
    ['a field to ignore', 'x-ignore-a', 'admitted'],
  ])('%s: %s is %s', (_what, field, code) => {
    expect(codeOf(right().set(field, 'b'))).toBe(code);
  });

  test('refuse another bucket, and accept our own', () => {
    expect(codeOf(right().set('bucket', 'others'))).toBe('AccessDenied');
    expect(codeOf(right().set('bucket', 'objects'))).toBe('admitted');
  });

  test.each<[string, string]>([
    ['no JSON', 'not json'],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['no expiration', '{"conditions":[]}'],
    ['an expiration that is no date', '{"expiration":"soon","conditions":[]}'],
    ['conditions that are no list', '{"expiration":"2099-01-01T00:00:00Z","conditions":{}}'],
    ['an empty document', ''],
  ])('a signed policy with %s is no policy', (_what, document) => {
    expect(codeOf(signed(document))).toBe('InvalidPolicyDocument');
  });

  test.each<[string, (own: unknown[]) => unknown[], string]>([
    ['as signed', (own) => own, 'admitted'],
    [
      'written as eq',
      (own) => [...own.filter((one) => !(one as object).hasOwnProperty('key')), ['eq', '$key', terms.key]],
      'admitted',
    ],
    [
      'written with a name in other case',
      (own) => [
        ...own.filter((one) => !(one as object).hasOwnProperty('Content-Type')),
        { 'CONTENT-TYPE': 'image/jpeg' },
      ],
      'admitted',
    ],
    ['with starts-with, which we never write', (own) => [...own, ['starts-with', '$key', '']], 'InvalidPolicyDocument'],
    ['with an empty object', (own) => [...own, {}], 'InvalidPolicyDocument'],
    ['with two names in one', (own) => [...own, { a: 'b', c: 'd' }], 'InvalidPolicyDocument'],
    ['with a number', (own) => [...own, 7], 'InvalidPolicyDocument'],
    ['with sizes in words', (own) => [...own, ['content-length-range', '1', '10']], 'InvalidPolicyDocument'],
    ['without sizes', (own) => own.filter((one) => !Array.isArray(one)), 'InvalidPolicyDocument'],
    ['that wants a field which is not there', (own) => [...own, { tagging: 'x' }], 'AccessDenied'],
    ['without one of the fields', (own) => own.filter((one) => !(one as object).hasOwnProperty('acl')), 'AccessDenied'],
  ])('conditions %s', (_what, change, code) => {
    expect(codeOf(withConditions(change(conditionsOf(right()))))).toBe(code);
  });
});
