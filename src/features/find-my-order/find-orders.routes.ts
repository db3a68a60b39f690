import * as z from 'zod/mini';
import { mailAnswer } from '#src/features/orders/orders.contract.ts';
import { findOrdersBody, ORDERS_MAIL_SENT, RECEIPT_SENT } from '#src/features/find-my-order/find-orders.contract.ts';
import type { FindOrders } from '#src/features/find-my-order/find-orders.service.ts';
import { call, routes } from '#src/http/call.ts';
import { parseForm, type PlainForm } from '#src/http/plain-forms.ts';

const WHY = 'the answer is the same for everyone; the links go to the buyer’s own address';

/** `POST /api/v1/orders/find` and `POST /api/v1/orders/{vanity_id}/receipt`. */
export const findOrderRoutes = routes((server, findOrders: Pick<FindOrders, 'askForOrders' | 'resendReceipt'>) => {
  server.post(
    '/api/v1/orders/find',
    call({ who: 'anyone', why: WHY }, 'Email the links to an address’s paid orders to that address', {
      body: findOrdersBody,
      response: { 202: mailAnswer },
    }),
    async (request, reply) => {
      await findOrders.askForOrders(request.caller, request.body.email);
      return reply.code(202).header('cache-control', 'no-store').send({ message: ORDERS_MAIL_SENT });
    },
  );

  server.post(
    '/api/v1/orders/:id/receipt',
    call(
      { who: 'anyone', why: 'the vanity id is the key; the email goes to the buyer’s own address' },
      'Email the receipt again',
      { params: z.object({ id: z.string() }), response: { 202: mailAnswer } },
    ),
    async (request, reply) => {
      await findOrders.resendReceipt(request.caller, request.params.id);
      return reply.code(202).header('cache-control', 'no-store').send({ message: RECEIPT_SENT });
    },
  );
});

export function findOrderForm({ findOrders }: { findOrders: Pick<FindOrders, 'askForOrders'> }): PlainForm {
  return {
    path: '/find-my-order',
    why: WHY,
    async handle({ caller, fields }) {
      const { email } = parseForm(findOrdersBody, { email: fields['email'] ?? '' });
      await findOrders.askForOrders(caller, email);
      return { to: '/find-my-order?sent=yes' };
    },
  };
}
