import { expect, test } from 'vitest';
import { photosPage } from '#src/features/photos/photos.contract.ts';
import { VISITOR } from '#src/features/tenancy/actor.rules.ts';
import { addReadyPhoto, openGallery, settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

test('a photo with a file name has one title in the list, a search, the cart and the receipt (rule 61)', async () => {
  const people = await settleNeighborhood(server);
  const as = people.tokens.owner;
  const galleryId = await openGallery(server, as, people.hawks.id, { price_per_photo: 0 });
  const gallery = { id: galleryId, organizationId: people.hawks.id };
  const id = await addReadyPhoto(server, gallery, { name: 'team.jpg' });
  // New photos come first: this one moves the other to the second position.
  await addReadyPhoto(server, gallery, { name: 'Corner Kick' });
  const keyword = { photo: { id, keywords: ['goalkeeper'] } };
  await server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/add_keywords`, as, payload: keyword });
  const title = `Photo ${1_000 + (id % 9_000)}`;
  const found = async (query: string) => {
    const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos${query}` });
    return photosPage.parse(answer.json()).photos.map(({ name }) => name);
  };

  expect(await found('')).toEqual(['Corner Kick', title]);
  expect(await found('?keyword=goalkeeper')).toEqual([title]);
  expect((await server.app.photos.find(VISITOR, galleryId, id, { index: 0 })).photo.name).toBe(title);
  expect(await server.app.photos.sellable(VISITOR, [id])).toMatchObject([{ name: title }]);

  const email = 'maria@families.test';
  const ordered = await server.call({
    method: 'POST',
    url: '/api/v1/orders',
    payload: {
      order: {
        user: { first_name: 'Maria', last_name: 'Jensen', email, confirm_email: email, zip: '55401' },
        donation: '',
        taxes: 0,
        subtotal: 0,
        org_id: people.hawks.id,
        donation_gallery_id: null,
        checkout_key: 'one-title-for-one-photo',
      },
      stripe_token: null,
      items: [{ id, gallery_id: galleryId, sales_price: 0 }],
    },
  });
  expect(ordered.statusCode, ordered.body).toBe(201);
  const receipt = await server.call({ method: 'GET', url: `/api/v1/orders/${ordered.json().vanity_id}` });
  expect(receipt.json().order_photo).toMatchObject([{ photo: { id, name: title } }]);
});
