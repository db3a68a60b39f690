/** What one tab of a browser keeps over a reload. Where that is blocked or full nothing is kept, and every page works as well. */

export function readFromTab(name: string): string | null {
  try {
    return window.sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Null takes it away. */
export function keepInTab(name: string, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(name);
    else window.sessionStorage.setItem(name, text);
  } catch {
    // Blocked or full: nothing is lost but the reload.
  }
}

/** What every draft's name begins with. */
const DRAFTS = 'sideline-bulk-';

/** At logout: what was typed of other people is no one else's who uses this device. */
export function forgetDrafts(): void {
  try {
    for (const name of Object.keys(window.sessionStorage))
      if (name.startsWith(DRAFTS)) window.sessionStorage.removeItem(name);
  } catch {
    // Blocked: nothing was kept.
  }
}
