/** An invite's key on this device: out of the address bar, and there again when the page is loaded anew (decision 8). */

const nameOf = (galleryId: number) => `sideline:invite:${galleryId}`;

/** For this tab only. Where storage is blocked the page works until it is closed. */
export function rememberInvite(galleryId: number, key: string): void {
  try {
    window.sessionStorage.setItem(nameOf(galleryId), key);
  } catch {
    // Blocked or full: nothing is lost but the reload.
  }
}

export function recallInvite(galleryId: number): string | null {
  try {
    return window.sessionStorage.getItem(nameOf(galleryId));
  } catch {
    return null;
  }
}
