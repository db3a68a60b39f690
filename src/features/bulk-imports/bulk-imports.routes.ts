import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkRows } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkImportService } from '#src/features/bulk-imports/bulk-imports.service.ts';
import type { Source } from '#src/features/bulk-imports/file-reading.service.ts';
import { limitConcurrentBodies } from '#src/http/body.ts';
import { call } from '#src/http/call.ts';
import { acceptFileForms, isForm, readFileForm } from '#src/http/file-form.ts';
import { problem } from '#src/shared/problem.ts';

const ADMINS = { who: 'platform-admin' } as const;
/** No one else learns which imports there are. */
const HIDDEN = { who: 'platform-admin', hides: true } as const;
/** Ten thousand rows as JSON. */
const MAX_JSON_BYTES = 8_388_608;
/** A file in hand weighs some 60 MB at most: so many are read at a time, and so many senders wait for that. */
const BODY_LIMITS = { atOnce: 2, waiting: 8 } as const;
const ROWS_OF_A_PROGRAM = 'rows';

/** `POST /api/v1/bulk/users` and `/galleries`, and their outcome; for platform admins. */
export function bulkImportRoutes(imports: BulkImportService): FastifyPluginAsyncZod {
  return async (server) => {
    acceptFileForms(server);
    const bodies = limitConcurrentBodies(server, {
      ...BODY_LIMITS,
      full: () => problem('too_many', words.OTHER_FILE_BEING_READ, { retryAfterSeconds: 2 }),
    });
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    for (const kind of words.IMPORT_KINDS) {
      server.post(
        `/api/v1/bulk/${kind}`,
        {
          bodyLimit: MAX_JSON_BYTES,
          config: { access: ADMINS },
          schema: {
            summary: `Import ${kind} from a CSV file (a form with the field "file") or from rows; dry_run only checks`,
            querystring: words.bulkQuery,
            body: words.bulkRowsBody,
            response: { 200: words.bulkAnswer, 202: words.bulkAnswer },
          },
        },
        async (request, reply) => {
          const { dry_run, wait = words.MAX_WAIT_SECONDS } = request.query;
          let importId: number;
          try {
            if (dry_run === 'true')
              return await imports.check(request.caller, kind, await sourceOf(request, request.body));
            importId = await imports.start(request.caller, kind, await sourceOf(request, request.body));
          } finally {
            // Anyone who waits for the end needs the rows no more; anyone who has gone waits for nothing.
            request.body = null;
            bodies.release(request);
          }
          const answer = await imports.readWhenOver(request.caller, importId, wait);
          return reply.code(answer.status === 'running' ? 202 : 200).send(answer);
        },
      );
    }

    server.get(
      '/api/v1/bulk/:importId',
      call(HIDDEN, 'Status of an import and the result of each row', {
        params: words.importParams,
        querystring: words.importQuery,
        response: { 200: words.bulkAnswer },
      }),
      async (request) => imports.read(request.caller, request.params.importId, request.query),
    );

    server.get(
      '/api/v1/bulk/:importId.csv',
      call(HIDDEN, 'The result of each row, as a CSV file that can be corrected and uploaded again', {
        params: words.importParams,
        querystring: z.object({ result: z.optional(z.literal('failed')) }),
      }),
      async (request, reply) => {
        const { importId } = request.params;
        const file = await imports.resultFile(request.caller, importId, request.query.result);
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="import-${importId}.csv"`)
          .send(Readable.from(file));
      },
    );
  };
}

/** @throws invalid, or too_large, in the specification's sentences (A§5) */
async function sourceOf(request: FastifyRequest, body: BulkRows | null | undefined): Promise<Source> {
  const refused = (sentence: string) => problem('invalid', sentence, { errors: { file: [sentence] } });
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

/** A workbook of today (a zip) or of old under another name. */
function isSpreadsheet(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(ZIP) || bytes.subarray(0, 4).equals(OLE);
}
const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
