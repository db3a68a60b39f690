/** The editor's list of photos, loaded from its beginning, and how news are worked into it. */
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';

export type EditorList = { photos: readonly PhotoAnswer[]; next: string | null; total: number };

/** The next portion; what moved meanwhile is not shown twice. */
export function appendPage(list: EditorList, page: EditorList): EditorList {
  const known = new Set(list.photos.map(({ id }) => id));
  return {
    photos: [...list.photos, ...page.photos.filter(({ id }) => !known.has(id))],
    next: page.next,
    total: page.total,
  };
}

/** Photos that were just added, oldest first: new ones come first, after a featured one (decision 28). */
export function withAdded(list: EditorList, added: readonly PhotoAnswer[]): EditorList {
  const known = new Set(list.photos.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id)).toReversed();
  if (fresh.length === 0) return list;
  const lead = list.photos[0]?.featured ? 1 : 0;
  return { ...list, photos: list.photos.toSpliced(lead, 0, ...fresh), total: list.total + fresh.length };
}

export function withChanged(list: EditorList, id: number, changes: Partial<PhotoAnswer>): EditorList {
  return { ...list, photos: list.photos.map((photo) => (photo.id === id ? { ...photo, ...changes } : photo)) };
}

export function without(list: EditorList, id: number): EditorList {
  const photos = list.photos.filter((photo) => photo.id !== id);
  return photos.length === list.photos.length ? list : { ...list, photos, total: Math.max(0, list.total - 1) };
}

/** Puts what was fetched anew from the beginning in the place of what was there; later photos stay. */
export function withFreshHead(list: EditorList, head: EditorList): EditorList {
  const fresh = new Set(head.photos.map(({ id }) => id));
  const last = head.photos.at(-1);
  const place = last === undefined ? -1 : list.photos.findIndex(({ id }) => id === last.id);
  if (head.next === null || place === -1) return head;
  const tail = list.photos.slice(place + 1).filter(({ id }) => !fresh.has(id));
  return { photos: [...head.photos, ...tail], next: tail.length === 0 ? head.next : list.next, total: head.total };
}
