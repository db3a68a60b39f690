import * as z from 'zod/mini';
import * as contract from '#src/features/admin-reports/admin-report.contract.ts';
import type { AdminReports } from '#src/features/admin-reports/admin-report.service.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

/** `POST /api/v1/orders/admin-report`, its file and marks: what every organization sold, for the platform. */
export const adminReportRoutes = privateRoutes((server, reports: AdminReports) => {
  server.post(
    '/api/v1/orders/admin-report',
    call(ADMINS, 'Sales of all organizations by order; everything, or page by page with ?limit=', {
      body: contract.adminReportBody,
      querystring: contract.adminReportQuery,
      response: { 200: contract.adminReportAnswer },
    }),
    async (request, reply) => {
      const { caller, body } = request;
      const { after, limit = after === undefined ? undefined : contract.MAX_ORDERS_A_PAGE } = request.query;
      if (limit !== undefined) return reports.page(caller, body, { limit, after });
      const { stream } = await reports.answer(caller, body);
      return reply.type('application/json; charset=utf-8').send(stream as never);
    },
  );

  server.post(
    '/api/v1/orders/admin-report-csv.csv',
    call(ADMINS, 'Sales of all organizations as CSV, streamed', {
      body: contract.adminReportBody,
      response: { 200: z.string() },
    }),
    async (request, reply) => {
      const { stream, fileName } = await reports.file(request.caller, request.body);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(stream as never);
    },
  );

  server.get(
    '/api/v1/gallery_choices',
    call(ADMINS, 'Galleries to choose from, for platform admins', {
      querystring: contract.galleryChoicesQuery,
      response: { 200: z.array(contract.galleryChoice) },
    }),
    async (request) => reports.galleryChoices(request.caller, request.query.organization_id, request.query.q),
  );

  // Sets the reconciled mark; nothing else of an order changes here (rule 6).
  server.put(
    '/api/v1/orders/:id',
    call({ who: 'platform-admin', hides: true }, 'Mark an order as reconciled or not reconciled', {
      params: idParams,
      body: contract.markOrderBody,
      response: { 200: contract.adminReportRow },
    }),
    async (request) => reports.mark(request.caller, request.params.id, request.body.order),
  );
});
