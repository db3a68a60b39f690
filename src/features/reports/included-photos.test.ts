/** Photos included with registration, and athlete passes, in reports and after refunds. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import type { ReportAnswer } from '#src/features/reports/reports.contract.ts';
import { createReportCheck } from '#src/features/reports/reports.service.ts';
import { tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard } from '#tests/support/family-cards.ts';
import { addReadyPhoto, openGallery, settleAnother } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { HAWKS_FALL } from '#tests/support/price-sheets.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });

/** A club with twelve photos of Maya, who has three of them included. */
async function openClub() {
  const { hawks, parent, tokens } = await settleAnother(server);
  const organizationId = hawks.id;
  const host = `${parent.path}.localhost`;
  const teamId = await addTeam(server, organizationId);
  const galleryId = await openGallery(server, tokens.owner, organizationId, { price_per_photo: 4 });
  const offers = [
    ...HAWKS_FALL.content.offers.filter(({ kind }) => kind === 'bundle'),
    { id: 4, kind: 'athlete_pass' as const, priceCents: 2500 },
  ];
  const sheet = { offers, ownPricesTakePart: false, earlyBird: null };
  await useSheet(server.data, { sellerId: organizationId, galleryId }, sheet);
  const maya = await addCarded(server, { id: teamId, organizationId }, {});
  const photos: number[] = [];
  for (let at = 0; at < 12; at++) photos.push(await addReadyPhoto(server, { id: galleryId, organizationId }));
  const tags = photos.map((photoId) => ({ photoId, athleteId: maya.athleteId }));
  await tag(server, organizationId, tags);
  const url = `/api/v1/teams/${teamId}/allowances`;
  await server.call({ method: 'POST', url, as: tokens.owner, payload: { photos: 3 } });
  const cookie = await openCard(server, host, maya);

  async function buy(items: number[], subtotal: number, passes: object[] = []): Promise<OrderAnswer> {
    const email = `${randomUUID()}@families.test`;
    const user = { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '55401' };
    const payload = {
      order: { user, donation: '', taxes: 0, subtotal, org_id: organizationId, checkout_key: randomUUID() },
      stripe_token: await payWith(server),
      items: items.map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
      passes,
    };
    const placed = await server.call({ method: 'POST', url: '/api/v1/orders', headers: { host, cookie }, payload });
    expect(placed.statusCode, placed.body).toBe(201);
    const { vanity_id: id } = placed.json<{ vanity_id: string }>();
    return (await server.call({ method: 'GET', url: `/api/v1/orders/${id}` })).json<OrderAnswer>();
  }
  const refundParts = (order: OrderAnswer, parts: object) =>
    server.call({
      method: 'POST',
      url: `/api/v1/orders/${order.vanity_id}/refunds`,
      as: tokens.admin,
      payload: { reason: 'Asked for', refund_key: randomUUID(), ...parts },
    });
  const report = (responseType: 'json' | 'csv') =>
    server.call({
      method: 'POST',
      url: `/api/v1/affiliates/${organizationId}/reports`,
      as: tokens.owner,
      payload: { responseType, for_org: false },
    });
  const totals = async () => (await report('json')).json<ReportAnswer>()[organizationId]?.totals;
  return { photos, maya, buy, refundParts, report, totals };
}

test('included photos are a column of reports and files, and refunds keep the books correct', async () => {
  const { photos, maya, buy, refundParts, report, totals } = await openClub();
  const mixed = await buy(photos.slice(0, 4), 4);
  const pass = await buy([], 25, [{ kind: 'athlete_pass', athlete_key: `child:${maya.athleteId}` }]);
  expect(await totals()).toMatchObject({ sales: 29, included: 12 });
  const [head = '', all = ''] = (await report('csv')).body.replaceAll('"', '').split('\r\n');
  expect(all.split(',')[head.split(',').indexOf('Included')]).toBe('12.00');
  // The three remaining photos are included: the price paid is refunded, whichever photo it was for.
  expect((await refundParts(mixed, { photos: [photos[0]] })).json()).toMatchObject({ refunded: 4 });
  expect(await totals()).toMatchObject({ sales: 25, refunds: 4 });
  expect((await refundParts(pass, { passes: [pass.passes?.[0]?.id] })).json()).toMatchObject({ refunded: 25 });
  expect(await totals()).toMatchObject({ sales: 0, refunds: 29 });
  // These photos have no image files.
  const wrong = await checkInvariants({ database: server.platform.database, sandboxCards: true });
  expect(wrong.filter((line) => !line.startsWith('I7:'))).toEqual([]);
  expect(await createReportCheck(server.platform).differences()).toEqual([]);
});
