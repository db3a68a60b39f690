/** The changes of one entry, how to undo them, and the next photo. Each step stores only what it really changed. */
import { isDone, keyOfTag, type DeskPhoto, type DeskTag } from '#src/features/tagging-desk/desk-model.rules.ts';
import { CHANGE_PHOTOS, CHANGE_TAGS } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import type { Bursts } from '#src/features/tagging-desk/bursts.rules.ts';

/** Only what differs from before, so that the reverse restores it. */
export type PhotoChange = {
  photoId: number;
  add: readonly DeskTag[];
  remove: readonly DeskTag[];
  /** The new values, if they change. */
  isChecked?: boolean;
  isShown?: boolean;
};

/** @param at the photo that was current: undo returns to it */
export type Step = { at: number; changes: readonly PhotoChange[] };

/** Adds tags. A photo with tags is no longer marked "no one to name". Photos that already have all of them are left out. */
export function addTags(photos: readonly DeskPhoto[], tags: readonly DeskTag[]): PhotoChange[] {
  return photos.flatMap((photo) => {
    const has = new Set(photo.tags.map(keyOfTag));
    const add = tags.filter((tag) => !has.has(keyOfTag(tag)));
    if (add.length === 0) return [];
    return [{ photoId: photo.id, add, remove: [], ...(photo.isChecked ? { isChecked: false } : {}) }];
  });
}

export function removeTag(photo: DeskPhoto, tag: DeskTag): PhotoChange[] {
  const remove = photo.tags.filter((one) => keyOfTag(one) === keyOfTag(tag));
  return remove.length === 0 ? [] : [{ photoId: photo.id, add: [], remove }];
}

/** No one to name here: removes tags, if there are any. */
export function nobodyHere(photo: DeskPhoto): PhotoChange[] {
  if (photo.isChecked && photo.tags.length === 0) return [];
  return [{ photoId: photo.id, add: [], remove: photo.tags, ...(photo.isChecked ? {} : { isChecked: true }) }];
}

/** Copies the previous photo's tags; null when it has none. */
export function sameAsBefore(photo: DeskPhoto, before: DeskPhoto): PhotoChange[] | null {
  if (before.tags.length > 0) return addTags([photo], before.tags);
  return before.isChecked ? nobodyHere(photo) : null;
}

export function hidePhoto(photo: DeskPhoto): PhotoChange[] {
  return photo.isShown ? [{ photoId: photo.id, add: [], remove: [], isShown: false }] : [];
}

/** The reverse of changes. */
export function reversed(changes: readonly PhotoChange[]): PhotoChange[] {
  return changes.map(({ photoId, add, remove, isChecked, isShown }) => ({
    photoId,
    add: remove,
    remove: add,
    ...(isChecked === undefined ? {} : { isChecked: !isChecked }),
    ...(isShown === undefined ? {} : { isShown: !isShown }),
  }));
}

/** The photos after the changes; unchanged ones are the same objects. */
export function changed(photos: readonly DeskPhoto[], changes: readonly PhotoChange[]): readonly DeskPhoto[] {
  const byPhoto = new Map(changes.map((change) => [change.photoId, change]));
  return photos.map((photo) => {
    const change = byPhoto.get(photo.id);
    if (!change) return photo;
    const gone = new Set(change.remove.map(keyOfTag));
    return {
      ...photo,
      tags: [...photo.tags.filter((tag) => !gone.has(keyOfTag(tag))), ...change.add],
      isChecked: change.isChecked ?? photo.isChecked,
      isShown: change.isShown ?? photo.isShown,
    };
  });
}

/** The photos as the server has them now. @param mine photos that this person changed: they keep their tags */
export function refreshed(
  photos: readonly DeskPhoto[],
  fresh: ReadonlyMap<number, DeskPhoto>,
  mine: ReadonlySet<number>,
): readonly DeskPhoto[] {
  return photos.map((photo) => {
    const current = fresh.get(photo.id);
    if (!current || !mine.has(photo.id)) return current ?? photo;
    return { ...photo, isTaken: current.isTaken, isWithheld: current.isWithheld };
  });
}

/** Photos that a batch hid because of a consent, that wait again, and that are shown now. */
export type SeenPhotos = { hidden: readonly number[]; held: readonly number[]; shown: readonly number[] };

/** The photos as visitors see them after a batch; unchanged ones are the same objects. */
export function seenAfter(photos: readonly DeskPhoto[], { hidden, held, shown }: SeenPhotos): readonly DeskPhoto[] {
  const [withheld, free] = [new Set([...hidden, ...held]), new Set(shown)];
  return photos.map((photo) => {
    const isWithheld = withheld.has(photo.id) || (photo.isWithheld && !free.has(photo.id));
    return isWithheld === photo.isWithheld ? photo : { ...photo, isWithheld };
  });
}

/** How many photos the changes finished, less those that they reopened. */
export function doneBy(photos: readonly DeskPhoto[], changes: readonly PhotoChange[]): number {
  const ids = new Set(changes.map(({ photoId }) => photoId));
  const touched = photos.filter(({ id }) => ids.has(id));
  const count = (some: readonly DeskPhoto[]) => some.filter(isDone).length;
  return count(changed(touched, changes)) - count(touched);
}

/** The photos of the burst that may be tagged together with this one; only itself without a burst. */
export function burstOf(photos: readonly DeskPhoto[], bursts: Bursts, photo: DeskPhoto): readonly DeskPhoto[] {
  const ids = new Set(bursts.get(photo.id) ?? []);
  return photos.filter((one) => one.id === photo.id || (ids.has(one.id) && !one.isTaken));
}

/** The index after a photo, or after all of `done`, skipping another person's run. Stays at the last photo. */
export function placeAfter(photos: readonly DeskPhoto[], place: number, done: ReadonlySet<number> = new Set()): number {
  const next = photos.findIndex((photo, at) => at > place && !photo.isTaken && !done.has(photo.id));
  return next === -1 ? place : next;
}

export function placeBefore(photos: readonly DeskPhoto[], place: number): number {
  const before = photos.findLastIndex((photo, at) => at < place && !photo.isTaken);
  return before === -1 ? place : before;
}

/** The index of the first untagged photo; -1 when there is none. */
export function firstOpen(photos: readonly DeskPhoto[]): number {
  return photos.findIndex((photo) => !photo.isTaken && !isDone(photo));
}

type WireTag = { athlete_id: number } | { team_id: number; number: string };
export type How = 'hand' | 'burst';
export type WireChange = { photo_ids: number[]; add: WireTag[]; remove: WireTag[]; checked?: boolean; how: How };

const wireTag = (tag: DeskTag): WireTag =>
  tag.athleteId === null ? { team_id: tag.teamId, number: tag.number } : { athlete_id: tag.athleteId };

/** Converts changes for the API: photos with the same change together, within its limits. */
export function wireChanges(changes: readonly PhotoChange[], how: How = 'hand'): WireChange[] {
  const groups = new Map<string, WireChange[]>();
  for (const { photoId, add, remove, isChecked } of changes) {
    const checked = isChecked === undefined ? {} : { checked: isChecked };
    for (const part of tagParts(add.map(wireTag), remove.map(wireTag), isChecked !== undefined)) {
      const key = JSON.stringify([part, checked]);
      const group = groups.get(key) ?? [];
      const last = group.at(-1);
      if (last && last.photo_ids.length < CHANGE_PHOTOS) last.photo_ids.push(photoId);
      else group.push({ photo_ids: [photoId], ...part, ...checked, how });
      groups.set(key, group);
    }
  }
  return [...groups.values()].flat();
}

/** A change has a limit of tags. */
function tagParts(add: WireTag[], remove: WireTag[], isAlsoEmpty: boolean): Pick<WireChange, 'add' | 'remove'>[] {
  const parts: Pick<WireChange, 'add' | 'remove'>[] = [];
  for (let start = 0; start < Math.max(add.length, remove.length, isAlsoEmpty ? 1 : 0); start += CHANGE_TAGS)
    parts.push({ add: add.slice(start, start + CHANGE_TAGS), remove: remove.slice(start, start + CHANGE_TAGS) });
  return parts;
}
