import { CAN_NOT_COPY, URL_COPIED } from '#src/features/sharing/owner-pages.contract.ts';
import { showToast } from '#src/ui/toast.ts';

/** Copies the full address of a page of this site to the clipboard, and shows whether it worked. */
export async function copyGalleryLink(path: string): Promise<void> {
  await copyText(new URL(path, window.location.href).href);
}

/** Copies a link, code with one, or (with its own message) anything else to the clipboard, and shows whether it worked. */
export async function copyText(text: string, done: string = URL_COPIED): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(done, 'success');
  } catch {
    showToast(CAN_NOT_COPY, 'error');
  }
}
