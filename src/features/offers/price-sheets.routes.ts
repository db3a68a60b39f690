import * as contract from '#src/features/offers/offers.contract.ts';
import type { PriceSheetService } from '#src/features/offers/price-sheets.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';
import { idParams } from '#src/shared/validators.ts';

const READERS = { who: 'session', scope: 'galleries:read' } as const;
const EDITORS = { who: 'session', scope: 'galleries:write' } as const;

const EXAMPLE = {
  price_sheet: {
    name: 'Hawks fall',
    own_prices_take_part: false,
    offers: [
      { kind: 'bundle', photos: 3, price: 10 },
      { kind: 'bundle', photos: 5, price: 15 },
      { kind: 'gallery_pass', price: 40 },
    ],
    early_bird: { percent: 15, last_day: '2026-10-12' },
  },
};

/** Routes of price sheets. A gallery chooses its sheet through its own call. */
export const priceSheetRoutes = privateRoutes((server, sheets: PriceSheetService) => {
  server.get(
    '/api/v1/affiliates/:id/price_sheets',
    call(READERS, 'Price sheets of an organization, and those that its parent shares with it', {
      params: idParams,
      querystring: contract.sheetsQuery,
      response: { 200: contract.sheetsPage },
    }),
    async (request) => sheets.list(request.caller, request.params.id, request.query),
  );

  server.post(
    '/api/v1/affiliates/:id/price_sheets',
    call(
      EDITORS,
      'Create a price sheet',
      { params: idParams, body: contract.newSheetBody, response: { 201: contract.savedSheet } },
      EXAMPLE,
    ),
    async (request, reply) =>
      reply.code(201).send(await sheets.create(request.caller, request.params.id, request.body.price_sheet)),
  );

  server.put(
    '/api/v1/price_sheets/:id',
    call(
      EDITORS,
      'Change a price sheet; with `seen`, a change that someone else made meanwhile is not overwritten (409)',
      { params: idParams, body: contract.sheetChangesBody, response: { 200: contract.savedSheet } },
      EXAMPLE,
    ),
    async (request) => sheets.change(request.caller, request.params.id, request.body),
  );

  server.post(
    '/api/v1/price_sheets/:id/archive',
    call(
      EDITORS,
      'Archive a price sheet; while galleries use it, only with `release`, which removes it from them',
      { params: idParams, body: contract.archiveBody, response: { 200: contract.savedSheet } },
      { release: true },
    ),
    async (request) => sheets.archive(request.caller, request.params.id, request.body?.release ?? false),
  );
});
