/** The page of an order shows each bought photo once, even with an athlete's pass, and says which were withdrawn. */
import { expect, test } from 'vitest';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { addAthlete, chooseUnknown, tag } from '#tests/support/consent-rows.ts';
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

test('a page of withdrawn photos speaks of all of them, and of asking for money only while some was not refunded', async () => {
  const { hawks, parent, tokens } = await settleAnother(server);
  const sale = await openSale(server, tokens.owner, hawks.id, { photos: 2 });
  const athleteId = await addAthlete(server, hawks.id, { consent: 'yes' });
  await tag(
    server,
    hawks.id,
    sale.photoIds.map((photoId) => ({ photoId, athleteId })),
  );
  const vanityId = await buyPhotos(server, [sale]);
  await server.data.database.write({ kind: 'tenants', organizationIds: [hawks.id] }, (tx) =>
    server.app.consent.changeConsent(tx, { organizationId: hawks.id, athleteId, consent: 'no', by: 'member' }),
  );
  const read = async () => {
    const headers = { host: `${parent.path}.sideline.localhost` };
    const { body } = await server.call({ method: 'GET', url: `/${hawks.path}/order/${vanityId}`, headers });
    return /<p [^>]*>(2 photos were withdrawn[^<]*)</.exec(body)?.[1]?.replace('&#x27;', "'");
  };
  const gone = "2 photos were withdrawn at a family's wish. They cannot be downloaded.";
  expect(await read()).toBe(
    `${gone} To ask for your money back, write to the contact at the end of this page, with your order number.`,
  );
  await server.data.ownerQuery('update order_photos set revoked_at = now() where organization_id = $1', [hawks.id]);
  expect(await read()).toBe(gone);
});
