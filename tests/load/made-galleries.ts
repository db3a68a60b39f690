/**
 * A seller with many galleries of one public photo each, inserted directly into the tables, and some orders of the last
 * weeks.
 */
import { withClient } from '#src/platform/db/client.ts';

export type MadeGalleries = { organizationId: number; domainName: string };

const ORDERS = 50;

export async function makeGalleries(ownerUrl: string, galleryCount: number): Promise<MadeGalleries> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string; domain_name: string }>(
      `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
       values ('affiliate', 'Bench Club', 'bench-' || floor(random() * 1e9)::bigint, 1, false) returning id, domain_name`,
    );
    const organizationId = Number(rows[0]?.id);
    await client.query('insert into organization_private (organization_id) values ($1)', [organizationId]);
    await client.query(
      `insert into galleries (organization_id, name, price_cents, photos_by, photo_count, public_photo_count, created_at)
       select $1, 'Match ' || n, 400, 'Bench', 1, 1, now() - n * interval '1 minute' from generate_series(1, $2::int) as n`,
      [organizationId, galleryCount],
    );
    await client.query('alter table photos disable trigger photos_counted');
    await client.query(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, original_key, original_sha256, original_bytes)
       select id, $1, 'Photo', 'ready', 'a00000001V', 2400, 1600, decode(md5(id::text) || md5('x' || id), 'hex'),
              'originals/' || md5(id::text) || '.jpg', md5(id::text) || md5('y' || id), 4000000 from galleries where organization_id = $1`,
      [organizationId],
    );
    await client.query('alter table photos enable trigger photos_counted');
    await client.query(
      `with sold as (
         insert into orders (vanity_id, organization_id, checkout_key, content_hash, status, first_name, last_name, email_address,
                             subtotal_cents, tax_cents, donation_cents, share_bps, created_at, paid_at)
         select md5('order' || n || '-' || $1::bigint), $1::bigint, md5('order' || n || '-' || $1::bigint), '\\x00', 'paid', 'Ann', 'Buyer', 'ann@buyers.test', 400, 0, 0, 2000,
                now() - n * interval '1 day', now() - n * interval '1 day' from generate_series(1, $2::int) as n returning id
       )
       insert into order_photos (order_id, organization_id, photo_id, gallery_id, price_cents, order_key)
       select s.id, $1, p.id, p.gallery_id, 400, md5('line' || s.id)
         from sold s cross join lateral (select id, gallery_id from photos where organization_id = $1 limit 1) p`,
      [organizationId, ORDERS],
    );
    await client.query('analyze');
    return { organizationId, domainName: rows[0]?.domain_name ?? '' };
  });
}
