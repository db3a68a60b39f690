import * as z from 'zod/mini';
import { addressProblems, type AddressRules } from '#src/features/webhooks/webhook-address.rules.ts';
import * as contract from '#src/features/webhooks/webhooks.contract.ts';
import type { WebhookService } from '#src/features/webhooks/webhooks.service.ts';
import { call, noContent, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

const ONE = '/api/v1/webhook_endpoints/:id';

/** Webhooks of an organization, their log, and sending again. */
export const webhookEndpointRoutes = privateRoutes((server, webhooks: WebhookService, rules: AddressRules) => {
  const problemsOf = (url: string) => addressProblems(url, rules);

  server.get(
    '/api/v1/organizations/:id/webhook_endpoints',
    call(MEMBERS, 'Webhooks of an organization', { params: idParams, response: { 200: contract.endpoints } }),
    async (request) => ({ webhook_endpoints: await webhooks.list(request.caller, request.params.id) }),
  );

  server.post(
    '/api/v1/organizations/:id/webhook_endpoints',
    call(MEMBERS, 'Add a webhook; only this response has its secret', {
      params: idParams,
      body: contract.newEndpointBody(problemsOf),
      response: { 201: contract.endpointWithSecret },
    }),
    async (request, reply) =>
      reply.code(201).send(await webhooks.add(request.caller, request.params.id, request.body.webhook_endpoint)),
  );

  server.put(
    ONE,
    call(MEMBERS, 'Change the address or the events of a webhook, or turn it on or off', {
      params: idParams,
      body: contract.endpointChangesBody(problemsOf),
      response: { 200: contract.endpoint },
    }),
    async (request) => webhooks.change(request.caller, request.params.id, request.body.webhook_endpoint),
  );

  server.delete(ONE, call(MEMBERS, 'Delete a webhook with its log', { params: idParams }), async (request, reply) =>
    noContent(reply, webhooks.remove(request.caller, request.params.id)),
  );

  server.post(
    `${ONE}/secret`,
    call(MEMBERS, 'Give a webhook a new secret; the previous one is valid for 24 more hours', {
      params: idParams,
      response: { 201: contract.endpointWithSecret },
    }),
    async (request, reply) => reply.code(201).send(await webhooks.rotateSecret(request.caller, request.params.id)),
  );

  server.post(
    `${ONE}/test`,
    call(MEMBERS, 'Send a test event', { params: idParams, response: { 202: contract.delivery } }),
    async (request, reply) => reply.code(202).send(await webhooks.test(request.caller, request.params.id)),
  );

  server.get(
    `${ONE}/deliveries`,
    call(MEMBERS, 'The delivery log of a webhook, newest first', {
      params: idParams,
      querystring: contract.deliveriesQuery,
      response: { 200: contract.deliveries },
    }),
    async (request) => webhooks.deliveries(request.caller, request.params.id, request.query),
  );

  server.post(
    `${ONE}/deliveries/:deliveryId/replay`,
    call(MEMBERS, 'Send an event again, with the same id', {
      params: z.object({ id: idSchema, deliveryId: idSchema }),
      response: { 202: contract.delivery },
    }),
    async (request, reply) =>
      reply.code(202).send(await webhooks.replay(request.caller, request.params.id, request.params.deliveryId)),
  );

  server.post(
    `${ONE}/replay_failed`,
    call(MEMBERS, 'Send all failed events again', { params: idParams, response: { 202: contract.replayed } }),
    async (request, reply) => reply.code(202).send(await webhooks.replayFailed(request.caller, request.params.id)),
  );
});
