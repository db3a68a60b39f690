/**
 * What happens in a gallery is told to its members' open pages, whichever process they are
 * connected to: a notice through the database, one listener per process, a list of followers
 * per gallery. Notices may be missed while the database is away, so pages also look by themselves.
 */
import type { GalleryEvent } from '#src/features/galleries/galleries.contract.ts';
import { notifyOnCommit } from '#src/features/galleries/gallery-events.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';

const CHANNEL = 'gallery_events';

/** Somebody's open page: what it hears, and how it is closed when they lose their access. */
export type Follower = { userId: number | null; heard: (event: GalleryEvent) => void; ended: () => void };
type Notice = { galleryId: number; event: GalleryEvent } | { leaverId: number };
export type GalleryEvents = ReturnType<typeof createGalleryEvents>;

export function createGalleryEvents(deps: { database: Database }) {
  const { database } = deps;
  const followers = new Map<number, Set<Follower>>();
  let listening: Promise<unknown> | null = null;

  function hear(payload: string): void {
    const notice = JSON.parse(payload) as Notice;
    if ('leaverId' in notice) return closeOf(notice.leaverId);
    for (const { heard } of followers.get(notice.galleryId) ?? []) heard(notice.event);
  }

  function closeOf(userId: number): void {
    const theirs = [...followers.values()].flatMap((all) => [...all].filter((follower) => follower.userId === userId));
    for (const { ended } of theirs) ended();
  }

  return {
    /** Somebody lost access: their open pages are closed when the transaction commits, and come back to what is still theirs. */
    closeOf: (tx: Writer, userId: number): Promise<void> =>
      notifyOnCommit(tx, CHANNEL, JSON.stringify({ leaverId: userId } satisfies Notice)),

    /** Told when and only when the transaction commits. */
    announce: (tx: Writer, galleryId: number, event: GalleryEvent): Promise<void> =>
      notifyOnCommit(tx, CHANNEL, JSON.stringify({ galleryId, event })),

    /** Told at once, outside of any transaction. */
    async tell(galleryIds: readonly number[], event: GalleryEvent): Promise<void> {
      for (const galleryId of new Set(galleryIds)) await database.notify(CHANNEL, JSON.stringify({ galleryId, event }));
    },

    /** Tells `follower` each event of the gallery until the returned function is called. */
    async follow(galleryId: number, follower: Follower): Promise<() => void> {
      listening ??= database.listen(CHANNEL, hear).catch((error: unknown) => {
        listening = null;
        throw error;
      });
      await listening;
      const all = followers.get(galleryId) ?? new Set();
      followers.set(galleryId, all.add(follower));
      return () => {
        all.delete(follower);
        if (all.size === 0 && followers.get(galleryId) === all) followers.delete(galleryId);
      };
    },
  };
}
