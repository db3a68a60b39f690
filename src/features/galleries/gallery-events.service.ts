/**
 * Sends events of a gallery to its members' open pages, whichever process they are connected to: a notification through the
 * database, one listener per process, a list of followers per gallery. Notifications may be missed while the database is down,
 * so pages also poll.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { GalleryEvent } from '#src/features/galleries/galleries.contract.ts';
import { notifyOnCommit } from '#src/features/galleries/gallery-writes.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { startOnce } from '#src/shared/start-once.ts';

const CHANNEL = 'gallery_events';
/** Each transaction with notices wakes the listeners of all processes, and is written to the disk. */
const GATHER_MS = 50;

/** Someone's open page: a callback for events, and one for losing access. */
type Follower = { userId: number | null; onEvent: (event: GalleryEvent) => void; ended: () => void };
type Notice = { galleryId: number; event: GalleryEvent } | { leaverId: number };
type Followers = Map<number, Set<Follower>>;
type Gathered = { payloads: Set<string>; sent: Promise<void> };

function deliver(followers: Followers, payload: string): void {
  const notice = JSON.parse(payload) as Notice;
  if ('leaverId' in notice) return endPagesOf(followers, notice.leaverId);
  for (const { onEvent } of followers.get(notice.galleryId) ?? []) onEvent(notice.event);
}

function endPagesOf(followers: Followers, userId: number): void {
  const theirs = [...followers.values()].flatMap((all) => [...all].filter((follower) => follower.userId === userId));
  for (const { ended } of theirs) ended();
}

type GalleryEventsDeps = { database: Database };

type GalleryEventsContext = ReturnType<typeof contextOf>;

function contextOf(deps: GalleryEventsDeps) {
  const followers: Followers = new Map();
  const listen = startOnce(() => deps.database.listen(CHANNEL, (payload) => deliver(followers, payload)));
  return { ...deps, followers, listen, gathering: { now: null as Gathered | null } };
}

/**
 * Someone lost access: their open pages are disconnected when the transaction commits, and reconnect to what they may still
 * see.
 */
export function closePagesOf(tx: Writer, userId: number): Promise<void> {
  return notifyOnCommit(tx, CHANNEL, JSON.stringify({ leaverId: userId } satisfies Notice));
}

/** Sent when and only when the transaction commits. */
export function announce(tx: Writer, galleryId: number, event: GalleryEvent): Promise<void> {
  return notifyOnCommit(tx, CHANNEL, JSON.stringify({ galleryId, event }));
}

/** Sent outside of any transaction, together with the other notices of this moment. Resolves when they are sent. */
export function announceNow(
  ctx: GalleryEventsContext,
  galleryIds: readonly number[],
  event: GalleryEvent,
): Promise<void> {
  const { payloads, sent } = (ctx.gathering.now ??= gather(ctx));
  for (const galleryId of galleryIds) payloads.add(JSON.stringify({ galleryId, event }));
  return sent;
}

function gather({ database, gathering }: GalleryEventsContext) {
  const payloads = new Set<string>();
  const sent = pause(GATHER_MS).then(() => {
    gathering.now = null;
    return database.notify(CHANNEL, ...payloads);
  });
  return { payloads, sent };
}

/** Calls `follower` with each event of the gallery until the returned function is called. */
export async function follow(ctx: GalleryEventsContext, galleryId: number, follower: Follower): Promise<() => void> {
  await ctx.listen();
  const all = ctx.followers.get(galleryId) ?? new Set();
  ctx.followers.set(galleryId, all.add(follower));
  return () => {
    all.delete(follower);
    if (all.size === 0 && ctx.followers.get(galleryId) === all) ctx.followers.delete(galleryId);
  };
}

export function createGalleryEvents(deps: GalleryEventsDeps) {
  return {
    announce,
    ...bind(contextOf(deps), { announceNow, follow }),
  };
}
