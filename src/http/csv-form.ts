/** One CSV file from a form, or rows as JSON from a program: the input of a bulk import (specification A§5). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitConcurrentBodies } from '#src/http/body.ts';
import { acceptFileForms, isForm, readFileForm } from '#src/http/file-form.ts';
import { problem, fieldProblem } from '#src/shared/problem.ts';

/** The messages of refusals. */
type Words = {
  NO_FILE: string;
  CSV_ONLY: string;
  FILE_TOO_LARGE: string;
  MAX_CSV_BYTES: number;
  OTHER_FILE_BEING_READ: string;
};
type Rows<Row> = { rows: Row[] };
type Source<Row> = { fileName: string } & ({ bytes: Buffer } | Rows<Row>);

/** Ten thousand rows as JSON. */
export const MAX_ROWS_BYTES = 8_388_608;
/**
 * A file takes up to about 60 MB of memory while it is read. So few are read at the same time, and few senders may wait.
 */
const FILES_AT_ONCE = { atOnce: 2, waiting: 8 } as const;
const ROWS_OF_A_PROGRAM = 'rows';

/**
 * For the POST routes of a plugin. The function that it returns runs `work` with the file of a request.
 * @throws too_many; invalid, or too_large, with a message under `file`
 */
export function takeCsvForms(server: Pick<FastifyInstance, 'addHook' | 'addContentTypeParser'>, words: Words) {
  acceptFileForms(server);
  const full = () => problem('too_many', words.OTHER_FILE_BEING_READ, { retryAfterSeconds: 2 });
  const bodies = limitConcurrentBodies(server, { ...FILES_AT_ONCE, full });
  return async <Row, Result>(
    request: FastifyRequest,
    body: Rows<Row> | null | undefined,
    work: (source: Source<Row>) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work(await readCsvForm(request, body, words));
    } finally {
      // A request that waits for the end of an import no longer needs its rows.
      request.body = null;
      bodies.release(request);
    }
  };
}

async function readCsvForm<Row>(
  request: FastifyRequest,
  body: Rows<Row> | null | undefined,
  words: Words,
): Promise<Source<Row>> {
  const refused = (sentence: string) => fieldProblem({ file: [sentence] });
  if (!isForm(request.headers['content-type'])) {
    if (!body) throw refused(words.NO_FILE);
    return { fileName: ROWS_OF_A_PROGRAM, rows: body.rows };
  }
  const tooLarge = () => problem('too_large', words.FILE_TOO_LARGE, { errors: { file: [words.FILE_TOO_LARGE] } });
  const file = await readFileForm(request.raw, { maxBytes: words.MAX_CSV_BYTES, tooLarge });
  if (file === null || (file.name === '' && file.bytes.length === 0)) throw refused(words.NO_FILE);
  if (!/\.csv$/i.test(file.name) || isSpreadsheet(file.bytes)) throw refused(words.CSV_ONLY);
  return { fileName: file.name.slice(-255), bytes: file.bytes };
}

/** An Excel workbook (a zip, or the older format) with another file name. */
function isSpreadsheet(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(ZIP) || bytes.subarray(0, 4).equals(OLE);
}
const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
