import {
  deskRosterAnswer,
  teamsInPlayAnswer,
  teamsInPlayBody,
} from '#src/features/tagging-desk/desk-teams.contract.ts';
import type { TaggingDeskService } from '#src/features/tagging-desk/desk.service.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

/**
 * `/api/v1/galleries/{id}/teams`: the teams that play in the photos, for members of the organization. No API tokens: these
 * calls return names of children.
 */
export const taggingDeskRoutes = privateRoutes((server, desk: TaggingDeskService) => {
  server.get(
    '/api/v1/galleries/:id/teams',
    call(MEMBERS, 'The teams that play in the photos of a gallery, with their players', {
      params: idParams,
      response: { 200: deskRosterAnswer },
    }),
    async (request) => desk.roster(request.caller, request.params.id),
  );

  server.put(
    '/api/v1/galleries/:id/teams',
    call(
      MEMBERS,
      'Choose the teams that play in the photos of a gallery',
      { params: idParams, body: teamsInPlayBody, response: { 200: teamsInPlayAnswer } },
      { team_ids: [7, 8] },
    ),
    async (request) => desk.chooseTeams(request.caller, request.params.id, request.body),
  );
});
