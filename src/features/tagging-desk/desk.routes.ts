import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { teamsInPlayAnswer, teamsInPlayBody } from '#src/features/tagging-desk/desk-teams.contract.ts';
import type { TaggingDeskService } from '#src/features/tagging-desk/desk.service.ts';
import { call } from '#src/http/call.ts';
import { idSchema } from '#src/shared/validators.ts';

/** `/api/v1/galleries/{id}/teams`: which teams play in the photos, for the people of the organization. */
export function taggingDeskRoutes(desk: TaggingDeskService): FastifyPluginAsyncZod {
  return async (server) => {
    server.put(
      '/api/v1/galleries/:id/teams',
      call(
        { who: 'session' },
        'Say which teams play in the photos of a gallery',
        { params: z.object({ id: idSchema }), body: teamsInPlayBody, response: { 200: teamsInPlayAnswer } },
        { team_ids: [7, 8] },
      ),
      async (request, reply) => {
        reply.header('cache-control', 'private, no-store');
        return desk.chooseTeams(request.caller, request.params.id, request.body);
      },
    );
  };
}
