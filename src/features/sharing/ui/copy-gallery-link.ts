import { CAN_NOT_COPY, URL_COPIED } from '#src/features/sharing/owner-pages.contract.ts';
import { showToast } from '#src/ui/toast.ts';

/** Puts the whole address of a page of this site on the clipboard, and says whether it worked. */
export async function copyGalleryLink(path: string): Promise<void> {
  await copyText(new URL(path, window.location.href).href);
}

/** Puts a link, or code with one, on the clipboard, and says whether it worked. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(URL_COPIED, 'success');
  } catch {
    showToast(CAN_NOT_COPY, 'error');
  }
}
