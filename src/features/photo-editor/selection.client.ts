/** Selecting photos in the editor's grid, as in file managers: by click, range, all of a filter, and by keys. */
import { useCallback, useMemo, useState } from 'react';
import { toggled as toggledIn } from '#src/shared/toggled.ts';

type Selection = {
  ids: ReadonlySet<number>;
  /** Where a range starts: the photo that was selected last. */
  anchor: number | null;
};

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

export const toggled = ({ ids }: Selection, id: number): Selection => ({ ids: toggledIn(ids, id), anchor: id });

/** Also selects everything from the anchor to here; without an anchor only this one. */
export function extended(selection: Selection, order: readonly number[], id: number): Selection {
  const [from, to] = [selection.anchor === null ? -1 : order.indexOf(selection.anchor), order.indexOf(id)];
  if (from === -1 || to === -1) return toggled(selection, id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor };
}

/** Only photos that are still in the list stay selected; the same selection if that is all. */
export function keepListed(selection: Selection, order: readonly number[]): Selection {
  if (selection.ids.size === 0) return selection;
  const existing = new Set(order);
  const ids = [...selection.ids].filter((id) => existing.has(id));
  if (ids.length === selection.ids.size) return selection;
  return {
    ids: new Set(ids),
    anchor: selection.anchor !== null && existing.has(selection.anchor) ? selection.anchor : null,
  };
}

export type PhotoSelection = {
  ids: ReadonlySet<number>;
  toggle: (id: number) => void;
  /** From the last selected photo to here. */
  extend: (id: number) => void;
  /** Selects all, once the whole list is loaded. */
  all: () => void;
  isChoosingAll: boolean;
  clear: () => void;
};

export function useSelection(order: readonly number[], isComplete: boolean): PhotoSelection {
  const [chosen, setChosen] = useState(NOTHING_SELECTED);
  const [isChoosingAll, setChoosingAll] = useState(false);
  // Photos that have left the list are no longer selected.
  const selection = useMemo(() => keepListed(chosen, order), [chosen, order]);

  if (isChoosingAll && isComplete) {
    setChoosingAll(false);
    setChosen({ ids: new Set(order), anchor: order.at(-1) ?? null });
  }

  const toggle = useCallback((id: number) => setChosen((before) => toggled(before, id)), []);
  const extend = useCallback((id: number) => setChosen((before) => extended(before, order, id)), [order]);
  const all = useCallback(() => setChoosingAll(true), []);
  const clear = useCallback(() => {
    setChoosingAll(false);
    setChosen(NOTHING_SELECTED);
  }, []);
  return { ids: selection.ids, toggle, extend, all, isChoosingAll, clear };
}
