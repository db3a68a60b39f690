/**
 * Parses one upload form from the request: a few small fields, then `file`, then the end. The file's bytes are passed
 * on as they arrive; the stored object counts only if the form ends correctly.
 */
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { refuseUpload } from '#src/platform/storage/storage-faults.ts';

/** S3's limit for everything before the file. */
const MAX_FIELDS_BYTES = 20_480;
const MAX_FIELDS = 32;
/** Boundaries, part headers and the last chunk read. */
const FRAMING_BYTES = 131_072;
/** How much of a refused form is still read, so that its sender can read the answer. */
const MAX_DRAINED_BYTES = 33_554_432;

type FormFields = ReadonlyMap<string, string>;

/** Something that must be discarded if the rest of the form turns out to be wrong. */
type Discardable = { discard(): Promise<void> };

/**
 * Returns the result of `takeFile` after the form's end. `takeFile` gets the fields (names in lower case) and the
 * file's bytes. Throws what it throws, and StoreRefusal for forms that are malformed, cut off or too long.
 */
export async function readUploadForm<Taken extends Discardable>(
  request: IncomingMessage,
  takeFile: (fields: FormFields, file: BusboyFileStream) => Promise<Taken>,
): Promise<Taken> {
  const form = openForm(request);
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let fieldsBytes = 0;
    let wireBytes = 0;
    let file: BusboyFileStream | null = null;
    let taking: Promise<Taken> | null = null;
    let isSettled = false;

    function refuse(error: unknown): void {
      if (isSettled) return;
      isSettled = true;
      request.unpipe(form);
      drain(request);
      file?.destroy(error instanceof Error ? error : new Error(String(error)));
      // The answer waits until the file has been discarded.
      const given =
        taking === null
          ? Promise.resolve()
          : taking.then(
              (taken) => taken.discard(),
              () => undefined,
            );
      given.then(() => reject(error), reject);
    }

    request.on('data', (piece: Buffer) => {
      wireBytes += piece.length;
      if (file === null && wireBytes > MAX_FIELDS_BYTES + FRAMING_BYTES) refuse(tooLong());
    });
    request.on('error', () => refuse(cutOff()));
    request.once('close', () => {
      if (!request.complete) refuse(cutOff());
    });

    form.on('field', (name: string | undefined, value, _nameTruncated, valueTruncated) => {
      const field = (name ?? '').toLowerCase();
      fieldsBytes += field.length + Buffer.byteLength(value);
      if (file !== null) refuse(malformed('The file must be the last field of the form.'));
      else if (valueTruncated || fieldsBytes > MAX_FIELDS_BYTES) refuse(tooLong());
      else if (field === '' || fields.has(field))
        refuse(malformed(`The form has a field without a name, or ${JSON.stringify(field)} twice.`));
      else fields.set(field, value);
    });
    form.on('file', (_name, stream) => {
      stream.on('error', () => undefined);
      if (file !== null) return refuse(malformed('A form carries exactly one file.'));
      if (isSettled) return void stream.resume();
      file = stream;
      taking = takeFile(fields, stream);
      taking.catch(refuse);
    });
    form.on('fieldsLimit', () => refuse(tooLong()));
    form.on('error', () => refuse(request.complete ? malformed() : cutOff()));
    form.on('finish', () => {
      if (taking === null) return refuse(malformed('A form carries exactly one file.'));
      taking.then((taken) => {
        if (isSettled) return;
        isSettled = true;
        resolve(taken);
      }, refuse);
    });
    request.pipe(form);
  });
}

function openForm(request: IncomingMessage): InstanceType<typeof Busboy> {
  const contentType = request.headers['content-type'] ?? '';
  try {
    if (!/^multipart\/form-data;/i.test(contentType)) throw new Error(`not a form but ${contentType}`);
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { fieldSize: MAX_FIELDS_BYTES, fields: MAX_FIELDS, headerPairs: 20, headerSize: 8192 },
      // As in S3, the field's name alone makes it the file, whatever the part's headers say.
      isPartAFile: (name) => name?.toLowerCase() === 'file',
    });
  } catch {
    drain(request);
    throw malformed();
  }
}

/** Reads and drops the rest of a refused form, up to a limit, so that its sender can read the answer. */
export function drain(request: IncomingMessage, maxBytes = MAX_DRAINED_BYTES): void {
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > maxBytes) request.destroy();
  });
  request.resume();
}

const malformed = (why = 'The body of your POST request is not well-formed multipart/form-data.') =>
  refuseUpload('MalformedPOSTRequest', why);
const tooLong = () =>
  refuseUpload('MaxPostPreDataLengthExceeded', 'Your POST request fields preceding the upload file were too large.');
const cutOff = () =>
  refuseUpload(
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header.',
  );
