import type { AthleteService } from '#src/features/roster/athletes.service.ts';
import * as contract from '#src/features/roster/roster.contract.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

const ATHLETE = {
  athlete: { first_name: 'Maya', last_name: 'R.', entries: [{ team_id: 1, number: '10' }], consent: 'yes' },
};

/** Athletes, for members of their organization. No API token: a roster names children. */
export const rosterRoutes = privateRoutes((server, athletes: AthleteService) => {
  const params = idParams;

  server.get(
    '/api/v1/affiliates/:id/athletes',
    call(MEMBERS, 'Athletes of an organization by name; `q` has words of a name, or a number', {
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
      'Change an athlete; a consent hides or shows photos immediately; with `seen`, changes of others are not overwritten (409)',
      { params, body: contract.athleteChangesBody, response: { 200: contract.changedAthlete } },
      ATHLETE,
    ),
    async (request) => athletes.change(request.caller, request.params.id, request.body),
  );
});
