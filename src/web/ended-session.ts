/**
 * What a page with a viewer does when the session has ended: `accounts/ui/session-keeper.tsx`, which pages of visitors do
 * not load.
 */

export type SessionKeeper = {
  /** Lets the viewer log in again, if that is why a call was refused. True: the call may be sent again. */
  logInAfter: (refused: { status: number; error: string }, call: { inBackground?: true }) => Promise<boolean>;
  /** Another window has logged in or out. True: this page stays as it is. */
  keepsPage: () => boolean;
  /** Without a session, until there is one again: for what asks the server again and again. */
  pause?: Promise<void> | undefined;
};

/** Empty on pages of visitors. */
export const session: { keeper?: SessionKeeper | undefined } = {};
