/**
 * The upload route of an installation without S3: accepts the same forms as S3 and answers like S3 (docs/api.md,
 * "Upload a photo"). Pages post to their own host, so other origins need no access. Stored objects can be read only
 * through our own routes.
 */
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '#src/http/site.ts';
import { readUploadForm } from '#src/http/storage-form.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import { STORAGE_PATH, type DiskStorage } from '#src/platform/storage/disk-storage.ts';
import type { AdmittedForm } from '#src/platform/storage/post-policy.ts';
import { refuseUpload, StoreRefusal } from '#src/platform/storage/storage-faults.ts';
import { escapeMarkup } from '#src/shared/markup.ts';
import { isProblem, statusOf, type Problem, type ProblemCode } from '#src/shared/problem.ts';

/** Registers `POST /storage`; only for the disk driver. */
export function storagePostRoutes(storage: Pick<DiskStorage, 'uploads' | 'locationOf'>): FastifyPluginAsync {
  return async (server) => {
    takeAnyBody(server);
    server.setErrorHandler((error: FastifyError | Problem | StoreRefusal, request, reply) =>
      sendRefusal(reply, request, error),
    );

    server.post(
      STORAGE_PATH,
      { config: { access: { who: 'anyone', why: 'the signed policy is the key', ignoresSession: true } } },
      async (request, reply) => {
        const { uploads } = storage;
        const expectedBytes = Number(request.headers['content-length'] ?? 0);
        const { form, staged } = await readUploadForm(request.raw, async (fields, file) => {
          const admitted = await uploads.admit(fields);
          const taken = await uploads.stage(admitted, file, expectedBytes);
          return { form: admitted, staged: taken, discard: () => taken.discard() };
        });
        await staged.commit();
        crashAt('upload.before_201');
        return sendStored(reply, {
          form,
          etag: staged.etag,
          bucket: uploads.bucket,
          location: storage.locationOf(form.key, originOf(request)),
        });
      },
    );

    // The `Location` of an object is its name, not a public address (rule 3).
    server.get(`${STORAGE_PATH}/*`, { config: { access: { who: 'anyone', why: 'it refuses everyone' } } }, async () => {
      throw refuseUpload('AccessDenied', 'Access Denied');
    });
  };
}

/** The handler reads the body itself, whatever it is called. */
function takeAnyBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

function sendStored(
  reply: FastifyReply,
  stored: { form: AdmittedForm; etag: string; bucket: string; location: string },
): FastifyReply {
  const { form, etag, bucket, location } = stored;
  return reply
    .code(201)
    .header('location', location)
    .header('etag', etag)
    .header('cache-control', 'no-store')
    .type(XML_TYPE)
    .send(storedXml({ location, bucket, key: form.key, etag }));
}

/** S3's codes for our own refusals. */
const PROBLEM_NAMES: Partial<Record<ProblemCode, string>> = {
  forbidden: 'AccessDenied',
  unauthenticated: 'AccessDenied',
  not_found: 'NoSuchBucket',
  too_many: 'SlowDown',
  storage_full: 'InsufficientStorage',
  unavailable: 'ServiceUnavailable',
};

function sendRefusal(
  reply: FastifyReply,
  request: FastifyRequest,
  error: FastifyError | Problem | StoreRefusal,
): FastifyReply {
  const send = (status: number, code: string, message: string) =>
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .type(XML_TYPE)
      .send(errorXml(code, message, request.id));
  if (error instanceof StoreRefusal) return send(error.status, error.code, error.message);
  if (isProblem(error)) {
    const { retryAfterSeconds, cause } = error.details;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
    if (statusOf(error.code) >= 500) request.log.warn({ err: error, cause }, 'upload refused by the storage');
    return send(statusOf(error.code), PROBLEM_NAMES[error.code] ?? 'InvalidRequest', error.message);
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status >= 400 && status < 500)
    return send(400, 'MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.');
  request.log.error({ err: error }, 'unexpected failure of an upload');
  return send(500, 'InternalError', 'We encountered an internal error. Please try again.');
}

type Stored = { location: string; bucket: string; key: string; etag: string };

const XML_TYPE = 'application/xml';

function storedXml({ location, bucket, key, etag }: Stored): string {
  return document('PostResponse', { Location: location, Bucket: bucket, Key: key, ETag: etag });
}

function errorXml(code: string, message: string, requestId: string): string {
  return document('Error', { Code: code, Message: message, RequestId: requestId });
}

function document(root: string, elements: Record<string, string>): string {
  const inside = Object.entries(elements).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${inside.join('')}</${root}>`;
}

/** XML 1.0 cannot contain most control characters; they become U+FFFD. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the characters that XML forbids are control characters
  return escapeMarkup(text.toWellFormed()).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
}
