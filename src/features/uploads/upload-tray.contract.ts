/** Texts of the upload tray, and numbers of its queue (specification A§4, 5, 8). */
import { formatCount } from '#src/shared/counted.ts';

export const TOO_LARGE = 'This image is larger than 10 MB. Please save a smaller version and choose it again.';
export const NO_FOLDERS = 'Folders cannot be uploaded. Please choose the photos inside.';
export const EMPTY_FILE = 'This file is empty.';
export const CHOSEN_TWICE = 'You uploaded this photo a moment ago.';
export const CHOSEN_AGAIN = 'This photo was chosen twice.';
export const ALREADY_HERE = 'This photo is already in this gallery.';
export const NOT_KEPT = 'The page was closed before this photo was uploaded. Please choose it again.';
export const SESSION_ENDED = 'Your session has ended. Log in again to continue uploading.';
export const WAITING_FOR_NETWORK = 'Waiting for the network. Uploading continues automatically.';
export const KEEPS_NOTHING =
  'This browser can’t store your photos. Keep this page open until all of them are uploaded.';
export const NO_SPACE_TO_STORE =
  'This device has no space left to store your photos. Keep this page open until all of them are uploaded.';
/** The toast when the last photo is uploaded and all were added (specification A§8). */
export const UPLOAD_SUCCESSFUL = 'Upload Successful';
export const STORE_REFUSED = 'The upload was refused. Please try again.';
export const STORE_UNREACHABLE = 'The connection was lost. Check your connection and try again.';
export const STORE_FULL = 'There is no space for more photos right now. Please try again later.';
export const FILE_UNREADABLE = 'This file can no longer be read. Please choose it again.';

/** Photos that are uploaded at the same time. */
export const PARALLEL_UPLOADS = 3;
/** Tries before a photo waits for its owner's Retry. */
export const UPLOAD_TRIES = 4;
/** While the server is unreachable one photo tries again, with pauses that grow to this many seconds. */
export const LONGEST_WAIT_SECONDS = 15;
/** Uploads that no one returned to are dropped from the browser after this many days. */
export const KEPT_DAYS = 7;
/** Specification A§9: the uploaded counter starts again this long after the last photo. */
export const COUNTER_RESET_MS = 3_000;

/** For photos that were skipped because they are in the gallery or were chosen twice. */
export function knownOffer(count: number): string {
  return count === 1
    ? '1 of these is already in this gallery, and was skipped.'
    : `${formatCount(count)} of these are already in this gallery, and were skipped.`;
}

/** What the free plan still accepts, shown before anything is chosen. */
export function photosLeftWords(photosLeft: number, of: number): string {
  return `Space for ${photosLeft} of ${of} photos.`;
}

/** Specification A§5: dropped files that are not images are ignored; this says so. */
export function leftOut(count: number): string {
  return count === 1
    ? '1 file was skipped because it is not an image.'
    : `${count} files were skipped because they are not images.`;
}
