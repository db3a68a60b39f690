import * as z from 'zod/mini';
import { balanceAnswer, balanceBody } from '#src/features/credit/credit.contract.ts';
import * as contract from '#src/features/credit-shop/credit-shop.contract.ts';
import type { CreditShop } from '#src/features/credit-shop/credit-shop.service.ts';
import { mailAnswer, orderPlaced } from '#src/features/orders/orders.contract.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';
import { pageQuery } from '#src/shared/paging.ts';

const BUYERS = { who: 'anyone', why: 'visitors buy; the server decides what is offered and its price' } as const;

const EXAMPLE = {
  org_id: 42,
  amount: 25,
  gift: { name: 'Grandma', email: 'grandma@families.example', message: 'For the season' },
  user: {
    first_name: 'Maria',
    last_name: 'Jensen',
    email: 'maria@families.example',
    confirm_email: 'maria@families.example',
    zip: '53703',
  },
  checkout_key: 'c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4',
  stripe_token: 'tok_1Q2w3E4r5T6y7U8i',
};

/** `POST /api/v1/credit_orders`, `PUT …/orders/{vanity_id}/gift`, `…/credit/balance`, and the calls for sellers. */
export const creditShopRoutes = privateRoutes((server, shop: CreditShop) => {
  server.post(
    '/api/v1/credit_orders',
    {
      config: { access: BUYERS, isCheckout: true, example: EXAMPLE },
      schema: {
        summary: 'Buy prepaid credit, for oneself or as a gift; 202 while the payment is being confirmed',
        body: contract.buyCreditBody,
        response: { 201: orderPlaced, 202: orderPlaced },
      },
    },
    async (request, reply) => {
      const placed = await shop.buy(request.caller, request.body);
      return reply.code(placed.status === 'pending' ? 202 : 201).send(placed);
    },
  );

  server.put(
    '/api/v1/orders/:id/gift',
    call(
      { who: 'anyone', why: 'the vanity id is the key; the gift was paid for, and goes to one address at a time' },
      'Send the gift of an order to another address, until it is opened',
      {
        params: z.object({ id: z.string() }),
        body: contract.giftAddressBody,
        response: { 200: mailAnswer },
      },
    ),
    async (request, reply) => {
      await shop.readdress(request.caller, request.params.id, request.body.email);
      return reply.header('cache-control', 'no-store').send({ message: contract.GIFT_ADDRESS_CHANGED });
    },
  );

  server.post(
    '/api/v1/credit/balance',
    call(
      { who: 'anyone', why: 'anyone with a code may see its balance; wrong codes are counted' },
      'The balance of a credit code',
      {
        body: balanceBody,
        response: { 200: balanceAnswer },
      },
    ),
    async (request) => shop.balance(request.caller, request.body),
  );

  server.get(
    '/api/v1/affiliates/:id/credit',
    call(MEMBERS, 'The credit that an organization offers, and the balance of each code, newest first', {
      params: idParams,
      querystring: pageQuery,
      response: { 200: contract.creditPage },
    }),
    async (request) => shop.list(request.caller, request.params.id, request.query),
  );

  server.put(
    '/api/v1/affiliates/:id/credit',
    call(MEMBERS, 'Set what credit is offered from now on', {
      params: idParams,
      body: contract.settingsBody,
      response: { 200: contract.settingsAnswer },
    }),
    async (request) => shop.offer(request.caller, request.params.id, request.body.credit),
  );

  server.post(
    '/api/v1/credit/:id/pay_out',
    call({ who: 'platform-admin' }, 'Pay the small balance of a code out; for platform admins', {
      params: idParams,
      response: { 200: contract.paidOutAnswer },
    }),
    async (request) => shop.payOut(request.caller, request.params.id),
  );
});
