import * as contract from '#src/features/billing/billing.contract.ts';
import { call, routes } from '#src/http/call.ts';
import type { BillingService } from '#src/features/billing/billing.service.ts';
import { presentOrganization } from '#src/features/tenancy/organizations.rules.ts';
import { idParams } from '#src/shared/validators.ts';

/** `POST /api/v1/promocode/`, `POST /api/v1/charges/`, `GET /api/v1/charges/{id}`, `/api/v1/affiliates/{id}/plan…`. */
export const billingRoutes = routes((server, billing: BillingService) => {
  server.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  server.post(
    '/api/v1/promocode/',
    call(
      { who: 'anyone', why: 'checked before there is an account; tries are limited', ignoresSession: true },
      'Whether a promo code is valid at this host',
      { body: contract.promoCodeBody, response: { 200: contract.promoCodeAnswer } },
    ),
    async (request) => ({
      status: await billing.promoIsValidAt(request.caller, request.body.promo_code, request.site.label),
    }),
  );

  server.post(
    '/api/v1/charges/',
    call(
      { who: 'session' },
      'Upgrade an account; 202 while the payment is being confirmed',
      { body: contract.chargeBody, response: { 200: contract.upgradedAnswer, 202: contract.pendingAnswer } },
      { token: 'tok_1Q2w3E4r5T6y7U8i', type: 'upgrade', affiliate_id: 42 },
    ),
    async (request, reply) => {
      const upgraded = await billing.upgrade(request.caller, request.body);
      const affiliate = presentOrganization(upgraded.affiliate);
      if (upgraded.state === 'upgraded') return reply.code(200).send({ affiliate, card: upgraded.card });
      const action =
        upgraded.clientSecret === null ? {} : { requires_action: { client_secret: upgraded.clientSecret } };
      return reply
        .code(202)
        .send({ affiliate, card: null, status: 'pending', message: contract.PAYMENT_PENDING, ...action });
    },
  );

  server.get(
    '/api/v1/charges/:id',
    call({ who: 'session' }, 'Status of the latest upgrade of an account', {
      params: idParams,
      response: { 200: contract.upgradeState },
    }),
    async (request) => billing.upgradeState(request.caller, request.params.id),
  );

  server.get(
    '/api/v1/affiliates/:id/plan',
    call({ who: 'session' }, 'The plan of an organization, and whether it renews', {
      params: idParams,
      response: { 200: contract.accountPlan },
    }),
    async (request) => billing.accountPlan(request.caller, request.params.id),
  );

  server.put(
    '/api/v1/affiliates/:id/plan/renewal',
    call({ who: 'session' }, 'Stop the renewal of the yearly plan, or let it renew after all', {
      params: idParams,
      body: contract.renewalBody,
      response: { 200: contract.accountPlan },
    }),
    async ({ caller, params, body }) => billing.setRenewal(caller, params.id, body.renews),
  );
});
