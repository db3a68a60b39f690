import * as contract from '#src/features/roster/roster.contract.ts';
import type { SeasonService } from '#src/features/roster/seasons.service.ts';
import { call, noContent, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

const SEASON = { season: { name: 'Fall 2026', first_day: '2026-08-15', last_day: '2027-06-30' } };
const TEAM = { team: { season_id: 1, name: 'Hawks U12' } };

/** Seasons and teams, for members of their organization. */
export const seasonRoutes = privateRoutes((server, seasons: SeasonService) => {
  const params = idParams;

  server.get(
    '/api/v1/affiliates/:id/seasons',
    call(MEMBERS, 'Seasons of an organization, newest first', { params, response: { 200: contract.seasonsAnswer } }),
    async (request) => seasons.list(request.caller, request.params.id),
  );

  server.post(
    '/api/v1/affiliates/:id/seasons',
    call(
      MEMBERS,
      'Create a season',
      { params, body: contract.newSeasonBody, response: { 201: contract.seasonAnswer } },
      SEASON,
    ),
    async (request, reply) =>
      reply.code(201).send(await seasons.make(request.caller, request.params.id, request.body.season)),
  );

  server.get(
    '/api/v1/affiliates/:id/teams',
    call(MEMBERS, 'Teams of a season, or of all seasons', {
      params,
      querystring: contract.teamsQuery,
      response: { 200: contract.teamsAnswer },
    }),
    async (request) => seasons.listTeams(request.caller, request.params.id, request.query),
  );

  server.post(
    '/api/v1/affiliates/:id/teams',
    call(
      MEMBERS,
      'Create a team',
      { params, body: contract.newTeamBody, response: { 201: contract.teamAnswer } },
      TEAM,
    ),
    async (request, reply) =>
      reply.code(201).send(await seasons.makeTeam(request.caller, request.params.id, request.body.team)),
  );

  server.put(
    '/api/v1/seasons/:id',
    call(
      MEMBERS,
      'Change the name or the days of a season',
      { params, body: contract.seasonChangesBody, response: { 200: contract.seasonAnswer } },
      { season: { name: 'Fall 2026' } },
    ),
    async (request) => seasons.changeSeason(request.caller, request.params.id, request.body.season),
  );

  server.delete(
    '/api/v1/seasons/:id',
    call(MEMBERS, 'Delete a season without teams', { params }),
    async (request, reply) => noContent(reply, seasons.removeSeason(request.caller, request.params.id)),
  );

  server.put(
    '/api/v1/teams/:id',
    call(
      MEMBERS,
      'Change the name or the color of a team',
      { params, body: contract.teamChangesBody, response: { 200: contract.teamAnswer } },
      { team: { name: 'Hawks U13' } },
    ),
    async (request) => seasons.changeTeam(request.caller, request.params.id, request.body.team),
  );

  server.delete(
    '/api/v1/teams/:id',
    call(MEMBERS, 'Delete a team that has neither athletes nor photos', { params }),
    async (request, reply) => noContent(reply, seasons.removeTeam(request.caller, request.params.id)),
  );
});
