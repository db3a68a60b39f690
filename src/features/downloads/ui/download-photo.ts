/** Loads a bought photo into the browser, and saves it where the buyer wants it. */
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { useInBrowser } from '#src/ui/use-in-browser.ts';

export type Line = OrderAnswer['order_photo'][number];

/** The uploaded picture data; the order key opens exactly this photo. */
export function downloadAddress(line: Line): string {
  return `/api/v1/galleries/${line.photo.gallery_id}/gallery_photos/${line.photo.id}?download=true&orderkey=${line.order_key ?? ''}`;
}

/** Its picture without the watermark; a size follows. */
export function largePicture({ photo, order_key }: Line): string {
  return `/api/v1/galleries/${photo.gallery_id}/gallery_photos/${photo.id}?orderkey=${order_key ?? ''}`;
}

/** The answers for a photo that its key no longer opens: it was hidden, deleted or refunded. */
const GONE = [403, 404];
const WITHDRAWN = 410;
/** The store has lost its file, or does not respond. */
const UNREADABLE = 503;

/**
 * The whole file, or why there is none: a family withdrew the photo, it is no longer available for any other reason, or
 * the server cannot read it now. `onProgress` gets the progress in percent, or null while it is unknown. Throws when it
 * was cut short.
 */
export async function downloadPhoto(
  line: Line,
  onProgress: (percent: number | null) => void,
): Promise<File | 'gone' | 'withdrawn' | 'unreadable'> {
  const response = await fetch(downloadAddress(line), { credentials: 'same-origin' });
  if (response.status === WITHDRAWN) return 'withdrawn';
  if (GONE.includes(response.status)) return 'gone';
  if (response.status === UNREADABLE) return 'unreadable';
  if (!response.ok || !response.body) throw new Error(`the download answered ${response.status}`);
  const size = Number(response.headers.get('content-length')) || null;
  const parts: BlobPart[] = [];
  let received = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    received += value.byteLength;
    onProgress(size === null ? null : Math.round((received / size) * 100));
  }
  if (size !== null && received !== size) throw new Error('the download was cut short');
  const name = fileNameOf(response.headers.get('content-disposition')) ?? `${line.photo.name}.jpg`;
  return new File(parts, name, { type: 'image/jpeg' });
}

function fileNameOf(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null;
}

/** Like any download. */
export function saveFile(file: File): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Whether this browser can pass pictures to the share sheet ("Save image"). */
function mayShareFiles(): boolean {
  try {
    return navigator.canShare?.({ files: [new File([''], 'photo.jpg', { type: 'image/jpeg' })] }) ?? false;
  } catch {
    return false;
  }
}

export const useMayShareFiles = () => useInBrowser(mayShareFiles);

type Shared = 'shared' | 'closed' | 'press_again';

/** Opens the share sheet. Browsers allow that for a few seconds after a tap: if loading took longer, another tap is needed. */
export async function shareFiles(files: readonly File[]): Promise<Shared> {
  try {
    await navigator.share({ files: [...files] });
    return 'shared';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'closed';
    if (error instanceof DOMException && error.name === 'NotAllowedError') return 'press_again';
    throw error;
  }
}

/** A batch at a time, so that 200 photos are never in a phone's memory together. */
export const MOST_IN_BATCH = 20;
/** A batch of this size takes no more. */
export const FULL_AT_BYTES = 100_000_000;
/** Enough to use a phone's network fully. */
const AT_A_TIME = 3;

/**
 * The next files of a list, in its order, and what is gone before, between or after them. `take` loads one, or null if there
 * is none; `onProgress` gets how many were looked at. Without files, all are gone.
 * @throws what `take` throws, once no request is running; nothing of the batch is kept then.
 */
export async function nextBatch<Line, Taken extends { size: number }>(
  lines: readonly Line[],
  take: (line: Line) => Promise<Taken | null>,
  onProgress: (count: number) => void,
): Promise<{ files: Taken[]; gone: Line[] }> {
  const files: Taken[] = [];
  const gone: Line[] = [];
  let bytes = 0;
  for (let at = 0; at < lines.length && files.length < MOST_IN_BATCH && bytes < FULL_AT_BYTES;) {
    const next = lines.slice(at, at + Math.min(AT_A_TIME, MOST_IN_BATCH - files.length));
    let here = at;
    const taken = await Promise.allSettled(
      next.map(async (line) => {
        const file = await take(line);
        onProgress(++here);
        return { line, file };
      }),
    );
    for (const each of taken) {
      if (each.status === 'rejected') throw each.reason;
      const { line, file } = each.value;
      if (file === null) gone.push(line);
      else files.push(file);
      bytes += file?.size ?? 0;
    }
    at += next.length;
  }
  return { files, gone };
}
