import * as z from 'zod/mini';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import * as contract from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterImportService } from '#src/features/roster-imports/roster-imports.service.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import { MAX_ROWS_BYTES, takeCsvForms } from '#src/http/csv-form.ts';

/** `POST /api/v1/bulk/roster` and its results, for members of the organization. */
export const rosterImportRoutes = privateRoutes((server, imports: RosterImportService) => {
  const withFile = takeCsvForms(server, words);

  server.post(
    '/api/v1/bulk/roster',
    {
      bodyLimit: MAX_ROWS_BYTES,
      config: { access: MEMBERS },
      schema: {
        summary:
          'Import a roster from a CSV file (a form with the field "file") or from rows; dry_run only checks, and returns the columns',
        querystring: contract.rosterQuery,
        body: contract.bulkRowsBody,
        response: { 200: contract.rosterImportAnswer, 202: contract.rosterImportAnswer },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const { dry_run, wait = words.MAX_WAIT_SECONDS } = request.query;
      const begun = await withFile(request, request.body, async (source) =>
        dry_run === 'true'
          ? imports.check(caller, source, request.query)
          : imports.start(caller, source, request.query),
      );
      if (typeof begun !== 'number') return begun;
      const answer = await imports.readWhenOver(caller, begun, wait);
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
      return sendCsv(reply, 'roster-import', file);
    },
  );
});
