import { showToast } from '#src/ui/toast.ts';

/** Copies the full address of a page of this site to the clipboard, and shows whether it worked. */
export async function copyGalleryLink(path: string): Promise<void> {
  await copyText(new URL(path, window.location.href).href);
}

/** Copies text to the clipboard, and shows whether it worked (specification A§8); `done` is the message for text that is not a link. */
export async function copyText(text: string, done = 'URL Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(done, 'success');
  } catch {
    showToast('Can not copy', 'error');
  }
}
