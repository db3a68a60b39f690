import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareBucket } from '#src/platform/storage/s3-bucket.ts';
import { openS3Client } from '#src/platform/storage/s3-storage.ts';

type Answer = { status: number; code?: string };
const ORIGINS = ['https://*.sideline.example', 'https://sideline.example'];

/** What the store answers to each call, by method and address; anything else is taken. */
let answers: Record<string, Answer>;
let calls: { call: string; body: string }[];
let endpoint: string;
const store = createServer((request: IncomingMessage, response) => {
  void text(request).then((body) => {
    const { pathname, searchParams } = new URL(request.url ?? '', endpoint);
    const call = `${request.method} ${pathname.replace(/\/$/, '')}${searchParams.has('cors') ? '?cors' : ''}`;
    calls.push({ call, body });
    const { status, code } = answers[call] ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(code === undefined ? '' : `<Error><Code>${code}</Code><Message>No.</Message></Error>`);
  });
});

beforeEach(async () => {
  answers = {};
  calls = [];
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
});
afterEach(() => new Promise<void>((resolve) => void store.close(() => resolve())));

async function prepare(maxWaitMs = 0) {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'word' };
  const client = openS3Client({ bucket: 'photos', endpoint, region: 'us-east-2', forcePathStyle: true, credentials });
  try {
    return await prepareBucket(client, { bucket: 'photos', origins: ORIGINS, maxWaitMs });
  } finally {
    client.destroy();
  }
}

describe('the bucket of a store', () => {
  it('is created if it is missing, and pages may upload to it', async () => {
    answers['HEAD /photos'] = { status: 404 };
    expect(await prepare()).toEqual({ isNew: true, takesRules: true });
    expect(calls.map(({ call }) => call)).toEqual(['HEAD /photos', 'PUT /photos', 'PUT /photos?cors']);
    const [, , rules] = calls;
    for (const origin of ORIGINS) expect(rules?.body).toContain(`<AllowedOrigin>${origin}</AllowedOrigin>`);
    expect(rules?.body).toContain('<AllowedMethod>POST</AllowedMethod>');
  });

  it('is left unchanged if it exists', async () => {
    expect(await prepare()).toEqual({ isNew: false, takesRules: true });
    expect(calls.map(({ call }) => call)).toEqual(['HEAD /photos', 'PUT /photos?cors']);
  });

  it('is used if another run created it at the same moment', async () => {
    answers['HEAD /photos'] = { status: 404 };
    answers['PUT /photos'] = { status: 409, code: 'BucketAlreadyOwnedByYou' };
    expect(await prepare()).toEqual({ isNew: false, takesRules: true });
  });

  it('of a store without CORS rules is prepared, and reports so', async () => {
    answers['PUT /photos?cors'] = { status: 501, code: 'NotImplemented' };
    expect(await prepare()).toEqual({ isNew: false, takesRules: false });
  });

  const CLOSED = 'The bucket "photos" is closed to these credentials: check AWS_ACCESS_KEY_ID';
  it.each([
    ['HEAD /photos', { status: 403 }, CLOSED],
    ['PUT /photos?cors', { status: 403, code: 'AccessDenied' }, CLOSED],
    ['HEAD /photos', { status: 301 }, 'The bucket "photos" is in another region: set S3_REGION.'],
    ['PUT /photos?cors', { status: 400, code: 'InvalidRequest' }, 'The object store refuses the bucket "photos": No.'],
  ])('is not used if the store refuses %s with %j', async (call, answer, words) => {
    answers[call] = answer;
    await expect(prepare(60_000)).rejects.toThrow(words);
  });

  it('of a store that does not answer is not made, and the reason is said', async () => {
    endpoint = 'http://127.0.0.1:9';
    await expect(prepare()).rejects.toThrow('The object store does not answer: connect ECONNREFUSED 127.0.0.1:9.');
  });

  it('of a store that is starting is waited for', async () => {
    answers['HEAD /photos'] = { status: 503 };
    setTimeout(() => (answers['HEAD /photos'] = { status: 404 }), 700);
    expect(await prepare(10_000)).toEqual({ isNew: true, takesRules: true });
  });
});
