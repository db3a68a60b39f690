/** The table of this room: gallery_visits. */
import { sql } from 'kysely';
import type { Writer } from '#src/platform/db/db.ts';

/** `day` is `YYYY-MM-DD` of the organisation's time zone. */
export async function addVisit(
  tx: Writer,
  visit: { organizationId: number; galleryId: number; day: string },
): Promise<void> {
  await tx
    .insertInto('gallery_visits')
    .values({ organization_id: visit.organizationId, gallery_id: visit.galleryId, day: visit.day, visits: 1 })
    .onConflict((conflict) =>
      conflict.columns(['gallery_id', 'day']).doUpdateSet({ visits: sql<number>`gallery_visits.visits + 1` }),
    )
    .execute();
}
