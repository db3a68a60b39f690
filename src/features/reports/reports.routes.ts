import * as z from 'zod/mini';
import { galleryReport, galleryReportQuery, reportAnswer, reportBody } from '#src/features/reports/reports.contract.ts';
import type { ReportService } from '#src/features/reports/reports.service.ts';
import type { VisitService } from '#src/features/visits/visits.service.ts';
import { call, noContent, privateRoutes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import { idParams } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session', scope: 'reports:read' } as const;

/** Reports of sales and of a gallery, for members; and the visits that visitors' browsers report. */
export const reportRoutes = privateRoutes((server, reports: ReportService, visits: VisitService) => {
  server.post(
    '/api/v1/affiliates/:id/reports',
    call(MEMBERS, 'Sales per organization and gallery, as JSON or CSV', {
      params: idParams,
      body: reportBody,
      response: { 200: z.union([reportAnswer, z.string()]) },
    }),
    async (request, reply) => {
      const { body, caller } = request;
      const { id } = request.params;
      if (body.responseType === 'json') return reports.answer(caller, id, body);
      const csv = await reports.csv(caller, id, body);
      return sendCsv(reply, 'report', csv);
    },
  );

  server.get(
    '/api/v1/galleries/:id/report',
    call(MEMBERS, 'Figures of a gallery, for its members', {
      params: idParams,
      querystring: galleryReportQuery,
      response: { 200: galleryReport },
    }),
    async (request) => reports.ofGallery(request.caller, request.params.id, request.query.days ?? '30'),
  );

  server.post(
    '/api/v1/galleries/:id/visits',
    call({ who: 'anyone', why: 'a visitor opens a gallery; only a count is written' }, 'Count a visit to a gallery', {
      params: idParams,
    }),
    async (request, reply) =>
      noContent(reply, visits.count(request.caller, request.params.id, request.headers['user-agent'])),
  );
});
