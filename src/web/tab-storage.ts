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
