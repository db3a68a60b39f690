/** Photos for tests about rows and objects, not about pictures. */
import { createHash } from 'node:crypto';
import { withClient } from '#src/platform/db/client.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

/** A photo that needs only one object: its file, which is also its only rendition. Returns the object's key. */
export async function storePhoto(ownerUrl: string, storage: Storage, content: string): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const key = `originals/${sha256.slice(0, 2)}/${sha256}.jpg`;
  await storage.put(key, Buffer.from(content), { contentType: 'image/jpeg' });
  await withClient(ownerUrl, (client) =>
    client.query(
      `with g as (insert into galleries (organization_id, name, price_cents) values (1, 'Cup', 100) returning id),
            p as (insert into photos (gallery_id, organization_id, name, order_key, status, width, height, thumbhash,
                                      original_key, original_sha256, original_bytes, purged_at)
                  select id, 1, 'p', 'a0', 'ready', 6, 4, '', $1::text, $2::text, $3::int, now() from g returning id)
       insert into renditions (photo_id, size, mark, format, pixel_version, object_key, sha256, bytes, width, height)
       select id, 320, 'clean', 'jpeg', 1, $1, $2, $3, 6, 4 from p`,
      [key, sha256, content.length],
    ),
  );
  return key;
}
