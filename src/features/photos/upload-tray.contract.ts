/** Words of the upload tray (specification A§4, 5, 8; look: "never wonders whether it worked"). */

export const TOO_LARGE = 'This image is larger than 10 MB. Please save it smaller and choose it again.';
export const NO_FOLDERS = 'Folders cannot be uploaded. Please choose the photos inside it.';
export const EMPTY_FILE = 'This file is empty.';
export const CHOSEN_TWICE = 'You uploaded this photo a moment ago.';
export const SESSION_ENDED = 'Your session has ended. Log in again in another tab, then press Retry.';
export const STORE_REFUSED = 'The upload was refused. Please try again.';
export const STORE_UNREACHABLE = 'The connection broke off. Check your connection and try again.';
export const STORE_FULL = 'There is no room for more photos just now. Please try again later.';
export const FILE_UNREADABLE = 'This file can no longer be read. Please choose it again.';

/** Photos on their way at the same time. */
export const PARALLEL_UPLOADS = 3;
/** Tries before a photo waits for its owner's Retry. */
export const UPLOAD_TRIES = 4;
/** Specification A§9: the uploaded counter starts again this long after the last photo. */
export const COUNTER_RESET_MS = 3_000;
