/**
 * What a page with a viewer does when the session has ended: `accounts/ui/session-keeper.tsx`, which pages of visitors do
 * not load.
 */

export type SessionKeeper = {
  /** Of each call: for whom the page was loaded. */
  headers: Record<string, string>;
  /** Lets the viewer log in again, if that is why a call was refused. Returns the call to send again, or null. */
  logInAfter: <Call extends { inBackground?: true; signal?: AbortSignal }>(
    refused: { status: number; error: string },
    call: Call,
  ) => Promise<Call | null>;
  /** Another window has logged in or out. True: this page stays as it is. */
  keepsPage: () => boolean;
  /** Without a session, until there is one again: for what asks the server again and again. */
  pause?: Promise<void> | undefined;
};

/** Empty on pages of visitors. */
export const session: { keeper?: SessionKeeper | undefined } = {};
