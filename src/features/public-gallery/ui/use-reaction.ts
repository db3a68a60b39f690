/**
 * Likes and votes of this browser. The hearts fill immediately; the server stores the count, one per visitor and photo (rule
 * 29). Likes are also in local storage (specification P§3), so that hearts stay full on pages that are cached for everyone.
 */
import { useSyncExternalStore } from 'react';
import { useLikes } from '#src/features/cart/cart.client.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { createListeners } from '#src/shared/listeners.ts';

export type Reaction = 'like' | 'vote';
type ReactionState = { count: number; isOn: boolean };

/** Changes in this tab since the page was loaded: `like:7` → its state. */
let states: ReadonlyMap<string, ReactionState> = new Map();
const NO_STATES: ReadonlyMap<string, ReactionState> = new Map();
const listeners = createListeners();

function setState(key: string, state: ReactionState): void {
  states = new Map(states).set(key, state);
  listeners.emit();
}

/** State of a photo’s heart or vote, and a function that toggles it. */
export function useReaction(photo: ShownPhoto, reaction: Reaction): ReactionState & { toggle: () => void } {
  const known = useSyncExternalStore(
    listeners.watch,
    () => states,
    () => NO_STATES,
  );
  const { isLiked, setLiked } = useLikes();
  const key = `${reaction}:${photo.id}`;
  const given: ReactionState =
    reaction === 'like'
      ? { count: photo.likes, isOn: photo.liked || isLiked(photo.id) }
      : { count: photo.votes, isOn: photo.voted };
  const state = known.get(key) ?? given;

  async function toggle(): Promise<void> {
    const isOn = !state.isOn;
    setState(key, { isOn, count: Math.max(0, state.count + (isOn ? 1 : -1)) });
    const answer = await api(
      `POST /api/v1/galleries/{id}/gallery_photos/{photoId}/${isOn ? 'add' : 'remove'}_${reaction}`,
      { params: { id: photo.galleryId, photoId: photo.id } },
    );
    if (!answer.ok) {
      setState(key, state);
      showToast(answer.error, 'error');
      return;
    }
    const counts = answer.data;
    setState(
      key,
      'liked' in counts ? { count: counts.likes, isOn: counts.liked } : { count: counts.votes, isOn: counts.voted },
    );
    if (reaction === 'like') setLiked(photo.id, isOn);
  }

  return { ...state, toggle: () => void toggle() };
}
