/**
 * An editor's grid draws thousands of photos: it asks for all in few words, page by page along the index of its filter, and
 * for those in sight in full. Places stay honest without anybody counting: the page has the whole order.
 */
import { requireEditor, type Caller } from '#src/features/accounts/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { presentMemberPhoto } from '#src/features/photos/photo-answers.rules.ts';
import {
  MAX_LAYOUT_PER_PAGE,
  type PhotoFact,
  type PhotoLayout,
  type PhotoShow,
  type ShowCounts,
} from '#src/features/photos/photo-grid.contract.ts';
import * as gridSql from '#src/features/photos/photo-grid.sql.ts';
import { placeAfter, writePhotoPlace } from '#src/features/photos/photo-places.rules.ts';
import type { Database } from '#src/platform/db/db.ts';

export type PhotoGridDeps = {
  database: Database;
  galleries: Pick<GalleryService, 'view' | 'scopeOf'>;
};

export type LayoutOptions = {
  show?: PhotoShow | undefined;
  /** `next` of the page before. */
  after?: string | undefined;
  /** 1 to 1,000. */
  limit?: number | undefined;
};

export function createPhotoGrid({ database, galleries }: PhotoGridDeps) {
  async function viewOf(caller: Caller, galleryId: number) {
    const view = await galleries.view(caller, galleryId);
    requireEditor(caller.actor, view.gallery);
    return view;
  }

  return {
    /** @throws unauthenticated; not_found for strangers; invalid for a foreign `after` */
    async layout(caller: Caller, galleryId: number, options: LayoutOptions): Promise<PhotoLayout> {
      const after = placeAfter(options.after);
      const view = await viewOf(caller, galleryId);
      const show = options.show ?? 'default';
      const most = Math.min(options.limit ?? MAX_LAYOUT_PER_PAGE, MAX_LAYOUT_PER_PAGE);
      return database.read(galleries.scopeOf(view), async (db) => {
        const rows = await gridSql.listLayout(db, { galleryId, after, show, limit: most + 1 });
        const counts = after ? null : await gridSql.countShows(db, view.gallery);
        const total = after?.total ?? counts?.[show] ?? 0;
        const photos = rows.slice(0, most).map(({ id, width, height, shown, featured }) => ({
          id,
          ratio: width && height ? Math.round((width / height) * 10_000) / 10_000 : null,
          shown,
          featured,
        }));
        const last = rows[most - 1];
        const index = (after ? after.index + 1 : 0) + most - 1;
        const next = rows.length <= most || !last ? null : writePhotoPlace({ ...last, index, total });
        return { photos, next, total, counts };
      });
    },

    /** These photos as members see them, in the order asked for; those that are gone are missing. @throws as `layout` */
    async facts(caller: Caller, galleryId: number, ids: readonly number[]): Promise<PhotoFact[]> {
      const view = await viewOf(caller, galleryId);
      const rows = await database.read(galleries.scopeOf(view), (db) =>
        gridSql.listFacts(db, { galleryId, ids, visitorId: caller.visitorId }),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => {
        const row = byId.get(id);
        if (!row) return [];
        const { sequence_index: _unknown, ...fact } = presentMemberPhoto(view.gallery, row, 0);
        return [fact];
      });
    },

    /** How many photos each filter has. @throws as `layout` */
    async showCounts(caller: Caller, galleryId: number): Promise<ShowCounts> {
      const view = await viewOf(caller, galleryId);
      return database.read(galleries.scopeOf(view), (db) => gridSql.countShows(db, view.gallery));
    },
  };
}
