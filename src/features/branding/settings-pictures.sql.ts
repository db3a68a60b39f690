import { sql } from 'kysely';
import type { Reader } from '#src/platform/db/db.ts';

/** Of these keys, those that no organization shows or marks with any more. */
export async function listUnused(db: Reader, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select given.key from unnest(${[...keys]}::text[]) as given(key)
     where not exists (
       select from organizations o
        where given.key in (o.logo_key, o.watermark_key, o.home_image_key, o.tablet_ad_key, o.mobile_ad_key))`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}
