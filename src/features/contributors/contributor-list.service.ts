/**
 * Members of a gallery see who contributed to it. Apart from the rest of the room, because the
 * galleries room asks this inside its own read.
 */
import { listContributors } from '#src/features/contributors/contributors.sql.ts';
import type { ContributorAnswer } from '#src/features/galleries/galleries.contract.ts';
import type { Reader } from '#src/platform/db/db.ts';

const MOST = 1_000;

/** Only within the gallery's tenant's scope: their addresses are never public (decision 8). */
export async function contributorsOf(db: Reader, galleryId: number): Promise<ContributorAnswer[]> {
  return listContributors(db, galleryId, MOST);
}
