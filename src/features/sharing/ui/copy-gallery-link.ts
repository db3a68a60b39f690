import { CAN_NOT_COPY, URL_COPIED } from '#src/features/sharing/owner-pages.contract.ts';
import { showToast } from '#src/ui/toast.ts';

/** Copies the full address of a page of this site to the clipboard, and shows whether it worked. */
export async function copyGalleryLink(path: string): Promise<void> {
  await copyText(new URL(path, window.location.href).href);
}

/** Copies text to the clipboard, and shows whether it worked; `done` is the message for text that is not a link. */
export async function copyText(text: string, done: string = URL_COPIED): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(done, 'success');
  } catch {
    showToast(CAN_NOT_COPY, 'error');
  }
}
