/** Codes that a buyer has typed for an order at one seller, for this tab. */
import { storeInTab, readFromTab } from '#src/web/tab-storage.ts';

const keyOf = (sellerId: number) => `cartCodes:${sellerId}`;

export function readCodes(sellerId: number): readonly string[] {
  const text = readFromTab(keyOf(sellerId));
  return text === null || text === '' ? [] : text.split('\n');
}

/** An empty list removes them. */
export function storeCodes(sellerId: number, codes: readonly string[]): void {
  storeInTab(keyOf(sellerId), codes.length === 0 ? null : codes.join('\n'));
}
