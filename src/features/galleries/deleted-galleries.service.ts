/** Platform admins look for a gallery that was deleted; bringing it back is a change like others (`gallery-editing.service.ts`). */
import { requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { DELETED_PER_PAGE, type DeletedGalleries } from '#src/features/galleries/deleted-galleries.contract.ts';
import * as deletedSql from '#src/features/galleries/deleted-galleries.sql.ts';
import { readGalleryPlace, writeGalleryPlace } from '#src/features/galleries/galleries.rules.ts';
import { BAD_PLACE } from '#src/shared/paging.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

export type DeletedGalleriesDeps = { database: Database };

/** The newest first, after `after`. @throws unauthenticated; forbidden; invalid for a foreign `after` */
export async function listDeleted(
  ctx: DeletedGalleriesDeps,
  caller: Caller,
  organizationId: number,
  after: string | null = null,
): Promise<DeletedGalleries> {
  requirePlatformAdmin(caller.actor);
  const place = after === null ? null : readGalleryPlace(after);
  if (after !== null && !place) throw problem('invalid', BAD_PLACE, { errors: { after: [BAD_PLACE] } });
  const rows = await ctx.database.read({ kind: 'tenants', organizationIds: [organizationId] }, (db) =>
    deletedSql.listDeleted(db, organizationId, { after: place, limit: DELETED_PER_PAGE + 1 }),
  );
  const page = rows.slice(0, DELETED_PER_PAGE);
  const last = page.at(-1);
  return {
    galleries: page.map((row) => ({
      id: row.id,
      name: row.name,
      photo_count: row.photoCount,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    })),
    next: rows.length > page.length && last ? writeGalleryPlace(last) : null,
  };
}

export const createDeletedGalleries = (deps: DeletedGalleriesDeps) => bind(deps, { listDeleted });
