/** The editor's list of photos that pass its filter, loaded from its start, and how changes are merged into it. */
import type { Cell } from '#src/features/photo-wall/grid-rows.rules.ts';
import { PHOTO_SHOWS, type PhotoShow, type ShowCounts } from '#src/features/photos/photo-grid.contract.ts';

/** What is known of every photo in the list; the rest is loaded when it comes into view. */
export type ListedPhoto = Cell & {
  shown: boolean;
  featured: boolean;
  failed: boolean;
};
/** `total` is the server's count, also while not all cells are loaded; `next` continues the list. */
export type EditorList = { cells: readonly ListedPhoto[]; next: string | null; total: number };

export const EMPTY_LIST: EditorList = { cells: [], next: null, total: 0 };

/** Whether the filter shows the photo. Without keywords here: a new one has none, others stay until the next reload. */
export function passes(show: PhotoShow, { shown, failed }: Pick<ListedPhoto, 'shown' | 'failed'>): boolean {
  if (show === 'default') return true;
  if (show === 'failed') return failed;
  if (show === 'withoutKeywords') return !failed;
  return (shown && !failed) === (show === 'onlyShowInGallery');
}

/** Adds the next page; photos that moved meanwhile are not shown twice. */
export function appendPage(list: EditorList, page: EditorList): EditorList {
  const fresh = new Set(page.cells.map(({ id }) => id));
  for (const { id } of list.cells) fresh.delete(id);
  const cells = [...list.cells, ...page.cells.filter(({ id }) => fresh.has(id))];
  return { cells, next: page.next, total: page.next === null ? cells.length : Math.max(list.total, cells.length) };
}

/** Adds new photos, oldest first: new ones come first, after a featured one (rule 28). */
export function withAdded(list: EditorList, added: readonly ListedPhoto[]): EditorList {
  const known = new Set(list.cells.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id)).toReversed();
  if (fresh.length === 0) return list;
  const lead = list.cells[0]?.featured ? 1 : 0;
  return { ...list, cells: list.cells.toSpliced(lead, 0, ...fresh), total: list.total + fresh.length };
}

/** Changes one cell; the same list if nothing changes. */
export function withChanged(list: EditorList, id: number, changes: Partial<Omit<ListedPhoto, 'id'>>): EditorList {
  const index = list.cells.findIndex((cell) => cell.id === id);
  const cell = list.cells[index];
  if (!cell) return list;
  const changed = { ...cell, ...changes };
  if ((Object.keys(cell) as (keyof ListedPhoto)[]).every((key) => changed[key] === cell[key])) return list;
  return { ...list, cells: list.cells.with(index, changed) };
}

/** Shows or hides these; a hidden photo stops being the featured one. */
export function withShown(list: EditorList, ids: ReadonlySet<number>, shown: boolean): EditorList {
  const cells = list.cells.map((cell) =>
    ids.has(cell.id) ? { ...cell, shown, featured: shown && cell.featured } : cell,
  );
  return { ...list, cells };
}

export function without(list: EditorList, ids: ReadonlySet<number>): EditorList {
  const cells = list.cells.filter((cell) => !ids.has(cell.id));
  const gone = list.cells.length - cells.length;
  return gone === 0 ? list : { ...list, cells, total: Math.max(0, list.total - gone) };
}

/** Moves a photo after another one, as the server does. The same list if there is nothing to do. */
export function withMoved(list: EditorList, id: number, afterId: number): EditorList {
  const cell = list.cells.find((one) => one.id === id);
  if (!cell || id === afterId) return list;
  const rest = list.cells.filter((one) => one.id !== id);
  const after = rest.findIndex((one) => one.id === afterId);
  if (after === -1) return list;
  return { ...list, cells: rest.toSpliced(after + 1, 0, cell) };
}

/** Replaces the start of the list with what was loaded again; later photos stay. */
export function withFreshHead(list: EditorList, head: EditorList): EditorList {
  const fresh = new Set(head.cells.map(({ id }) => id));
  const last = head.cells.at(-1);
  const place = last === undefined ? -1 : list.cells.findIndex(({ id }) => id === last.id);
  if (head.next === null || place === -1) return head;
  const tail = list.cells.slice(place + 1).filter(({ id }) => !fresh.has(id));
  return { cells: [...head.cells, ...tail], next: tail.length === 0 ? head.next : list.next, total: head.total };
}

/** The counts after these photos were added (`step` 1) or removed (-1). Counts by keyword come from the server. */
export function withCounted(counts: ShowCounts, cells: readonly Pick<ListedPhoto, 'shown' | 'failed'>[], step: 1 | -1) {
  const next = { ...counts };
  for (const show of PHOTO_SHOWS) {
    if (show === 'withoutKeywords') continue;
    next[show] = Math.max(0, counts[show] + step * cells.filter((cell) => passes(show, cell)).length);
  }
  return next;
}
