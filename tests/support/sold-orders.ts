/** Orders as checkout leaves them, inserted directly into the tables; for tests of later events. */
import { randomBytes } from 'node:crypto';
import type { TestServer } from '#tests/support/test-server.ts';

export type SoldOrder = { id: number; vanityId: string };

export async function sellPhotos(
  server: TestServer,
  sellerId: number,
  photos: readonly { id: number; gallery_id: number }[],
  facts: { status?: string; email?: string; paidAt?: string } = {},
): Promise<SoldOrder> {
  const vanityId = randomBytes(16).toString('base64url');
  const { status = 'paid', email = 'maria@families.test', paidAt = '2026-05-09T18:00:00Z' } = facts;
  const [order] = await server.data.ownerQuery<{ id: number }>(
    `insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                         subtotal_cents, tax_cents, donation_cents, share_bps, created_at, paid_at)
     values ($1, $2, $1, '\\x00', $3, 'Maria', 'Jensen', $4, 400, 0, 0, 2000, $5::timestamptz,
             case when $3 in ('pending', 'failed') then null else $5::timestamptz end) returning id`,
    [vanityId, sellerId, status, email, paidAt],
  );
  await server.data.ownerQuery(
    `insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key)
     select $1, $2, line.photo_id, line.gallery_id, 400, substr(md5(random()::text), 1, 22)
       from unnest($3::bigint[], $4::bigint[]) with ordinality as line (photo_id, gallery_id, place) order by line.place`,
    [order?.id, sellerId, photos.map((photo) => photo.id), photos.map((photo) => photo.gallery_id)],
  );
  return { id: order?.id ?? 0, vanityId };
}
