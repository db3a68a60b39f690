import * as z from 'zod/mini';
import { taxRateAnswer, taxRateBody, taxRateName } from '#src/features/taxes/tax-table.contract.ts';
import { call, noContent, MEMBERS, privateRoutes } from '#src/http/call.ts';
import type { TaxTableService } from '#src/features/taxes/tax-table.service.ts';
import { idParams } from '#src/shared/validators.ts';

/** `/api/v1/organizations/{id}/tax_rates`: the tax table of a parent, for its members. */
export const taxTableRoutes = privateRoutes((server, taxTable: TaxTableService) => {
  server.get(
    '/api/v1/organizations/:id/tax_rates',
    call(MEMBERS, 'The tax table of a parent organization', {
      params: idParams,
      response: { 200: z.array(taxRateAnswer) },
    }),
    async (request) => taxTable.list(request.caller, request.params.id),
  );

  server.put(
    '/api/v1/organizations/:id/tax_rates',
    call(MEMBERS, 'Add a tax rate, or replace the one for the same state and zip', {
      params: idParams,
      body: taxRateBody,
      response: { 200: taxRateAnswer },
    }),
    async (request) => taxTable.put(request.caller, request.params.id, request.body),
  );

  server.delete(
    '/api/v1/organizations/:id/tax_rates',
    call(MEMBERS, 'Remove a tax rate', { params: idParams, querystring: taxRateName }),
    async (request, reply) => noContent(reply, taxTable.remove(request.caller, request.params.id, request.query)),
  );
});
