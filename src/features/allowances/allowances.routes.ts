import * as contract from '#src/features/allowances/allowances.contract.ts';
import type { AllowanceService } from '#src/features/allowances/allowances.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

/** `GET`, `POST /api/v1/teams/{id}/allowances`, for members of the team's organization. */
export const allowanceRoutes = privateRoutes((server, allowances: Pick<AllowanceService, 'ofTeam' | 'giveTeam'>) => {
  server.get(
    '/api/v1/teams/:id/allowances',
    call({ who: 'session' }, 'How many photos are included for each child of a team, and how many of them are used', {
      params: idParams,
      response: { 200: contract.allowancesAnswer },
    }),
    async (request) => allowances.ofTeam(request.caller, request.params.id),
  );

  server.post(
    '/api/v1/teams/:id/allowances',
    call(
      { who: 'session' },
      'Set how many photos the registration of a team includes for each child',
      { params: idParams, body: contract.allowanceBody, response: { 200: contract.allowanceAnswer } },
      { photos: 5, ends_on: '2099-06-30' },
    ),
    async (request) => allowances.giveTeam(request.caller, request.params.id, request.body),
  );
});
