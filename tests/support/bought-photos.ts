/** Photos for sale, and buyers who order them over HTTP. */
import { addReadyPhoto, openGallery } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export type ForSale = { organizationId: number; galleryId: number; priceDollars: number; photoIds: number[] };

/** A gallery with this many photos, made by its owner. */
export async function openSale(
  server: TestServer,
  token: string,
  organizationId: number,
  { photos = 1, priceDollars = 4, name = 'Cup Final' }: { photos?: number; priceDollars?: number; name?: string } = {},
): Promise<ForSale> {
  const galleryId = await openGallery(server, token, organizationId, { price_per_photo: priceDollars, name });
  const photoIds: number[] = [];
  for (let count = 0; count < photos; count++)
    photoIds.push(await addReadyPhoto(server, { id: galleryId, organizationId }, { name: `Photo ${count + 1}` }));
  return { organizationId, galleryId, priceDollars, photoIds };
}

let orders = 0;

/** Buys photos of galleries of one seller, and donates "$5.00" or nothing to the first; returns the order's address. */
export async function buyPhotos(
  server: TestServer,
  galleries: readonly ForSale[],
  {
    donation = '',
    zip = '55401',
    taxDollars = 0,
    card,
    headers = {},
  }: { donation?: string; zip?: string; taxDollars?: number; card?: string; headers?: Record<string, string> } = {},
): Promise<string> {
  const items = galleries.flatMap(({ galleryId, priceDollars, photoIds }) =>
    photoIds.map((id) => ({ id, gallery_id: galleryId, sales_price: priceDollars })),
  );
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/orders',
    headers,
    payload: {
      order: {
        user: {
          first_name: 'Ann',
          last_name: 'Buyer',
          email: 'ann@buyers.test',
          confirm_email: 'ann@buyers.test',
          zip,
        },
        donation,
        taxes: taxDollars,
        subtotal: items.reduce((sum, item) => sum + Math.round(item.sales_price * 100), 0) / 100,
        org_id: galleries[0]?.organizationId,
        donation_gallery_id: donation === '' ? null : galleries[0]?.galleryId,
        checkout_key: `bought-photos-${process.pid}-${++orders}`,
      },
      stripe_token: await payWith(server, card),
      items,
    },
  });
  if (answer.statusCode !== 201) throw new Error(`the photos were not bought: ${answer.body}`);
  return answer.json<{ vanity_id: string }>().vanity_id;
}
