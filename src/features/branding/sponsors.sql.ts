/** The table of this part of the module: sponsor_counts. */
import { sql } from 'kysely';
import type { SponsorCount, SponsorSlot } from '#src/features/branding/sponsors.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

type Counted = {
  organizationId: number;
  slot: SponsorSlot;
  /** `YYYY-MM-DD` */
  day: string;
  impressions: 0 | 1;
  clicks: 0 | 1;
};

export async function addCount(tx: Writer, { organizationId, slot, day, impressions, clicks }: Counted): Promise<void> {
  await tx
    .insertInto('sponsor_counts')
    .values({ organization_id: organizationId, slot, day, impressions, clicks })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'slot', 'day']).doUpdateSet({
        impressions: sql<number>`sponsor_counts.impressions + excluded.impressions`,
        clicks: sql<number>`sponsor_counts.clicks + excluded.clicks`,
      }),
    )
    .execute();
}

/** The newest days first. */
export async function listCounts(db: Reader, organizationId: number, limit: number): Promise<SponsorCount[]> {
  return db
    .selectFrom('sponsor_counts')
    .select([sql<string>`day::text`.as('day'), 'slot', 'impressions', 'clicks'])
    .where('organization_id', '=', organizationId)
    .orderBy('sponsor_counts.day', 'desc')
    .orderBy('slot')
    .limit(limit)
    .execute();
}

/** The given keys that no organization uses any more. */
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

/** Every picture that an organization uses, by organization. */
export async function listUsed(db: Reader): Promise<{ organizationId: number; kind: string; key: string }[]> {
  const { rows } = await sql<{ organizationId: number; kind: string; key: string }>`
    select o.id as "organizationId", picture.kind, picture.key
      from organizations o
     cross join lateral (values ('logo', o.logo_key), ('watermark', o.watermark_key), ('home image', o.home_image_key),
                                ('tablet ad', o.tablet_ad_key), ('mobile ad', o.mobile_ad_key)) as picture(kind, key)
     where picture.key is not null
     order by o.id, picture.kind`.execute(db);
  return rows;
}
