/**
 * What one tab of a browser keeps across reloads. If storage is blocked or full nothing is kept, and every page still
 * works.
 */

export function readFromTab(name: string): string | null {
  try {
    return window.sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function storeInTab(name: string, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(name);
    else window.sessionStorage.setItem(name, text);
  } catch {
    // Blocked or full: only reloads lose something.
  }
}

/** The prefix of every draft's name. */
const DRAFTS = 'sideline-bulk-';

/** At logout: what was typed about other people must not be seen by the next user of this device. */
export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(window.sessionStorage))
      if (name.startsWith(DRAFTS)) window.sessionStorage.removeItem(name);
  } catch {
    // Blocked: nothing was stored.
  }
}
