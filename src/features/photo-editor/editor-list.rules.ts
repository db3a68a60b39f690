/** The editor's list of photos, loaded from its beginning, and how news are worked into it. Places are places in its filter. */
import { PHOTO_SHOWS, type PhotoShow, type ShowCounts } from '#src/features/photos/photo-grid.contract.ts';

/** What drawing the grid needs of a photo; the rest is fetched when it comes in sight. */
export type Cell = {
  id: number;
  /** Width / height; null while no one knows. */
  ratio: number | null;
  shown: boolean;
  featured: boolean;
  failed: boolean;
};
/** `total` is the server's count, also while not all cells are there; `next` leads to the rest. */
export type EditorList = { cells: readonly Cell[]; next: string | null; total: number };

export const EMPTY_LIST: EditorList = { cells: [], next: null, total: 0 };

/** Of keywords nothing is known here: a photo that has just come has none, and one that gets some stays until the list is asked anew. */
export function passes(show: PhotoShow, { shown, failed }: Pick<Cell, 'shown' | 'failed'>): boolean {
  if (show === 'default') return true;
  if (show === 'failed') return failed;
  if (show === 'withoutKeywords') return !failed;
  return (shown && !failed) === (show === 'onlyShowInGallery');
}

/** The next portion; what moved meanwhile is not shown twice. */
export function appendPage(list: EditorList, page: EditorList): EditorList {
  const fresh = new Set(page.cells.map(({ id }) => id));
  for (const { id } of list.cells) fresh.delete(id);
  const cells = [...list.cells, ...page.cells.filter(({ id }) => fresh.has(id))];
  return { cells, next: page.next, total: page.next === null ? cells.length : Math.max(list.total, cells.length) };
}

/** Photos that were just added, oldest first: new ones come first, after a featured one (rule 28). */
export function withAdded(list: EditorList, added: readonly Cell[]): EditorList {
  const known = new Set(list.cells.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id)).toReversed();
  if (fresh.length === 0) return list;
  const lead = list.cells[0]?.featured ? 1 : 0;
  return { ...list, cells: list.cells.toSpliced(lead, 0, ...fresh), total: list.total + fresh.length };
}

/** Changes one cell; the same list when nothing about it is new. */
export function withChanged(list: EditorList, id: number, changes: Partial<Omit<Cell, 'id'>>): EditorList {
  const index = list.cells.findIndex((cell) => cell.id === id);
  const cell = list.cells[index];
  if (!cell) return list;
  const changed = { ...cell, ...changes };
  if ((Object.keys(cell) as (keyof Cell)[]).every((key) => changed[key] === cell[key])) return list;
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

/** As the server moves it: behind another photo. The same list when there is nothing to do. */
export function withMoved(list: EditorList, id: number, afterId: number): EditorList {
  const cell = list.cells.find((one) => one.id === id);
  if (!cell || id === afterId) return list;
  const rest = list.cells.filter((one) => one.id !== id);
  const after = rest.findIndex((one) => one.id === afterId);
  if (after === -1) return list;
  return { ...list, cells: rest.toSpliced(after + 1, 0, cell) };
}

/** Puts what was fetched anew from the beginning in the place of what was there; later photos stay. */
export function withFreshHead(list: EditorList, head: EditorList): EditorList {
  const fresh = new Set(head.cells.map(({ id }) => id));
  const last = head.cells.at(-1);
  const place = last === undefined ? -1 : list.cells.findIndex(({ id }) => id === last.id);
  if (head.next === null || place === -1) return head;
  const tail = list.cells.slice(place + 1).filter(({ id }) => !fresh.has(id));
  return { cells: [...head.cells, ...tail], next: tail.length === 0 ? head.next : list.next, total: head.total };
}

/** The counts after these photos came (`step` 1) or went (-1). Which of them have keywords is only asked of the server. */
export function withCounted(counts: ShowCounts, cells: readonly Pick<Cell, 'shown' | 'failed'>[], step: 1 | -1) {
  const next = { ...counts };
  for (const show of PHOTO_SHOWS) {
    if (show === 'withoutKeywords') continue;
    next[show] = Math.max(0, counts[show] + step * cells.filter((cell) => passes(show, cell)).length);
  }
  return next;
}
