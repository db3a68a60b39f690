/** The table of this module: gallery_visits. */
import { sql } from 'kysely';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** Whether anyone but its members has opened the gallery. */
export async function hasVisits(db: Reader, galleryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('gallery_visits')
    .select('gallery_id')
    .where('gallery_id', '=', galleryId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** `day` is `YYYY-MM-DD` in the organization's time zone. */
export async function addVisit(tx: Writer, visit: { organizationId: number; galleryId: number; day: string }) {
  await tx
    .insertInto('gallery_visits')
    .values({ organization_id: visit.organizationId, gallery_id: visit.galleryId, day: visit.day, visits: 1 })
    .onConflict((conflict) =>
      conflict.columns(['gallery_id', 'day']).doUpdateSet({ visits: sql<number>`gallery_visits.visits + 1` }),
    )
    .execute();
}
