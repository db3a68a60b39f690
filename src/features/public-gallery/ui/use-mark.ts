/**
 * Likes and votes of this browser. The hearts fill at once; the server keeps the count, one per
 * visitor and photo (rule 29). What was liked is kept in local storage too (specification P§3), so
 * that hearts stay full on pages that were made for everyone.
 */
import { useSyncExternalStore } from 'react';
import { useLikes } from '#src/features/cart/cart.client.ts';
import type { LikesAnswer, VotesAnswer } from '#src/features/photos/photos.contract.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { showToast } from '#src/ui/toast.ts';
import { callApi } from '#src/web/api-client.ts';

export type Mark = 'like' | 'vote';
type Standing = { count: number; marked: boolean };

/** What this tab has learnt since its page came: `like:7` → its standing. */
let learnt: ReadonlyMap<string, Standing> = new Map();
const NOTHING_LEARNT: ReadonlyMap<string, Standing> = new Map();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function learn(key: string, standing: Standing): void {
  learnt = new Map(learnt).set(key, standing);
  for (const listener of listeners) listener();
}

/** Standing of a photo's heart or vote, and what a press does. */
export function useMark(photo: ShownPhoto, mark: Mark): Standing & { toggle: () => void } {
  const known = useSyncExternalStore(
    subscribe,
    () => learnt,
    () => NOTHING_LEARNT,
  );
  const { isLiked, setLiked } = useLikes();
  const key = `${mark}:${photo.id}`;
  const given: Standing =
    mark === 'like'
      ? { count: photo.likes, marked: photo.liked || isLiked(photo.id) }
      : { count: photo.votes, marked: photo.voted };
  const standing = known.get(key) ?? given;

  async function toggle(): Promise<void> {
    const marked = !standing.marked;
    learn(key, { marked, count: Math.max(0, standing.count + (marked ? 1 : -1)) });
    const answer = await callApi<LikesAnswer | VotesAnswer>(
      'POST',
      `/api/v1/galleries/${photo.galleryId}/gallery_photos/${photo.id}/${marked ? 'add' : 'remove'}_${mark}`,
    );
    if (!answer.ok) {
      learn(key, standing);
      showToast(answer.error, 'error');
      return;
    }
    const told = answer.data;
    learn(key, 'liked' in told ? { count: told.likes, marked: told.liked } : { count: told.votes, marked: told.voted });
    if (mark === 'like') setLiked(photo.id, marked);
  }

  return { ...standing, toggle: () => void toggle() };
}
