import * as z from 'zod/mini';
import * as contract from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkImportService } from '#src/features/bulk-imports/bulk-imports.service.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import { MAX_ROWS_BYTES, takeCsvForms } from '#src/http/csv-form.ts';

/** No one else learns which imports exist. */
const HIDDEN = { who: 'platform-admin', hides: true } as const;
/** `POST /api/v1/bulk/users` and `/galleries`, and their results; for platform admins. */
export const bulkImportRoutes = privateRoutes((server, imports: BulkImportService) => {
  const withFile = takeCsvForms(server, contract);

  for (const kind of contract.IMPORT_KINDS) {
    server.post(
      `/api/v1/bulk/${kind}`,
      {
        bodyLimit: MAX_ROWS_BYTES,
        config: { access: ADMINS },
        schema: {
          summary: `Import ${kind} from a CSV file (a form with the field "file") or from rows; dry_run only checks`,
          querystring: contract.bulkQuery,
          body: contract.bulkRowsBody,
          response: { 200: contract.bulkAnswer, 202: contract.bulkAnswer },
        },
      },
      async (request, reply) => {
        const { caller } = request;
        const { dry_run, wait = contract.MAX_WAIT_SECONDS } = request.query;
        const begun = await withFile(request, request.body, async (source) =>
          dry_run === 'true' ? imports.check(caller, kind, source) : imports.start(caller, kind, source),
        );
        if (typeof begun !== 'number') return begun;
        const answer = await imports.readWhenOver(caller, begun, wait);
        return reply.code(answer.status === 'running' ? 202 : 200).send(answer);
      },
    );
  }

  server.get(
    '/api/v1/bulk/:importId',
    call(HIDDEN, 'Status of an import and the result of each row', {
      params: contract.importParams,
      querystring: contract.importQuery,
      response: { 200: contract.bulkAnswer },
    }),
    async (request) => imports.read(request.caller, request.params.importId, request.query),
  );

  server.get(
    '/api/v1/bulk/:importId.csv',
    call(HIDDEN, 'The result of each row, as a CSV file that can be corrected and uploaded again', {
      params: contract.importParams,
      querystring: z.object({ result: z.optional(z.literal('failed')) }),
    }),
    async (request, reply) => {
      const { importId } = request.params;
      const { name, lines } = await imports.resultFile(request.caller, importId, request.query.result);
      return sendCsv(reply, name, lines);
    },
  );
});
