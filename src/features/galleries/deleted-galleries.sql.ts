/** Of this module's table galleries: those that are not active any more. */
import { sql } from 'kysely';
import type { GalleryPlace } from '#src/features/galleries/galleries.rules.ts';
import type { Reader } from '#src/platform/db/db.ts';

export type DeletedRow = {
  id: number;
  name: string;
  photoCount: number;
  createdAt: Date;
  createdText: string;
  updatedAt: Date;
};

/** The newest first. */
export async function listDeleted(
  db: Reader,
  organizationId: number,
  { after, limit }: { after: GalleryPlace | null; limit: number },
): Promise<DeletedRow[]> {
  const later = after
    ? sql`and g.created_at <= ${after.createdText}::timestamptz and (g.created_at < ${after.createdText}::timestamptz or g.id > ${after.id})`
    : sql``;
  const { rows } = await sql<DeletedRow>`
    select g.id, g.name, g.photo_count as "photoCount", g.created_at as "createdAt", g.created_at::text as "createdText",
           g.updated_at as "updatedAt"
      from galleries g where g.organization_id = ${organizationId} and not g.active ${later}
     order by g.created_at desc, g.id limit ${limit}`.execute(db);
  return rows;
}
