/** The page of an order with an athlete's pass and chosen photos: each bought photo is on it once. */
import { expect, test } from 'vitest';
import { chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam } from '#tests/support/family-cards.ts';
import { addReadyPhoto, openGallery, settleAnother } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { useSheet } from '#tests/support/shop-sheets.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });

test('a bought photo that an athlete’s pass opens is not listed again below it, also if the pass shows 12 newer ones', async () => {
  const { hawks, parent, tokens } = await settleAnother(server);
  const organizationId = hawks.id;
  const teamId = await addTeam(server, organizationId);
  const galleryId = await openGallery(server, tokens.owner, organizationId, { name: 'Cup final', price_per_photo: 4 });
  const offers = [{ id: 1, kind: 'athlete_pass' as const, priceCents: 1500 }];
  await useSheet(
    server.data,
    { sellerId: organizationId, galleryId },
    { offers, ownPricesTakePart: false, earlyBird: null },
  );
  await chooseUnknown(server, organizationId, 'show');
  const { athleteId } = await addCarded(server, { id: teamId, organizationId });
  const ids: number[] = [];
  for (let at = 1; at <= 15; at++)
    ids.push(await addReadyPhoto(server, { id: galleryId, organizationId }, { name: `Kick ${at}.jpg` }));
  const [oldest = 0, ofAnother = 0, ...others] = ids;
  await tag(
    server,
    organizationId,
    [oldest, ...others].map((photoId) => ({ photoId, athleteId })),
  );
  await server.data.ownerQuery(
    `update photo_tags set team_id = $1, number = '10', at = now() - case when photo_id = $2 then interval '1 day' else '0' end
      where organization_id = $3`,
    [teamId, oldest, organizationId],
  );
  const pageOf = async (photos: readonly number[], subtotal: number) => {
    const email = `fan${photos.length}@families.test`;
    const placed = await server.call({
      method: 'POST',
      url: '/api/v1/orders',
      payload: {
        order: {
          user: { first_name: 'Ann', last_name: 'Buyer', email, confirm_email: email, zip: '55401' },
          donation: '',
          taxes: 0,
          subtotal,
          org_id: organizationId,
          checkout_key: `order-with-pass-${photos.length}`,
        },
        stripe_token: await payWith(server),
        items: photos.map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
        passes: [{ kind: 'athlete_pass', athlete_key: `team:${teamId}:10` }],
      },
    });
    expect(placed.statusCode, placed.body).toBe(201);
    const answer = await server.call({
      method: 'GET',
      url: `/${hawks.path}/order/${placed.json<{ vanity_id: string }>().vanity_id}`,
      headers: { host: `${parent.path}.sideline.localhost` },
    });
    expect(answer.statusCode).toBe(200);
    const text = answer.body.replaceAll('<!-- -->', '');
    return ['The photo that you chose', 'Your photo<', 'Your photos<'].filter((words) => text.includes(words));
  };
  expect(await pageOf([oldest], 15)).toEqual(['The photo that you chose']);
  expect(await pageOf([oldest, ofAnother], 19)).toEqual(['The photo that you chose', 'Your photo<']);
});
