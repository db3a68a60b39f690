import { versionAnswer } from '#src/features/version/version.contract.ts';
import type { VersionService } from '#src/features/version/version.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';

/** `GET /api/v1/version`. */
export const versionRoutes = privateRoutes((server, version: VersionService) => {
  server.get(
    '/api/v1/version',
    call({ who: 'platform-admin' }, 'The release, commit and schema that run here', {
      response: { 200: versionAnswer },
    }),
    async (request) => version.describe(request.caller),
  );
});
