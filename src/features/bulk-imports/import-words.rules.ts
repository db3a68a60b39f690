/** How pages count what an import makes. */
import type { ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';

/** One, and several. */
export type Word = readonly [string, string];

export const THINGS: Record<ImportKind, Word> = { users: ['account', 'accounts'], galleries: ['gallery', 'galleries'] };

/** "1 account", "1,200 accounts". */
export const counted = (count: number, [one, several]: Word): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;
