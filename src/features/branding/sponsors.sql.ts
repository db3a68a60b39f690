/** The table of sponsors: sponsor_counts. */
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
