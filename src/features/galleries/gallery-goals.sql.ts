/** Names of galleries and the goals that they show to everyone. */
import type { Reader } from '#src/platform/db/db.ts';

export type GalleryGoal = {
  id: number;
  name: string;
  /** Null where there is none, or it is not shown. */
  goal: { recipient: string; raisedCents: number; targetCents: number } | null;
};

/** Of these galleries the active ones, in any order. */
export async function listGoals(db: Reader, galleryIds: readonly number[]): Promise<GalleryGoal[]> {
  const rows = await db
    .selectFrom('galleries')
    .select(['id', 'name', 'display_goal', 'goal_description', 'target_goal_cents', 'sales_cents', 'donations_cents'])
    .where('id', 'in', galleryIds)
    .where('active', '=', true)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    goal:
      row.display_goal && row.target_goal_cents > 0
        ? {
            recipient: row.goal_description,
            raisedCents: row.sales_cents + row.donations_cents,
            targetCents: row.target_goal_cents,
          }
        : null,
  }));
}
