/** What a file on this computer is, read from its bytes before anything of it travels. */
import { findJpegHead, HEAD_STARTS_AT, refusalOfHead } from '#src/features/uploads/jpeg-head.rules.ts';
import { beginsLikeHeic, beginsLikeJpeg } from '#src/features/uploads/upload-choice.rules.ts';
import { FILE_UNREADABLE } from '#src/features/uploads/upload-tray.contract.ts';
import { IMAGE_DAMAGED, ONLY_JPEG, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';

/** Tell a JPEG from an HEIC file. */
const FIRST_BYTES = 12;
/** Enough for the header of nearly every camera's file, thumbnail included. */
const PIECE_BYTES = 65_536;
/** A header is rarely spread over more than two pieces; a file of nothing but headers is not read to its end. */
const MAX_PIECES = 64;

/** Why this file cannot be a photo here, in words for its owner; null when it looks well. Reads the header only. */
export async function refusalByContent(file: File): Promise<string | null> {
  try {
    let at = HEAD_STARTS_AT;
    const first = await bytesOf(file, 0, FIRST_BYTES);
    if (!beginsLikeJpeg(first)) return beginsLikeHeic(first) ? ONLY_JPEG_NOT_HEIC : ONLY_JPEG;
    for (let piece = 0; piece < MAX_PIECES; piece++) {
      const search = findJpegHead(await bytesOf(file, at, at + PIECE_BYTES), at, file.size);
      if ('head' in search) return refusalOfHead(search.head);
      if ('damaged' in search) return IMAGE_DAMAGED;
      at = search.readOnAt;
    }
    return null;
  } catch {
    // Moved or deleted since it was chosen, or on a drive that is gone.
    return FILE_UNREADABLE;
  }
}

/**
 * The SHA-256 of a file in hex, off the main thread; null where the browser has none (pages without TLS) or the file
 * cannot be read, which is told when it is sent.
 */
export async function sha256Of(file: File): Promise<string | null> {
  // Typed as always there; it is not on addresses without TLS.
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
  if (!subtle) return null;
  try {
    const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}

async function bytesOf(file: File, from: number, to: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(from, to).arrayBuffer());
}
