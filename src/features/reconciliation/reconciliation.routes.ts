import * as contract from '#src/features/reconciliation/reconciliation.contract.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import type { ReconciliationService } from '#src/features/reconciliation/reconciliation.service.ts';
import { idParams } from '#src/shared/validators.ts';

/** Comparing the ledger, and handling differences. */
export const reconciliationRoutes = privateRoutes((server, reconciliation: ReconciliationService) => {
  server.post(
    '/api/v1/reconciliation/runs',
    call(ADMINS, 'Compare our books with the card provider’s now; 409 while a comparison runs', {
      response: { 202: contract.runAnswer },
    }),
    async (request, reply) => reply.code(202).send(await reconciliation.runNow(request.caller)),
  );

  server.put(
    '/api/v1/reconciliation/differences/:id',
    call(ADMINS, 'Assign, annotate, explain or reopen a difference', {
      params: idParams,
      body: contract.differenceBody,
      response: { 200: contract.differenceAnswer },
    }),
    async (request) => reconciliation.change(request.caller, request.params.id, request.body),
  );

  server.get(
    '/api/v1/books/journal.csv',
    call(ADMINS, 'Every entry of our books as CSV, in the order of time, streamed', { querystring: contract.bookDays }),
    async (request, reply) => sendCsv(reply, 'journal', await reconciliation.journal(request.caller, request.query)),
  );

  server.get(
    '/api/v1/books/balances.csv',
    call(ADMINS, 'Opening, debits, credits and closing of every account of our books as CSV', {
      querystring: contract.bookDays,
    }),
    async (request, reply) => sendCsv(reply, 'balances', await reconciliation.balances(request.caller, request.query)),
  );
});
