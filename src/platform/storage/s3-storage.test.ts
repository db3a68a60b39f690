/** What the S3 driver does with a failing store; with a working one: see the contract test. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openS3Storage } from '#src/platform/storage/s3-storage.ts';

let server: Server;
let endpoint: string;
let answer: (response: ServerResponse) => void;
let asked: string[];
const status =
  (code: number, xml = '') =>
  (response: ServerResponse) =>
    void response.writeHead(code, { 'content-type': 'application/xml' }).end(xml);
const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  answer = status(200);
});

/** Deeply frozen, as the configuration is. */
const open = (at = endpoint) =>
  openS3Storage(
    Object.freeze({
      bucket: 'photos',
      endpoint: at,
      region: 'us-east-2',
      forcePathStyle: true,
      credentials: Object.freeze({ accessKeyId: 'a', secretAccessKey: 'b' }),
    }),
  );

describe('a failing S3 store', () => {
  test.each([
    [404, 'The bucket "photos" does not exist: run "npm run storage:bucket", or change S3_BUCKET.'],
    [403, 'The bucket "photos" is closed to these credentials'],
    [301, 'The bucket "photos" is in another region: set S3_REGION'],
  ])('stops the start with a reason when the bucket answers %i', async (code, words) => {
    answer = status(code);
    await expect(open()).rejects.toThrow(words);
  });

  test('does not stop the start when it is unreachable, and is reported by the check', async () => {
    const storage = await open('http://127.0.0.1:9');
    await expect(storage.check()).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
    await expect(storage.get('a.jpg')).rejects.toMatchObject({ code: 'unavailable' });
    await storage.close();
  });

  test.each<[number, string, string]>([
    [503, 'SlowDown', 'unavailable'],
    [500, 'InternalError', 'unavailable'],
    [403, 'AccessDenied', 'unavailable'],
    [403, 'RequestTimeTooSkewed', 'unavailable'],
    [403, 'QuotaExceeded', 'storage_full'],
    [507, 'InsufficientStorage', 'storage_full'],
    [507, 'XMinioStorageFull', 'storage_full'],
  ])('%i %s is the problem %s', async (code, name, problem) => {
    const storage = await open();
    answer = status(code, error(name));
    await expect(storage.put('a.jpg', Buffer.from('x'), { contentType: 'image/jpeg' })).rejects.toMatchObject({
      code: problem,
    });
    await storage.close();
  });

  test('is retried after a short failure', async () => {
    const storage = await open();
    asked = [];
    answer = (response) => (asked.length < 3 ? status(503, error('SlowDown'))(response) : status(200)(response));
    await expect(storage.check()).resolves.toBeUndefined();
    expect(asked).toEqual(['HEAD /photos/', 'HEAD /photos/', 'HEAD /photos/']);
    await storage.close();
  });

  test('is reported by the check within seconds when it hangs', async () => {
    const storage = await open();
    answer = () => undefined;
    const before = performance.now();
    await expect(storage.check()).rejects.toMatchObject({ code: 'unavailable' });
    // The library's own limit is ten seconds, several times.
    expect(performance.now() - before).toBeLessThan(9_000);
    await storage.close();
  });

  test('is not needed for signing a form', async () => {
    const storage = await open();
    answer = status(503);
    asked = [];
    const expiresAt = new Date(Date.now() + 60_000);
    const request = { key: 'uploads/a.jpg', contentType: 'image/png' as const, maxBytes: 10, expiresAt, origin: '' };
    const { url, fields } = await storage.signUpload(request);
    expect([url, asked]).toEqual([`${endpoint}/photos`, []]);
    expect(fields).toMatchObject({ key: 'uploads/a.jpg', acl: 'private', 'Content-Type': 'image/png' });
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(['policy', 'x-amz-signature', 'x-amz-credential']));
    await storage.close();
  });
});
