import * as z from 'zod/mini';
import * as contract from '#src/features/payouts/payouts.contract.ts';
import { ADMINS, call, privateRoutes, type Server } from '#src/http/call.ts';
import { sendCsv } from '#src/http/send-download.ts';
import type { PayoutService } from '#src/features/payouts/payouts.service.ts';
import { idParams, idSchema } from '#src/shared/validators.ts';

const headers = z.object({ 'idempotency-key': z.optional(z.string()) });

/** Payouts: created, confirmed and returned by platform admins, read by members. */
export const payoutRoutes = privateRoutes((server, payouts: PayoutService) => {
  payingRoutes(server, payouts);
  readingRoutes(server, payouts);
  outcomeRoutes(server, payouts);
  fileRoutes(server, payouts);
});

/** Paying out, and booking what was paid by invoice. */
function payingRoutes(server: Server, payouts: PayoutService): void {
  const keyOf = (sent: z.infer<typeof headers>) => ({ key: sent['idempotency-key']?.trim() || null });

  server.post(
    '/api/v1/orders/bulk-pay-out',
    call(ADMINS, 'Pay out orders, each at most once; the password must have been entered within the last 10 minutes', {
      headers,
      body: contract.bulkPayOutBody,
      response: { 200: contract.bulkPayOutAnswer },
    }),
    async (request) => payouts.payOutOrders(request.caller, request.body.ids, keyOf(request.headers)),
  );

  server.post(
    '/api/v1/payouts',
    call(ADMINS, 'Pay out everything that is due to organizations, as reviewed', {
      headers,
      body: contract.payOutBody,
      response: { 200: contract.payOutAnswer },
    }),
    async (request) => payouts.payOutOrganizations(request.caller, request.body, keyOf(request.headers)),
  );

  server.post(
    '/api/v1/payouts/settlements',
    call(ADMINS, 'Record that an organization paid what it owes by invoice', {
      body: contract.settleBody,
      response: { 201: contract.settlementAnswer },
    }),
    async (request, reply) => reply.code(201).send(await payouts.settle(request.caller, request.body)),
  );
}

function readingRoutes(server: Server, payouts: PayoutService): void {
  server.get(
    '/api/v1/payouts',
    call(ADMINS, 'Payouts of all organizations, newest first', {
      querystring: contract.officePayoutsQuery,
      response: { 200: contract.officePayoutsPage },
    }),
    async (request) => payouts.list(request.caller, request.query),
  );

  server.get(
    '/api/v1/payouts/:id',
    call(ADMINS, 'One payout', { params: idParams, response: { 200: contract.officePayout } }),
    async (request) => payouts.byId(request.caller, request.params.id),
  );

  server.get(
    '/api/v1/payouts/:id/orders',
    call(ADMINS, 'Amount of each order in a payout', {
      params: idParams,
      querystring: z.object({ after: z.optional(idSchema) }),
      response: { 200: contract.payoutLinesPage },
    }),
    async (request) => payouts.lines(request.caller, request.params.id, request.query.after),
  );

  server.get(
    '/api/v1/affiliates/:id/payouts',
    call({ who: 'session' }, 'What was paid out to an organization, for its members', {
      params: idParams,
      querystring: contract.payoutsQuery,
      response: { 200: contract.memberPayoutsPage },
    }),
    async (request) => payouts.listForOrganization(request.caller, request.params.id, request.query),
  );
}

/** The outcome of a payout at the bank. */
function outcomeRoutes(server: Server, payouts: PayoutService): void {
  const shapes = <Body>(body: Body) => ({ params: idParams, body, response: { 200: contract.officePayout } });

  server.post(
    '/api/v1/payouts/confirm',
    call(ADMINS, 'Confirm payouts that were sent together under one reference', {
      body: contract.confirmManyBody,
      response: { 200: contract.confirmManyAnswer },
    }),
    async ({ caller, body }) => {
      const refused = await payouts.confirmMany(caller, body);
      return { payouts: await payouts.byIds(caller, body.ids), refused };
    },
  );

  server.post(
    '/api/v1/payouts/:id/confirm',
    call(ADMINS, 'Confirm with its reference that a payout was sent', shapes(contract.confirmBody)),
    async ({ caller, params: { id }, body }) => {
      await payouts.confirm(caller, id, body.reference);
      return payouts.byId(caller, id);
    },
  );

  server.post(
    '/api/v1/payouts/:id/fail',
    call(ADMINS, 'Report that a payout failed; its orders are due again', shapes(contract.failBody)),
    async ({ caller, params: { id }, body }) => {
      await payouts.fail(caller, id, body.reason);
      return payouts.byId(caller, id);
    },
  );

  server.post(
    '/api/v1/payouts/:id/return',
    call(
      ADMINS,
      'Report that the bank returned a confirmed payout; its orders are due again',
      shapes(contract.returnBody),
    ),
    async ({ caller, params: { id }, body }) => {
      await payouts.markReturned(caller, id, body.reason);
      return payouts.byId(caller, id);
    },
  );
}

function fileRoutes(server: Server, payouts: PayoutService): void {
  server.get(
    '/api/v1/payouts.csv',
    call(ADMINS, 'Payouts with their outcome as CSV, newest first, streamed', { querystring: contract.payoutsFilter }),
    async (request, reply) => sendCsv(reply, 'payouts-made', await payouts.csv(request.caller, request.query)),
  );
  server.get(
    '/api/v1/payouts/:id/bank.csv',
    call(ADMINS, 'One payout as a file for the bank', { params: idParams }),
    async (request, reply) => {
      const { id } = request.params;
      return sendCsv(reply, `payout-${id}`, await payouts.bankFile(request.caller, id));
    },
  );
  server.get(
    '/api/v1/payouts/bank.csv',
    call(ADMINS, 'All payouts in progress as a file for the bank', {}),
    async (request, reply) => sendCsv(reply, 'payouts', await payouts.bankFile(request.caller, null)),
  );
}
