import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import * as contract from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterImportService } from '#src/features/roster-imports/roster-imports.service.ts';
import { limitConcurrentBodies } from '#src/http/body.ts';
import { call } from '#src/http/call.ts';
import { FILES_AT_ONCE, MAX_ROWS_BYTES, readCsvForm } from '#src/http/csv-form.ts';
import { acceptFileForms } from '#src/http/file-form.ts';
import { problem } from '#src/shared/problem.ts';

const MEMBERS = { who: 'session' } as const;

/** `POST /api/v1/bulk/roster` and its outcome; for members of the organization. */
export function rosterImportRoutes(imports: RosterImportService): FastifyPluginAsyncZod {
  return async (server) => {
    acceptFileForms(server);
    const bodies = limitConcurrentBodies(server, {
      ...FILES_AT_ONCE,
      full: () => problem('too_many', words.OTHER_FILE_BEING_READ, { retryAfterSeconds: 2 }),
    });
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));

    server.post(
      '/api/v1/bulk/roster',
      {
        bodyLimit: MAX_ROWS_BYTES,
        config: { access: MEMBERS },
        schema: {
          summary:
            'Import a roster from a CSV file (a form with the field "file") or from rows; dry_run only checks, and tells the columns',
          querystring: contract.rosterQuery,
          body: contract.bulkRowsBody,
          response: { 200: contract.rosterImportAnswer, 202: contract.rosterImportAnswer },
        },
      },
      async (request, reply) => {
        const { dry_run, wait = words.MAX_WAIT_SECONDS } = request.query;
        let importId: number;
        try {
          const source = await readCsvForm(request, request.body, words);
          if (dry_run === 'true') return await imports.check(request.caller, source, request.query);
          importId = await imports.start(request.caller, source, request.query);
        } finally {
          // Anyone who waits for the end needs the rows no more.
          request.body = null;
          bodies.release(request);
        }
        const answer = await imports.readWhenOver(request.caller, importId, wait);
        return reply.code(answer.status === 'running' ? 202 : 200).send(answer);
      },
    );

    server.get(
      '/api/v1/bulk/roster/:importId',
      call(MEMBERS, 'Status of an import of a roster and the result of each row', {
        params: contract.importParams,
        querystring: words.importQuery,
        response: { 200: contract.rosterImportAnswer },
      }),
      async (request) => imports.read(request.caller, request.params.importId, request.query),
    );

    server.get(
      '/api/v1/bulk/roster/:importId.csv',
      call(MEMBERS, 'The result of each row, as a CSV file; failed rows can be corrected and uploaded again', {
        params: contract.importParams,
        querystring: z.object({ result: z.optional(z.literal('failed')) }),
      }),
      async (request, reply) => {
        const { importId } = request.params;
        const file = await imports.resultFile(request.caller, importId, request.query.result === 'failed');
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="roster-import.csv"')
          .send(Readable.from(file));
      },
    );
  };
}
