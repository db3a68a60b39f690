/**
 * An editor shows, hides, prices, names by keyword or removes many photos of a gallery at once. What is not in this gallery, or not
 * any more, is passed over: someone else may have removed it a moment ago. Photos are locked before the gallery, as everywhere.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import * as bulkSql from '#src/features/photos/photo-writes.sql.ts';
import type { BulkChanges } from '#src/features/photos/photo-grid.contract.ts';
import { lockOrder } from '#src/features/photos/photo-writes.sql.ts';
import { MAX_KEYWORDS, TOO_MANY_KEYWORDS } from '#src/features/photos/photos.contract.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

export type PhotoBulkDeps = { database: Database; galleries: Pick<GalleryService, 'editable'> };

/**
 * All or nothing. Returns how many photos are now as wished.
 * @throws unauthenticated; not_found; forbidden in a deleted gallery; invalid when one would have more than 50 keywords
 */
export async function changeMany(
  ctx: PhotoBulkDeps,
  caller: Caller,
  galleryId: number,
  changes: BulkChanges,
): Promise<number> {
  const { organizationId } = await ctx.galleries.editable(caller, galleryId);
  const { show_in_gallery: showInGallery, price_override: priceOverrideCents } = changes.photo ?? {};
  return ctx.database.write({ kind: 'tenants', organizationIds: [organizationId] }, async (tx) => {
    // Hiding may take the feature from a photo, and that is a matter of order.
    if (showInGallery === false) await lockOrder(tx, galleryId);
    const ids = await bulkSql.lockPhotos(tx, galleryId, changes.ids);
    if (ids.length === 0) return 0;
    const columns = {
      ...(showInGallery === undefined ? {} : { showInGallery }),
      ...(priceOverrideCents === undefined ? {} : { priceOverrideCents }),
    };
    const names = changes.add_keywords;
    if (
      names !== undefined &&
      !(await bulkSql.addKeywordsToAll(tx, { galleryId, organizationId, ids }, names, MAX_KEYWORDS))
    )
      throw problem('invalid', TOO_MANY_KEYWORDS, { errors: { add_keywords: [TOO_MANY_KEYWORDS] } });
    return Object.keys(columns).length === 0 ? ids.length : bulkSql.updatePhotos(tx, ids, columns);
  });
}

/** Buyers keep their downloads (rule 26). Returns how many were removed. @throws as `changeMany` */
export async function removeMany(
  ctx: PhotoBulkDeps,
  caller: Caller,
  galleryId: number,
  ids: readonly number[],
): Promise<number> {
  const { organizationId } = await ctx.galleries.editable(caller, galleryId);
  return ctx.database.write({ kind: 'tenants', organizationIds: [organizationId] }, async (tx) => {
    const found = await bulkSql.lockPhotos(tx, galleryId, ids);
    if (found.length > 0) await bulkSql.removePhotos(tx, found);
    return found.length;
  });
}

export const createPhotoBulk = (deps: PhotoBulkDeps) => bind(deps, { changeMany, removeMany });
