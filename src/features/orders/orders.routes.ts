import * as z from 'zod/mini';
import * as contract from '#src/features/orders/orders.contract.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import { call, routes, SECRET_ADDRESS, type Server } from '#src/http/call.ts';

const BUYERS = {
  who: 'anyone',
  why: 'visitors buy; the right to each photo is checked, and the server sets every price',
} as const;

const EXAMPLE = {
  order: {
    user: {
      first_name: 'Maria',
      last_name: 'Jensen',
      email: 'maria@families.example',
      confirm_email: 'maria@families.example',
      zip: '53703',
    },
    org_id: 42,
    donation: '5.00',
    taxes: 0,
    subtotal: 4,
    checkout_key: 'b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3',
  },
  stripe_token: 'tok_1Q2w3E4r5T6y7U8i',
  items: [{ id: 42, gallery_id: 42, sales_price: 4 }],
};

/** `POST /api/v1/orders`, `…/quote`, `GET /api/v1/orders/{id}`. */
export const orderRoutes = routes((server, orders: OrderService) => {
  server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  buyingRoutes(server, orders);
  receiptRoutes(server, orders);
});

function buyingRoutes(server: Server, orders: OrderService): void {
  server.post(
    '/api/v1/orders/quote',
    {
      config: { access: BUYERS, isCheckout: true },
      bodyLimit: contract.CART_BODY_BYTES,
      schema: {
        summary: 'The current price of a cart',
        body: contract.quoteBody,
        response: { 200: contract.quoteAnswer },
      },
    },
    async (request) => orders.quote(request.caller, request.body),
  );

  server.post(
    '/api/v1/orders',
    {
      config: { access: BUYERS, isCheckout: true, example: EXAMPLE },
      bodyLimit: contract.CART_BODY_BYTES,
      schema: {
        summary: 'Order photos; 202 while the payment is being confirmed',
        body: contract.placeOrderBody,
        response: { 201: contract.orderPlaced, 202: contract.orderPlaced },
      },
    },
    async (request, reply) => {
      const placed = await orders.place(request.caller, request.body);
      return reply.code(placed.status === 'pending' ? 202 : 201).send(placed);
    },
  );

  server.post(
    '/api/v1/orders/standing',
    {
      config: {
        access: { who: 'anyone', why: 'only the browser that made a checkout key can know it' },
        isCheckout: true,
      },
      schema: {
        summary: 'Status of a checkout whose response was lost',
        body: contract.checkoutStatusBody,
        response: { 200: contract.checkoutStatusAnswer },
      },
    },
    async (request) => orders.checkoutStatus(request.caller, request.body.checkout_key),
  );
}

function receiptRoutes(server: Server, orders: OrderService): void {
  server.get(
    '/api/v1/orders/:id',
    call(
      {
        who: 'anyone',
        why: 'the vanity id is the key; numbers are for members and platform admins',
        scope: 'orders:read',
      },
      'A receipt',
      {
        params: z.object({ id: z.string() }),
        response: { 200: contract.orderAnswer },
      },
    ),
    async (request, reply) => {
      reply.headers(SECRET_ADDRESS);
      return orders.read(request.caller, request.params.id);
    },
  );
}
