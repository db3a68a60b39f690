import * as contract from '#src/features/coupons/coupon-editing.contract.ts';
import type { CouponService } from '#src/features/coupons/coupon-editing.service.ts';
import { call, MEMBERS, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';
import { pageQuery } from '#src/shared/paging.ts';

const ONE = '/api/v1/affiliates/:id/coupons/:couponId';

/** `/api/v1/affiliates/{id}/coupons…`: codes for buyers, for members of the organization. */
export const couponRoutes = privateRoutes((server, coupons: CouponService) => {
  server.get(
    '/api/v1/affiliates/:id/coupons',
    call(MEMBERS, 'Codes of an organization with what each sold and saved, newest first', {
      params: idParams,
      querystring: pageQuery,
      response: { 200: contract.couponsPage },
    }),
    async (request) => coupons.list(request.caller, request.params.id, request.query),
  );

  server.post(
    '/api/v1/affiliates/:id/coupons',
    call(MEMBERS, 'Create a code for buyers; without `code` one is generated', {
      params: idParams,
      body: contract.newCouponBody,
      response: { 201: contract.couponAnswer },
    }),
    async (request, reply) =>
      reply.code(201).send(await coupons.make(request.caller, request.params.id, request.body.coupon)),
  );

  server.get(
    ONE,
    call(MEMBERS, 'A code with what it sold and saved', {
      params: contract.couponParams,
      response: { 200: contract.couponAnswer },
    }),
    async (request) => coupons.read(request.caller, request.params.id, request.params.couponId),
  );

  server.put(
    ONE,
    call(MEMBERS, 'Change a code, for orders from now on', {
      params: contract.couponParams,
      body: contract.couponChangesBody,
      response: { 200: contract.couponAnswer },
    }),
    async ({ caller, params, body }) =>
      coupons.change(caller, { organizationId: params.id, id: params.couponId }, body.coupon),
  );

  server.post(
    `${ONE}/end`,
    call(MEMBERS, 'End a code', { params: contract.couponParams, response: { 200: contract.couponAnswer } }),
    async (request) => coupons.end(request.caller, request.params.id, request.params.couponId),
  );
});
