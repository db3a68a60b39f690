import { call, privateRoutes } from '#src/http/call.ts';
import { sendCsv, sendPdf } from '#src/http/send-download.ts';
import * as contract from '#src/features/statements/statements.contract.ts';
import type { StatementService } from '#src/features/statements/statements.service.ts';
import { idParams } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session', scope: 'reports:read' } as const;

/** `GET /api/v1/affiliates/{id}/statements…`: months of an account, for the organization's members, its parent's and platform admins. */
export const statementRoutes = privateRoutes((server, statements: StatementService) => {
  server.get(
    '/api/v1/affiliates/:id/statements',
    call(MEMBERS, 'Months that have a statement, latest first', {
      params: idParams,
      querystring: contract.statementsQuery,
      response: { 200: contract.statementsAnswer },
    }),
    async (request) => statements.listAnswer(request.caller, request.params.id, request.query),
  );

  server.get(
    '/api/v1/affiliates/:id/statements/:month',
    call(MEMBERS, 'The statement of a month (YYYY-MM)', {
      params: contract.statementParams,
      response: { 200: contract.statementAnswer },
    }),
    async (request) => statements.answer(request.caller, request.params.id, request.params.month),
  );

  server.get(
    '/api/v1/affiliates/:id/statements/:month/lines',
    call(MEMBERS, 'Entries of a month, in the order of posting', {
      params: contract.statementParams,
      querystring: contract.linesQuery,
      response: { 200: contract.linesAnswer },
    }),
    async (request) => statements.lines(request.caller, request.params.id, request.params.month, request.query),
  );

  server.get(
    '/api/v1/affiliates/:id/statements/:month.csv',
    {
      exposeHeadRoute: false,
      config: { access: MEMBERS },
      schema: { summary: 'A statement as CSV, with every line', params: contract.statementParams },
    },
    async (request, reply) => {
      const { id, month } = request.params;
      const text = await statements.csv(request.caller, id, month);
      return sendCsv(reply, `statement-${id}-${month}`, text);
    },
  );

  server.get(
    '/api/v1/affiliates/:id/statements/:month.pdf',
    {
      exposeHeadRoute: false,
      config: { access: MEMBERS },
      schema: { summary: 'A statement as PDF, US letter', params: contract.statementParams },
    },
    async (request, reply) => {
      const { id, month } = request.params;
      const file = await statements.pdf(request.caller, id, month);
      return sendPdf(reply, `statement-${id}-${month}`, file);
    },
  );
});
