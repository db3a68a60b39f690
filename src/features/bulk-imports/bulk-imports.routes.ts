import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkImportService } from '#src/features/bulk-imports/bulk-imports.service.ts';
import { limitConcurrentBodies } from '#src/http/body.ts';
import { call } from '#src/http/call.ts';
import { FILES_AT_ONCE, MAX_ROWS_BYTES, readCsvForm } from '#src/http/csv-form.ts';
import { acceptFileForms } from '#src/http/file-form.ts';
import { problem } from '#src/shared/problem.ts';

const ADMINS = { who: 'platform-admin' } as const;
/** No one else learns which imports there are. */
const HIDDEN = { who: 'platform-admin', hides: true } as const;
/** `POST /api/v1/bulk/users` and `/galleries`, and their outcome; for platform admins. */
export function bulkImportRoutes(imports: BulkImportService): FastifyPluginAsyncZod {
  return async (server) => {
    acceptFileForms(server);
    const bodies = limitConcurrentBodies(server, {
      ...FILES_AT_ONCE,
      full: () => problem('too_many', words.OTHER_FILE_BEING_READ, { retryAfterSeconds: 2 }),
    });
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    for (const kind of words.IMPORT_KINDS) {
      server.post(
        `/api/v1/bulk/${kind}`,
        {
          bodyLimit: MAX_ROWS_BYTES,
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
              return await imports.check(request.caller, kind, await readCsvForm(request, request.body, words));
            importId = await imports.start(request.caller, kind, await readCsvForm(request, request.body, words));
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
