import * as contract from '#src/features/reconciliation/reconciliation.contract.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';
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
});
