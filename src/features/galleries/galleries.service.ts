/**
 * A club keeps its pictures in galleries: it makes them, sets their price and their password,
 * lists them, and hears what happens in them. Every other room asks here what a gallery is to
 * whoever is calling.
 */
import { requireEditor, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { FORM_MADE_ANOTHER, GALLERY_IS_DELETED } from '#src/features/galleries/galleries.contract.ts';
import type {
  GalleryAnswer,
  GalleryChanges,
  GalleryEvent,
  LockedGalleryAnswer,
  NewGallery,
  SeenValues,
} from '#src/features/galleries/galleries.contract.ts';
import {
  NO_SECRETS,
  presentGallery,
  presentLocked,
  type GallerySecrets,
  type GalleryView,
} from '#src/features/galleries/galleries.rules.ts';
import * as galleriesSql from '#src/features/galleries/galleries.sql.ts';
import { createDeletedGalleries } from '#src/features/galleries/deleted-galleries.service.ts';
import { createGalleryAccess } from '#src/features/galleries/gallery-access.service.ts';
import { createGalleryEditing } from '#src/features/galleries/gallery-editing.service.ts';
import { listContributors } from '#src/features/galleries/gallery-contributors.sql.ts';
import { listGoals, type GalleryGoal } from '#src/features/galleries/gallery-goals.sql.ts';
import { createGalleryEvents } from '#src/features/galleries/gallery-events.service.ts';
import { unlockLinkPath } from '#src/features/galleries/gallery-link.rules.ts';
import * as writesSql from '#src/features/galleries/gallery-writes.sql.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Database, Scope, Writer } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import type { Keys } from '#src/platform/platform.ts';
import { openText } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { notFound, problem } from '#src/shared/problem.ts';

export type GalleryDeps = {
  database: Database;
  clock: Clock;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  limits: Limits;
  keys: Keys;
  /** For links in emails and on paper. */
  origin: SiteOrigin;
};
export type GalleryService = ReturnType<typeof createGalleryService>;

const OPEN_KEY: Scope = {
  kind: 'system',
  why: 'where anybody may contribute, the page carries the contribute key (decision 8)',
};
/** Pages of one gallery that one member may have open at a time. */
const OPEN_PAGES_A_MINUTE = 60;

export function createGalleryService(deps: GalleryDeps) {
  const { database, keys, limits, organizations } = deps;
  const access = createGalleryAccess(deps);
  const editing = createGalleryEditing({ ...deps, access });
  const events = createGalleryEvents(deps);

  async function secretsFor(view: GalleryView): Promise<GallerySecrets> {
    const { gallery, editor } = view;
    if (!editor && !gallery.allowPublicContributions) return NO_SECRETS;
    const open = (sealed: Buffer | null, key: Buffer) => (sealed === null ? null : openText(key, sealed));
    return database.read(editor ? access.scopeOf(view) : OPEN_KEY, async (db) => {
      const sealed = await galleriesSql.findSealed(db, gallery.id);
      const contributeKey = open(sealed.keyEncrypted, keys.contributeKeys);
      if (!editor) return { ...NO_SECRETS, contributeKey };
      return {
        contributeKey,
        password: open(sealed.passwordEncrypted, keys.galleryPasswords),
        unlockKey: access.unlockKeyOf(gallery),
        contributors: await listContributors(db, gallery.id),
      };
    });
  }

  /** The gallery as the API tells it to the caller of this view. */
  async function answerFor(view: GalleryView): Promise<GalleryAnswer | LockedGalleryAnswer> {
    return view.locked ? presentLocked(view.gallery) : presentGallery(view, await secretsFor(view));
  }

  async function answerForEditor(caller: Caller, galleryId: number): Promise<GalleryAnswer> {
    const view = await access.view(caller, galleryId);
    requireEditor(caller.actor, view.gallery);
    return presentGallery(view, await secretsFor(view));
  }

  return {
    ...createDeletedGalleries(deps),
    view: access.view,
    editable: access.editable,
    ownedBy: access.ownedBy,
    isLocked: access.isLocked,
    asksForPassword: access.asksForPassword,
    scopeOf: access.scopeOf,
    unlockKeyOf: access.unlockKeyOf,
    unlock: access.unlock,
    holderOf: access.holderOf,
    answerFor,

    /** Names and shown goals of these galleries, for somebody who may see their photos; the active ones, in any order. */
    async goals(galleryIds: readonly number[]): Promise<GalleryGoal[]> {
      if (galleryIds.length === 0) return [];
      return database.read({ kind: 'public' }, (db) => listGoals(db, galleryIds));
    },

    /** @throws as `editing.create`. Answers the gallery as its owner sees it. */
    async create(caller: Caller, input: NewGallery): Promise<GalleryAnswer> {
      const { galleryId } = await editing.create(caller, input);
      return answerForEditor(caller, galleryId);
    },

    /**
     * The same for a form that may be sent again: its key makes one gallery, and answers it ever after.
     * @throws as `editing.create`; forbidden when that gallery was deleted meanwhile; conflict, with the `gallery`, when the form says something else by now
     */
    async createOnce(
      caller: Caller,
      input: NewGallery,
      clientKey: string | null,
    ): Promise<{ gallery: GalleryAnswer; isNew: boolean }> {
      const { galleryId, isNew, saysTheSame } = await editing.create(caller, input, clientKey);
      const gallery = await answerForEditor(caller, galleryId);
      if (!gallery.active) throw problem('forbidden', GALLERY_IS_DELETED);
      if (!saysTheSame) throw problem('conflict', FORM_MADE_ANOTHER, { extra: { gallery } });
      return { gallery, isNew };
    },

    /** For rooms that make galleries in a transaction of theirs (bulk-imports). @throws as `editing.createWithin`. */
    createWithin: editing.createWithin,

    /** @throws as `editing.change`. */
    async change(
      caller: Caller,
      galleryId: number,
      changes: GalleryChanges,
      seen?: SeenValues,
    ): Promise<GalleryAnswer> {
      await editing.change(caller, galleryId, changes, seen);
      return answerForEditor(caller, galleryId);
    },

    /** @throws as `editing.deactivate`. */
    async deactivate(caller: Caller, galleryId: number): Promise<GalleryAnswer> {
      await editing.deactivate(caller, galleryId);
      return answerForEditor(caller, galleryId);
    },

    /** Follows what happens in a gallery until the returned function is called. @throws unauthenticated; not_found; too_many */
    async follow(
      caller: Caller,
      galleryId: number,
      page: { heard: (event: GalleryEvent) => void; ended: () => void },
    ): Promise<() => void> {
      const gallery = await access.ownedBy(caller, galleryId);
      const userId = caller.actor.kind === 'user' ? caller.actor.userId : null;
      if (userId !== null)
        await limits.take({
          bucket: `events:${userId}:${gallery.id}`,
          limit: OPEN_PAGES_A_MINUTE,
          windowSeconds: 60,
        });
      return events.follow(gallery.id, { userId, ...page });
    },

    /**
     * A link that opens the gallery without its word until the word changes, for its owner to hand on (decision 1); null
     * without a password. @throws unauthenticated; not_found
     */
    async unlockLink(caller: Caller, galleryId: number): Promise<string | null> {
      const gallery = await access.ownedBy(caller, galleryId);
      const key = access.unlockKeyOf(gallery);
      const owner = await organizations.byId(gallery.organizationId);
      if (key === null || !owner) return null;
      const host = owner.parentOrganizationId === null ? owner : await organizations.byId(owner.parentOrganizationId);
      const path = unlockLinkPath({ affiliate: owner.domainName, galleryId: gallery.id }, key);
      return siteUrl(deps.origin, (host ?? owner).domainName, path);
    },

    /** Tells the members' open pages when the transaction commits. */
    announce: events.announce,

    /** Closes the open pages of somebody who lost access, when the transaction commits. */
    closePagesOf: events.closeOf,

    /** Tells the members' open pages of a sale, at once (orders room, after its commit). */
    tellOrderPaid: (notice: { galleryIds: readonly number[]; vanityId: string }): Promise<void> =>
      events.tell(notice.galleryIds, { name: 'order.paid', data: { vanity_id: notice.vanityId } }),

    /**
     * For a transaction that adds photos: locks the gallery against others that do. @throws not_found when it is not active
     */
    async lockForPhotos(tx: Writer, galleryId: number): Promise<{ freeTier: boolean; photoCount: number }> {
      const locked = await writesSql.lockForPhotos(tx, galleryId);
      if (!locked) throw notFound();
      return locked;
    },

    /** Adds to the counters of sales in the settling transaction; negative numbers take away. After the photos' own counters. */
    recordSales: writesSql.addSales,
  };
}
