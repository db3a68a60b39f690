import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AthleteService } from '#src/features/roster/athletes.service.ts';
import * as contract from '#src/features/roster/roster.contract.ts';
import type { SeasonService } from '#src/features/roster/seasons.service.ts';
import { call } from '#src/http/call.ts';

/** A roster names children: no API token reads it. */
const MEMBERS = { who: 'session' } as const;

const SEASON = { season: { name: 'Fall 2026', first_day: '2026-08-15', last_day: '2027-06-30' } };
const TEAM = { team: { season_id: 1, name: 'Hawks U12' } };
const ATHLETE = {
  athlete: { first_name: 'Maya', last_name: 'R.', entries: [{ team_id: 1, number: '10' }], consent: 'yes' },
};

/** Seasons, teams and athletes, for members of their organization. */
export function rosterRoutes(seasons: SeasonService, athletes: AthleteService): FastifyPluginAsyncZod {
  return async (server) => {
    server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'private, no-store'));
    const params = contract.rosterParams;

    server.get(
      '/api/v1/affiliates/:id/seasons',
      call(MEMBERS, 'Seasons of an organization, newest first', { params, response: { 200: contract.seasonsAnswer } }),
      async (request) => seasons.list(request.caller, request.params.id),
    );

    server.post(
      '/api/v1/affiliates/:id/seasons',
      call(
        MEMBERS,
        'Make a season',
        { params, body: contract.newSeasonBody, response: { 201: contract.seasonAnswer } },
        SEASON,
      ),
      async (request, reply) =>
        reply.code(201).send(await seasons.make(request.caller, request.params.id, request.body.season)),
    );

    server.get(
      '/api/v1/affiliates/:id/teams',
      call(MEMBERS, 'Teams of a season, or of all', {
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
        'Make a team',
        { params, body: contract.newTeamBody, response: { 201: contract.teamAnswer } },
        TEAM,
      ),
      async (request, reply) =>
        reply.code(201).send(await seasons.makeTeam(request.caller, request.params.id, request.body.team)),
    );

    server.get(
      '/api/v1/affiliates/:id/athletes',
      call(MEMBERS, 'Athletes of an organization by name; `q` is words of a name, or a number', {
        params,
        querystring: contract.athletesQuery,
        response: { 200: contract.athletesPage },
      }),
      async (request) => athletes.list(request.caller, request.params.id, request.query),
    );

    server.post(
      '/api/v1/affiliates/:id/athletes',
      call(
        MEMBERS,
        'Add an athlete',
        { params, body: contract.newAthleteBody, response: { 201: contract.savedAthlete } },
        ATHLETE,
      ),
      async (request, reply) =>
        reply.code(201).send(await athletes.add(request.caller, request.params.id, request.body.athlete)),
    );

    server.get(
      '/api/v1/athletes/:id',
      call(MEMBERS, 'An athlete with the family’s addresses', { params, response: { 200: contract.wholeAthlete } }),
      async (request) => athletes.read(request.caller, request.params.id),
    );

    server.put(
      '/api/v1/athletes/:id',
      call(
        MEMBERS,
        'Change an athlete; a consent hides or shows photos at once; with `seen`, nothing that someone else changed is written over (409)',
        { params, body: contract.athleteChangesBody, response: { 200: contract.changedAthlete } },
        ATHLETE,
      ),
      async (request) => athletes.change(request.caller, request.params.id, request.body),
    );
  };
}
