import type { ContributorAnswer } from '#src/features/galleries/galleries.contract.ts';
import type { Reader } from '#src/platform/db/db.ts';

const MOST = 1_000;

/** Who contributed to a gallery, the first ones first. Only within the gallery's tenant's scope: their addresses are never public (rule 8). */
export async function listContributors(db: Reader, galleryId: number): Promise<ContributorAnswer[]> {
  return db
    .selectFrom('gallery_contributors')
    .select(['id', 'name', 'email', 'site', 'instagram'])
    .where('gallery_id', '=', galleryId)
    .orderBy('id')
    .limit(MOST)
    .execute();
}
