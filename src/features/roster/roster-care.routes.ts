import type { AthleteService } from '#src/features/roster/athletes.service.ts';
import type { ForgettingService } from '#src/features/roster/forgetting.service.ts';
import type { MergingService } from '#src/features/roster/merging.service.ts';
import type { NextSeasonService } from '#src/features/roster/next-season.service.ts';
import * as care from '#src/features/roster/roster-care.contract.ts';
import { teamsQuery } from '#src/features/roster/roster.contract.ts';
import { call, noContent, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import { idParams } from '#src/shared/validators.ts';

type Services = {
  athletes: AthleteService;
  merging: MergingService;
  nextSeason: NextSeasonService;
  forgetting: ForgettingService;
};

/** Occasional operations on a roster, for members of its organization. */
export const rosterCareRoutes = privateRoutes((server, { athletes, merging, nextSeason, forgetting }: Services) => {
  server.post(
    '/api/v1/athletes/:id/merge',
    call(
      MEMBERS,
      'Merge two athletes: everything goes to `into`, and the stricter consent applies',
      { params: idParams, body: care.mergeBody, response: { 200: care.mergedAnswer } },
      { into: 1 },
    ),
    async (request) => merging.merge(request.caller, request.params.id, request.body.into),
  );

  server.post(
    '/api/v1/athletes/:id/merge/undo',
    call(MEMBERS, 'Undo the merge of this athlete into another one, for 30 days', {
      params: idParams,
      response: { 200: care.mergedAnswer },
    }),
    async (request) => merging.undo(request.caller, request.params.id),
  );

  server.delete(
    '/api/v1/athletes/:id',
    call(MEMBERS, 'Forget the name and the family of an athlete; tags stay as numbers', { params: idParams }),
    async (request, reply) => noContent(reply, forgetting.forget(request.caller, request.params.id)),
  );

  server.post(
    '/api/v1/seasons/:id/next',
    call(
      MEMBERS,
      'Start the next season with the teams and athletes of this one',
      { params: idParams, body: care.nextSeasonBody, response: { 202: care.startedAnswer } },
      { season: { name: 'Fall 2027', first_day: '2027-08-01', last_day: '2028-06-30' }, keep_numbers: true },
    ),
    async (request, reply) =>
      reply.code(202).send(await nextSeason.start(request.caller, request.params.id, request.body)),
  );

  server.get(
    '/api/v1/seasons/:id/next',
    call(MEMBERS, 'The progress of a season that was started from another one', {
      params: idParams,
      response: { 200: care.startedAnswer },
    }),
    async (request) => nextSeason.progress(request.caller, request.params.id),
  );

  server.get(
    '/api/v1/affiliates/:id/athletes.csv',
    call(MEMBERS, 'The roster of a season as a file that can be imported again', {
      params: idParams,
      querystring: teamsQuery,
    }),
    async (request, reply) => {
      const file = await athletes.file(request.caller, request.params.id, request.query);
      return sendCsv(reply, 'roster', file);
    },
  );
});
