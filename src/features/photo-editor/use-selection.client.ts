/** Choosing photos in the editor's grid: by press, range, all of a filter, and by keys. */
import { useCallback, useMemo, useState } from 'react';
import { extended, NOTHING_SELECTED, stillThere, toggled } from '#src/features/photo-editor/selection.rules.ts';

export type PhotoSelection = {
  ids: ReadonlySet<number>;
  toggle: (id: number) => void;
  /** From what was chosen last to here. */
  extend: (id: number) => void;
  /** As soon as the whole order is known. */
  all: () => void;
  isChoosingAll: boolean;
  clear: () => void;
};

export function useSelection(order: readonly number[], isComplete: boolean): PhotoSelection {
  const [chosen, setChosen] = useState(NOTHING_SELECTED);
  const [isChoosingAll, setChoosingAll] = useState(false);
  // What has left the list cannot be meant any more.
  const selection = useMemo(() => stillThere(chosen, order), [chosen, order]);

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
