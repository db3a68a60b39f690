/**
 * A seller with a gallery of ready photos, inserted directly into the tables: rows as ingest leaves them, without
 * pictures.
 */
import { withClient } from '#src/platform/db/client.ts';

export type MadeGallery = { organizationId: number; domainName: string; galleryId: number; photoIds: number[] };

export async function makeGallery(ownerUrl: string, photoCount: number): Promise<MadeGallery> {
  return withClient(ownerUrl, async (client) => {
    const { rows: sellers } = await client.query<{ id: string; domain_name: string }>(
      `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
       values ('affiliate', 'Bench Club', 'bench-' || floor(random() * 1e9)::bigint, 1, false) returning id, domain_name`,
    );
    const organizationId = Number(sellers[0]?.id);
    await client.query('insert into organization_private (organization_id) values ($1)', [organizationId]);
    const { rows: galleries } = await client.query<{ id: string }>(
      `insert into galleries (organization_id, name, price_cents, photos_by) values ($1, 'Bench', 400, 'Bench') returning id`,
      [organizationId],
    );
    const galleryId = Number(galleries[0]?.id);
    // Counted once instead of photo by photo, which would take minutes for 50,000.
    await client.query('alter table photos disable trigger photos_counted');
    const { rows: photos } = await client.query<{ id: string }>(
      `insert into photos (gallery_id, organization_id, name, status, order_key, width, height, thumbhash, captured_at,
                           original_key, original_sha256, original_bytes, tagged)
       select $1, $2, 'Photo ' || n, 'ready', 'a' || lpad(n::text, 8, '0') || 'V', 2400, 1600, decode(md5(n::text) || md5('x' || n), 'hex'),
              now(), 'originals/' || md5(n::text) || '.jpg', md5(n::text) || md5('y' || n), 4000000, true
         from generate_series(1, $3::int) as n returning id`,
      [galleryId, organizationId, photoCount],
    );
    await client.query('alter table photos enable trigger photos_counted');
    await client.query('update galleries set photo_count = $2, public_photo_count = $2 where id = $1', [
      galleryId,
      photoCount,
    ]);
    const photoIds = photos.map((row) => Number(row.id));
    await client.query(
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name)
       select id, gallery_id, organization_id, 'number ' || (row_number() over ()) % 30 from photos where gallery_id = $1`,
      [galleryId],
    );
    await client.query('analyze');
    return { organizationId, domainName: sellers[0]?.domain_name ?? '', galleryId, photoIds };
  });
}
