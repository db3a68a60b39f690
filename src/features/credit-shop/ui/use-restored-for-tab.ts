import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readStored } from '#src/features/checkout/ui/use-stored-for-tab.ts';
import { readFromTab, storeInTab } from '#src/web/tab-storage.ts';

/** Of who buys credit of a seller, and for whom. It ends with the order. */
export const creditName = (sellerId: number) => `credit:${sellerId}`;

/** As `useStoredForTab`, for what the server renders with `blank`: the stored values follow when the page is loaded. */
export function useRestoredForTab<Values extends object>(name: string, blank: Values) {
  const [values, setValues] = useState(blank);
  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) storeInTab(name, JSON.stringify(values));
  }, [name, values]);
  const restore = useEffectEvent((text: string | null) => {
    isRestored.current = true;
    if (text !== null) setValues(readStored(name, blank));
  });
  useEffect(() => void Promise.resolve(readFromTab(name)).then((text) => restore(text)), [name]);
  return [values, setValues] as const;
}
