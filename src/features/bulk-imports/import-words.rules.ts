/** How pages count what an import makes, and say what it will send. */
import type { ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';

/** One, and several. */
export type Word = readonly [string, string];

export const THINGS: Record<ImportKind, Word> = { users: ['account', 'accounts'], galleries: ['gallery', 'galleries'] };

/** "1 account", "1,200 accounts". */
export const counted = (count: number, [one, several]: Word): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;

/** "130 invitation emails will be sent." Null where no one is written to. */
export const invitationWords = (count: number | null): string | null =>
  count === null || count === 0
    ? null
    : `${counted(count, ['invitation email', 'invitation emails'])} will be sent to everyone without a password in the file.`;
