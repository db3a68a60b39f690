/** The table of this room: gallery_contributors. */
import type { ContributorAnswer } from '#src/features/galleries/galleries.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type NewContributor = {
  galleryId: number;
  organizationId: number;
  name: string;
  email: string;
  site: string | null;
  instagram: string | null;
  /** The personal invite it came by. */
  inviteId: number | null;
  /** The browser it came from. */
  visitorId: string;
};

export async function insertContributor(tx: Writer, fresh: NewContributor): Promise<number> {
  const row = await tx
    .insertInto('gallery_contributors')
    .values({
      gallery_id: fresh.galleryId,
      organization_id: fresh.organizationId,
      name: fresh.name,
      email: fresh.email,
      site: fresh.site,
      instagram: fresh.instagram,
      invite_id: fresh.inviteId,
      visitor_id: fresh.visitorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Who contributed to a gallery, the first ones first; at most `limit`. */
export async function listContributors(db: Reader, galleryId: number, limit: number): Promise<ContributorAnswer[]> {
  return db
    .selectFrom('gallery_contributors')
    .select(['id', 'name', 'email', 'site', 'instagram'])
    .where('gallery_id', '=', galleryId)
    .orderBy('id')
    .limit(limit)
    .execute();
}
