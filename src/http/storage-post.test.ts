import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UploadPolicy } from '#src/platform/storage/storage.ts';
import { storageFull } from '#src/platform/storage/storage-faults.ts';
import { openDiskRig, type DiskRig } from '#tests/support/storage-rig.ts';
import { formEntries, jpegBlob, postForm, type FormEntry } from '#tests/support/upload-form.ts';

let rig: DiskRig;
beforeAll(async () => {
  rig = await openDiskRig();
});
afterAll(() => rig.close());

let made = 0;
const sign = async (): Promise<UploadPolicy & { key: string }> => {
  const key = `uploads/1/2/${++made}.jpg`;
  const request = {
    contentType: 'image/jpeg' as const,
    maxBytes: 10_485_760,
    expiresAt: new Date(Date.now() + 60_000),
    origin: rig.origin,
  };
  return { key, ...(await rig.storage.signUpload({ key, ...request })) };
};
const incoming = () => readdir(path.join(rig.folder, '.incoming'));
const nothingStays = async (key: string): Promise<void> => {
  expect(await rig.storage.head(key)).toBeNull();
  await vi.waitFor(async () => expect(await incoming()).toEqual([]), { timeout: 10_000 });
};

const BOUNDARY = 'x-boundary-x';
const part = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const fieldParts = (policy: UploadPolicy) =>
  Object.entries(policy.fields)
    .map(([name, value]) => part(name, value))
    .join('');
const FILE_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;
const head = (length: number | 'chunked') =>
  [
    'POST /storage HTTP/1.1',
    'Host: www.sideline.localhost',
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');

async function dial(): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(rig.origin).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
    socket.on('data', (piece) => {
      text += piece.toString();
      if (/<\/(Error|PostResponse)>/.test(text)) resolve(text);
    });
  });
  return { socket, answer };
}

async function postRaw(body: string | Buffer): Promise<string> {
  const { socket, answer } = await dial();
  socket.write(head(Buffer.byteLength(body)));
  socket.write(body);
  const text = await answer;
  socket.destroy();
  return text;
}

describe('POST /storage', () => {
  test('a stored object cannot be overwritten by a post', async () => {
    const policy = await sign();
    const bytes = randomBytes(1000);
    expect((await postForm(policy.url, formEntries(policy, jpegBlob(bytes)))).status).toBe(201);
    const again = await postForm(policy.url, formEntries(policy, jpegBlob(randomBytes(1000))));
    expect([again.status, again.element('Code')]).toEqual([403, 'AccessDenied']);
    expect(await rig.storage.get(policy.key)).toEqual(bytes);
    expect(await incoming()).toEqual([]);
  });

  test('of several posts at the same time exactly one is stored', async () => {
    const policy = await sign();
    const bodies = Array.from({ length: 8 }, () => randomBytes(400_000));
    const answers = await Promise.all(
      bodies.map((bytes) => postForm(policy.url, formEntries(policy, jpegBlob(bytes)))),
    );
    const won = answers.flatMap(({ status }, index) => (status === 201 ? [index] : []));
    expect(won.length).toBe(1);
    expect(answers.filter(({ status }) => status === 403).length).toBe(7);
    expect(await rig.storage.get(policy.key)).toEqual(bodies[won[0] ?? -1]);
    expect(await incoming()).toEqual([]);
  });

  test('the response has Location and ETag as headers, and no cache keeps it', async () => {
    const policy = await sign();
    const answer = await postForm(policy.url, formEntries(policy, jpegBlob(10)), { origin: rig.origin });
    expect(answer.headers.get('location')).toBe(`${rig.origin}/storage/${policy.key}`);
    expect(answer.headers.get('etag')).toBe((await rig.storage.head(policy.key))?.etag);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<PostResponse><Location>/);
  });

  test.each<[string, (fields: [string, string][], file: Blob) => FormEntry[]]>([
    ['two files', (fields, file) => [...fields, ['file', file], ['file', file]]],
    ['no file', (fields) => fields],
    ['a field after the file', (fields, file) => [...fields, ['file', file], ['note', 'x']]],
    ['an ignored field after the file', (fields, file) => [...fields, ['file', file], ['x-ignore-a', 'x']]],
    ['a field twice', (fields, file) => [['acl', 'private'], ...fields, ['file', file]]],
    ['a field twice in other case', (fields, file) => [['ACL', 'private'], ...fields, ['file', file]]],
  ])('a form with %s is malformed', async (_what, entriesOf) => {
    const policy = await sign();
    const answer = await postForm(policy.url, entriesOf(Object.entries(policy.fields), jpegBlob(1000)));
    expect([answer.status, answer.element('Code')]).toEqual([400, 'MalformedPOSTRequest']);
    await nothingStays(policy.key);
  });

  test.each<[string, (fields: [string, string][]) => FormEntry[]]>([
    ['a field of 30 kB', (fields) => [['x-ignore-a', 'x'.repeat(30_000)], ...fields]],
    [
      'fields of 30 kB together',
      (fields) => [
        ...Array.from({ length: 10 }, (_, index): FormEntry => [`x-ignore-${index}`, 'x'.repeat(3000)]),
        ...fields,
      ],
    ],
    [
      'forty fields',
      (fields) => [...Array.from({ length: 40 }, (_, index): FormEntry => [`x-ignore-${index}`, 'x']), ...fields],
    ],
  ])('a form with %s is too long', async (_what, entriesOf) => {
    const policy = await sign();
    const answer = await postForm(policy.url, [...entriesOf(Object.entries(policy.fields)), ['file', jpegBlob(1000)]]);
    expect([answer.status, answer.element('Code')]).toEqual([400, 'MaxPostPreDataLengthExceeded']);
    await nothingStays(policy.key);
  });

  test('too much data before the first field is refused', async () => {
    expect(await postRaw('x'.repeat(400_000))).toMatch(/^HTTP\/1\.1 400 .*MaxPostPreDataLengthExceeded/s);
  });

  test('a file without a name and type is a file too', async () => {
    const policy = await sign();
    const body = fieldParts(policy) + part('file', 'plain').replace(/\r\n$/, '') + END;
    expect(await postRaw(body)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await rig.storage.get(policy.key)).toEqual(Buffer.from('plain'));
  });

  test.each([
    '',
    'text',
    '{}',
    `--${BOUNDARY}`,
    `--${BOUNDARY}--\r\n`,
    `--other\r\n\r\nx\r\n--other--\r\n`,
    `--${BOUNDARY}\r\nno header\r\n\r\nx${END}`,
  ])('the body %j is malformed', async (body) => {
    expect(await postRaw(body)).toMatch(/^HTTP\/1\.1 400 .*<Code>MalformedPOSTRequest</s);
  });

  test('a file that does not end within the announced length is not stored', async () => {
    const policy = await sign();
    expect(await postRaw(`${fieldParts(policy)}${FILE_HEAD}${'x'.repeat(100_000)}`)).toMatch(
      /^HTTP\/1\.1 400 .*MalformedPOSTRequest/s,
    );
    await nothingStays(policy.key);
  });

  test.each<[string, number | 'chunked']>([
    ['of announced length', 2_000_000],
    ['in chunks', 'chunked'],
  ])('a connection cut at half of a form %s leaves nothing, and the policy is still good', async (_what, length) => {
    const policy = await sign();
    const { socket, answer } = await dial();
    socket.write(head(length));
    const half = fieldParts(policy) + FILE_HEAD + 'x'.repeat(1_000_000);
    socket.write(length === 'chunked' ? `${half.length.toString(16)}\r\n${half}\r\n` : half);
    await vi.waitFor(async () => expect((await incoming()).length).toBe(1), { timeout: 10_000 });
    socket.destroy();
    await answer;
    await nothingStays(policy.key);
    expect((await postForm(policy.url, formEntries(policy, jpegBlob(10)))).status).toBe(201);
  });

  test('a connection that breaks within the fields leaves nothing behind', async () => {
    const policy = await sign();
    const { socket, answer } = await dial();
    socket.write(head(5000) + fieldParts(policy).slice(0, 500));
    socket.destroy();
    expect(await answer).toBe('');
    await nothingStays(policy.key);
  });

  test('no byte of the file is written before the policy is checked', async () => {
    const policy = await sign();
    const stage = vi.spyOn(rig.storage.uploads, 'stage');
    policy.fields.key = 'uploads/9/9/other.jpg';
    const answer = await postForm(policy.url, formEntries(policy, jpegBlob(1_000_000)));
    expect([answer.status, stage.mock.calls.length]).toEqual([403, 0]);
    stage.mockRestore();
  });

  test('a signed key that would leave the folder is refused', async () => {
    const { signPostPolicy } = await import('#src/platform/storage/post-policy.ts');
    const credentials = {
      accessKeyId: 'sideline',
      secretAccessKey: Buffer.alloc(32, 'rig').toString('hex'),
      region: 'local',
      bucket: 'objects',
    };
    const terms = {
      key: '../outside.jpg',
      contentType: 'image/jpeg',
      maxBytes: 100,
      expiresAt: new Date(Date.now() + 60_000),
    };
    const answer = await postForm(
      `${rig.origin}/storage`,
      formEntries({ url: '', fields: signPostPolicy(credentials, terms, new Date()) }, jpegBlob(10)),
    );
    expect([answer.status, answer.element('Code')]).toEqual([403, 'AccessDenied']);
  });

  test('a full disk is reported as 507 in XML, with a message for people', async () => {
    const policy = await sign();
    const stage = vi.spyOn(rig.storage.uploads, 'stage').mockImplementation(async (_form, body) => {
      for await (const _piece of body) throw storageFull(new Error('ENOSPC'));
      throw new Error('the file was empty');
    });
    const answer = await postForm(policy.url, formEntries(policy, jpegBlob(1_000_000)));
    stage.mockRestore();
    expect([answer.status, answer.element('Code'), answer.element('Message')]).toEqual([
      507,
      'InsufficientStorage',
      'Storage is full. Please tell the site&apos;s administrator.',
    ]);
  });

  test('a much too large file is refused during the upload, and the sender can read why', async () => {
    const policy = await sign();
    const answer = await postForm(policy.url, formEntries(policy, jpegBlob(20_000_000)));
    expect([answer.status, answer.element('Code')]).toEqual([400, 'EntityTooLarge']);
    await nothingStays(policy.key);
  });

  test.each(['GET', 'HEAD'])(
    '%s of a stored object, a missing one and an unusual path get the same answer',
    async (method) => {
      const policy = await sign();
      await postForm(policy.url, formEntries(policy, jpegBlob(10)));
      for (const name of [policy.key, 'uploads/none.jpg', '../../etc/passwd', '%2e%2e%2fx', '.etags/x']) {
        expect((await fetch(`${rig.origin}/storage/${name}`, { method })).status, name).toSatisfy(
          (status: number) => status === 403 || status === 404,
        );
      }
      const answer = await fetch(`${rig.origin}/storage/${policy.key}`);
      expect([answer.status, (await answer.text()).includes('<Code>AccessDenied</Code>')]).toEqual([403, true]);
    },
  );
});
