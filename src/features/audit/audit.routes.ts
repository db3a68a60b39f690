import * as contract from '#src/features/audit/audit.contract.ts';
import type { AuditService } from '#src/features/audit/audit.service.ts';
import { ADMINS, call, privateRoutes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import { idParams } from '#src/shared/validators.ts';

/** `GET /api/v1/affiliates/{id}/audit_log` for members, `GET /api/v1/audit_log…` for platform admins. */
export const auditRoutes = privateRoutes((server, audit: AuditService) => {
  server.get(
    '/api/v1/affiliates/:id/audit_log',
    call({ who: 'session' }, 'Audit entries of an organization, for its members', {
      params: idParams,
      querystring: contract.auditQuery,
      response: { 200: contract.auditPage },
    }),
    async (request) => audit.list(request.caller, request.params.id, request.query),
  );

  server.get(
    '/api/v1/audit_log',
    call(ADMINS, 'The audit log of the whole platform, newest first', {
      querystring: contract.auditSearchQuery,
      response: { 200: contract.auditPage },
    }),
    async (request) => audit.search(request.caller, request.query),
  );

  server.get(
    '/api/v1/audit_log/:id',
    call(ADMINS, 'One entry of the audit log', {
      params: idParams,
      response: { 200: contract.auditEntry },
    }),
    async (request) => audit.entry(request.caller, request.params.id),
  );

  server.get(
    '/api/v1/audit_log.csv',
    {
      exposeHeadRoute: false,
      config: { access: ADMINS },
      schema: { summary: 'The audit log as CSV, streamed', querystring: contract.auditFilter },
    },
    async (request, reply) => {
      const text = await audit.csv(request.caller, request.query);
      return sendCsv(reply, 'audit-log', text);
    },
  );
});
