import { erasureAnswer, erasureBody } from '#src/features/erasures/erasures.contract.ts';
import type { ErasureService } from '#src/features/erasures/erasures.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';

/** `POST /api/v1/erasures`, for platform admins. */
export const erasureRoutes = privateRoutes((server, erasures: ErasureService) => {
  server.post(
    '/api/v1/erasures',
    call({ who: 'platform-admin' }, 'Erase a person’s data by email address; dry_run only reports', {
      body: erasureBody,
      response: { 200: erasureAnswer },
    }),
    async ({ caller, body }) => erasures.erase(caller, body),
  );
});
