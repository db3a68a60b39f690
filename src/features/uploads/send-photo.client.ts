/** Sends one photo from this computer into a gallery: signed form, storage, claim (docs/api.md, "Upload a photo"). */
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { HEAD_BYTES, refusalOfHead } from '#src/features/uploads/jpeg-head.rules.ts';
import { beginsLikeHeic, uploadNameOf } from '#src/features/uploads/upload-files.rules.ts';
import * as words from '#src/features/uploads/upload-tray.contract.ts';
import { looksLikeJpeg } from '#src/shared/jpeg-header.ts';
import type { PolicyAnswer } from '#src/shared/upload-policy.ts';
import {
  ONLY_JPEG,
  ONLY_JPEG_NOT_HEIC,
  UPLOAD_NOT_STORED,
  UPLOAD_UNKNOWN,
} from '#src/features/uploads/uploads.contract.ts';
import { api, type InputOf, type Refused } from '#src/web/api-client.ts';

export type Sending = {
  /** Null when it was lost with a closed page: a stored object can still be claimed. */
  file: File | null;
  name: string;
  affiliateId: number;
  galleryId: number;
  batch: string;
  /** Its object in the storage, if an earlier try may have stored it completely. */
  key: string | null;
};

export type Refusal = {
  delivered: false;
  problem: string;
  /** Worth another automatic try after this many seconds; null: the owner decides. */
  retryAfterSeconds: number | null;
  /** The file itself is invalid: no try will help. */
  final: boolean;
  /** Every other photo of this gallery would be refused, too. */
  concernsAll: boolean;
  /** Nothing continues until the network, or the session, is back; then it continues automatically. */
  hold?: 'network' | 'session';
};

export type Delivery = { delivered: true; photo: PhotoAnswer | null } | Refusal;

export type Progress = {
  signal: AbortSignal;
  /** Bytes of the file that have left this computer. */
  onSent: (bytes: number) => void;
  /**
   * The object that the file is being stored as, before its first byte is sent; null when it is certainly not stored
   * completely.
   */
  onKey: (key: string | null) => Promise<void>;
  /** The storage has it; from here on it cannot be canceled. */
  onStored: () => void;
};

/** The form to request: for a member their gallery's, for a contributor their key's (rule 4). */
type PolicyInput = InputOf<'POST /api/v1/policy'>;
type UploadRequest = { query: NonNullable<PolicyInput['query']>; body: Omit<PolicyInput['body'], 'filename'> };

/** An uploaded file waits in the storage under its key until it is claimed. */
type Stored = { storedKey: string };

/** Refusals are results; it throws only if `signal` was aborted before the storage had the file. */
export async function sendPhoto(sending: Sending, progress: Progress): Promise<Delivery> {
  // An earlier try may have stored it before its response or this page was lost: it is claimed, and not sent again.
  if (sending.key !== null) {
    progress.onStored();
    const claimed = await claim(sending, sending.key);
    if (claimed !== 'not stored') return claimed;
    await progress.onKey(null);
  }
  if (sending.file === null) return final(words.NOT_KEPT);
  const sent = await storeFile(
    sending.file,
    {
      query: { timestamp: Date.now(), gallery_id: sending.galleryId },
      body: { affiliate_id: sending.affiliateId },
    },
    progress,
  );
  if (!('storedKey' in sent)) return sent;
  const claimed = await claim(sending, sent.storedKey);
  return claimed === 'not stored' ? again(words.STORE_REFUSED, 1) : claimed;
}

/** Signed form, then storage. Like `sendPhoto`, without the claim. */
export async function storeFile(file: File, request: UploadRequest, progress: Progress): Promise<Stored | Refusal> {
  const unreadable = await refusalByContent(file);
  if (unreadable) return final(unreadable);
  const signed = await api('POST /api/v1/policy', {
    query: request.query,
    body: { ...request.body, filename: uploadNameOf(file.name) },
    signal: progress.signal,
    inBackground: true,
  });
  if (!signed.ok) return refusedCall(signed);
  // Stored before the first byte is sent: whatever happens from here on, nothing is sent twice.
  await progress.onKey(signed.data.key);
  const refused = await postForm(signed.data, file, progress);
  if (refused) return refused;
  progress.onStored();
  return { storedKey: signed.data.key };
}

/**
 * Sends the form as it was signed, in its order, the file last. With XMLHttpRequest, because `fetch` reports no upload
 * progress. If all bytes were sent before the connection broke, the storage may have it, and its key is kept.
 */
function postForm(policy: PolicyAnswer, file: File, { signal, onSent, onKey }: Progress): Promise<Refusal | null> {
  const { error: _error, url, ...fields } = policy;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    let hasLeft = false;
    const forgetUnlessWhole = async () => {
      if (!hasLeft) await onKey(null);
    };
    const breakOff = () => void forgetUnlessWhole().then(() => resolve(unreachable(words.STORE_UNREACHABLE, null)));
    signal.addEventListener('abort', abort, { once: true });
    request.upload.addEventListener('progress', (event) => {
      hasLeft = event.loaded === event.total;
      onSent(event.total === 0 ? 0 : Math.round((event.loaded / event.total) * file.size));
    });
    request.addEventListener('load', () => resolve(request.status === 201 ? null : refusedForm(request)));
    request.addEventListener('error', breakOff);
    request.addEventListener('timeout', breakOff);
    request.addEventListener('abort', () => {
      void forgetUnlessWhole().then(() => reject(new DOMException('Aborted', 'AbortError')));
    });
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.timeout = UPLOAD_TIMEOUT_MS;
    request.open('POST', url);
    request.send(form);
    if (signal.aborted) request.abort();
  });
}

/** 10 MB at 200 kbit/s take seven minutes; the form itself is valid for ten. */
const UPLOAD_TIMEOUT_MS = 540_000;

/** The storage returns S3's XML for programs; people get our own messages. */
function refusedForm(request: XMLHttpRequest): Refusal {
  const code = /<Code>([A-Za-z]+)<\/Code>/.exec(request.responseText)?.[1] ?? '';
  if (code === 'EntityTooLarge') return final(words.TOO_LARGE);
  if (code === 'InsufficientStorage' || request.status === 507) return refusal(words.STORE_FULL, { concernsAll: true });
  const seconds = Number(request.getResponseHeader('retry-after') ?? Number.NaN);
  const named = Number.isFinite(seconds) ? Math.max(1, seconds) : null;
  if (isUnreachable(request.status)) return unreachable(words.STORE_UNREACHABLE, named);
  if (request.status === 429 || request.status >= 500) return again(words.STORE_REFUSED, named ?? 3);
  // An expired form (AccessDenied) is signed again at the next try.
  return again(words.STORE_REFUSED, 1);
}

const CONFLICT = 409;
/** After a longer wait the owner decides. */
const LONGEST_NAMED_WAIT_SECONDS = 120;

/**
 * The object is stored, so only the claim is tried again. No one else knows the key: "added already" means that an earlier
 * claim worked and its response was lost.
 */
async function claim({ galleryId, name, batch }: Sending, key: string): Promise<Delivery | 'not stored'> {
  const claimed = await api('POST /api/v1/galleries/{id}/gallery_photos', {
    params: { id: galleryId },
    body: { photo: { key, name, batch } },
    inBackground: true,
  });
  if (claimed.ok) return { delivered: true, photo: claimed.data };
  if (claimed.status === CONFLICT) return { delivered: true, photo: null };
  if (claimed.error === UPLOAD_NOT_STORED || claimed.error === UPLOAD_UNKNOWN) return 'not stored';
  return refusedCall(claimed);
}

function refusedCall(refused: Refused): Refusal {
  if (refused.status === 401) return refusal(words.SESSION_ENDED, { hold: 'session' });
  if (refused.status === 0 || isUnreachable(refused.status))
    return unreachable(refused.error, refused.retryAfterSeconds);
  // The daily limit is reached: every other photo would be refused, too, and no one waits hours at a progress ring.
  if (refused.status === 429 && (refused.retryAfterSeconds ?? 0) > LONGEST_NAMED_WAIT_SECONDS)
    return refusal(refused.error, { concernsAll: true });
  if (refused.status === 429 || refused.status >= 500) return again(refused.error, refused.retryAfterSeconds ?? 3);
  // Plan limits or a deleted gallery: the next photo would be refused, too.
  return refusal(refused.error, { concernsAll: refused.status === 403 || refused.status === 404 });
}

/** A server that is starting, or a proxy without one. */
function isUnreachable(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

function unreachable(problem: string, seconds: number | null): Refusal {
  return refusal(problem, { retryAfterSeconds: seconds, hold: 'network' });
}

function again(problem: string, seconds: number): Refusal {
  return refusal(problem, { retryAfterSeconds: seconds });
}

function final(problem: string): Refusal {
  return refusal(problem, { final: true });
}

/** Without `facts` the owner decides whether to try again. */
export function refusal(problem: string, facts: Partial<Refusal> = {}): Refusal {
  return { delivered: false, problem, retryAfterSeconds: null, final: false, concernsAll: false, ...facts };
}

/** Why this file cannot become a photo here, for its owner; null if it looks fine. Reads only the header. */
export async function refusalByContent(file: File): Promise<string | null> {
  try {
    const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    if (!looksLikeJpeg(bytes)) return beginsLikeHeic(bytes) ? ONLY_JPEG_NOT_HEIC : ONLY_JPEG;
    return refusalOfHead(bytes, file.size);
  } catch {
    // Moved or deleted since it was chosen, or on a removed drive.
    return words.FILE_UNREADABLE;
  }
}
