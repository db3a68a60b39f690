/**
 * A form that carries one file of limited size, read into memory and never written to a disk, because it may hold secrets. Everything
 * else in the form is ignored.
 */
import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance } from 'fastify';
import { drain } from '#src/http/storage-form.ts';
import { problem } from '#src/shared/problem.ts';

type FormFile = { name: string; bytes: Buffer };

/** How much of a refused form is still read, so that its sender can read the answer. */
const MAX_DRAINED_BYTES = 67_108_864;

/** Routes of this plugin accept forms, too; the handler reads them itself. */
export function acceptFileForms(server: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
}

export const isForm = (contentType: string | undefined): boolean => /^multipart\/form-data/i.test(contentType ?? '');

/** The file in the field `file`; null when the form has none. @throws `tooLarge`; bad_request for forms that are cut or malformed */
export function readFileForm(
  request: IncomingMessage,
  { maxBytes, tooLarge }: { maxBytes: number; tooLarge: () => Error },
): Promise<FormFile | null> {
  return new Promise((resolve, reject) => {
    // The client has already disconnected: no event will follow.
    if (request.destroyed && !request.readable) return reject(malformed());
    const form = openForm(request);
    if (form === null) {
      drain(request, MAX_DRAINED_BYTES);
      return reject(malformed());
    }
    let found: FormFile | null = null;
    const refuse = (error: Error): void => {
      request.unpipe(form);
      drain(request, MAX_DRAINED_BYTES);
      reject(error);
    };
    form.on('file', (field, stream, name) => {
      stream.on('error', () => undefined);
      if (field !== 'file' || found !== null) return void stream.resume();
      const pieces: Buffer[] = [];
      found = { name: name ?? '', bytes: Buffer.alloc(0) };
      const file = found;
      stream.on('data', (piece: Buffer) => void pieces.push(piece));
      stream.once('limit', () => {
        pieces.length = 0;
        refuse(tooLarge());
      });
      stream.once('end', () => (file.bytes = Buffer.concat(pieces)));
    });
    form.on('error', () => refuse(malformed()));
    form.on('finish', () => resolve(found));
    request.once('close', () => {
      if (!request.complete) reject(malformed());
    });
    request.pipe(form);

    function openForm({ headers }: IncomingMessage): InstanceType<typeof Busboy> | null {
      try {
        return new Busboy({
          headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
          limits: { fileSize: maxBytes, files: 2, fields: 16, fieldSize: 1_024, headerPairs: 20, headerSize: 8_192 },
          isPartAFile: (name, _type, fileName) => name === 'file' || fileName !== undefined,
        });
      } catch {
        return null;
      }
    }
  });
}

const malformed = () => problem('bad_request', 'This form could not be understood.');
