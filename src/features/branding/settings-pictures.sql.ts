/** Which stored pictures organizations use as logo, watermark, home image and sponsor banners. Owns no table. */
import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

/** The given keys that no organization uses now. */
export async function listUnusedPictures(db: Reader, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select given.key from unnest(${[...keys]}::text[]) as given(key)
     where not exists (
       select from organizations o
        where given.key in (o.logo_key, o.watermark_key, o.home_image_key, o.tablet_ad_key, o.mobile_ad_key))`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

/** Every picture that an organization uses, by organization. */
export async function listUsedPictures(db: Reader): Promise<{ organizationId: number; kind: string; key: string }[]> {
  const { rows } = await sql<{ organizationId: number; kind: string; key: string }>`
    select o.id as "organizationId", picture.kind, picture.key
      from organizations o
     cross join lateral (values ('logo', o.logo_key), ('watermark', o.watermark_key), ('home image', o.home_image_key),
                                ('tablet ad', o.tablet_ad_key), ('mobile ad', o.mobile_ad_key)) as picture(kind, key)
     where picture.key is not null
     order by o.id, picture.kind`.execute(db);
  return rows;
}
