import { useEffect, useState } from 'react';
import { readFromTab, storeInTab } from '#src/web/tab-storage.ts';

/** The names of the donation to a seller, and of the buyer's name, email and zip. Both end with the order. */
export const donationName = (sellerId: number) => `donation:${sellerId}`;
export const BUYER_NAME = 'buyer';

/**
 * Values that are kept for this tab, so that a reload, or one more photo from the gallery, empties no form. Only for what
 * the server never renders.
 */
export function useStoredForTab<Values extends object>(name: string, blank: Values) {
  const [values, setValues] = useState(() => readStored(name, blank));
  useEffect(() => storeInTab(name, JSON.stringify(values)), [name, values]);
  return [values, setValues] as const;
}

/** The stored values; `blank` for those that are missing, also in what an older version stored. */
export function readStored<Values extends object>(name: string, blank: Values): Values {
  try {
    return { ...blank, ...(JSON.parse(readFromTab(name) ?? '{}') as Partial<Values>) };
  } catch {
    return blank;
  }
}
