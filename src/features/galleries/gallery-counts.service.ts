/** What makers of many galleries ask beforehand: which of them still stand, and which owners have one already. */
import * as countsSql from '#src/features/galleries/gallery-counts.sql.ts';
import type { Reader } from '#src/platform/db/db.ts';

/** Those of the galleries that were not deleted. */
export const activeGalleries = (db: Reader, galleryIds: readonly number[]): Promise<Set<number>> =>
  countsSql.listActive(db, galleryIds);

/** Those of the organizations that have an active gallery. */
export const ownersOfGalleries = (db: Reader, organizationIds: readonly number[]): Promise<Set<number>> =>
  countsSql.listOwnersOfActive(db, organizationIds);
