/** One photo's way from this computer into a gallery: signed form, storage, claim (design/api, "Uploads"). */
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import { beginsLikeJpeg, uploadNameOf } from '#src/features/photos/upload-choice.rules.ts';
import {
  FILE_UNREADABLE,
  SESSION_ENDED,
  STORE_FULL,
  STORE_REFUSED,
  STORE_UNREACHABLE,
  TOO_LARGE,
} from '#src/features/photos/upload-tray.contract.ts';
import { ONLY_JPEG, type PolicyAnswer } from '#src/features/photos/uploads.contract.ts';
import { callApi, type Refused } from '#src/web/api-client.ts';

export type Parcel = { file: File; affiliateId: number; galleryId: number; batch: string };

export type Delivery =
  | { delivered: true; photo: PhotoAnswer | null }
  | {
      delivered: false;
      problem: string;
      /** Worth another try by itself after so many seconds; null: the owner decides. */
      retryAfterSeconds: number | null;
      /** The file itself is wrong: no try will help. */
      final: boolean;
      /** The same would be said to every other photo of this gallery. */
      concernsAll: boolean;
    };

export type Progress = {
  signal: AbortSignal;
  /** Bytes of the file that have left this computer. */
  onSent: (bytes: number) => void;
  /** The storage has it; from here on it cannot be taken back. */
  onStored: () => void;
};

/** What a file is uploaded as: for a member its gallery's, for a contributor their key's (decision 4). */
export type UploadRequest = { address: string; body: Record<string, unknown> };

/** An uploaded file waits in the storage under its key until it is claimed. */
export type Stored = { storedKey: string };

/** Refusals are answers; it throws only when `signal` was aborted before the storage had the file. */
export async function sendPhoto(parcel: Parcel, progress: Progress): Promise<Delivery> {
  const sent = await storeFile(
    parcel.file,
    {
      address: `/api/v1/policy?timestamp=${Date.now()}&gallery_id=${parcel.galleryId}`,
      body: { affiliate_id: parcel.affiliateId },
    },
    progress,
  );
  return 'storedKey' in sent ? claim(parcel, sent.storedKey) : sent;
}

/** Signed form, then storage. As `sendPhoto`, without the claim. */
export async function storeFile(file: File, request: UploadRequest, progress: Progress): Promise<Stored | Delivery> {
  const unreadable = await refusalByContent(file);
  if (unreadable) return final(unreadable);
  const signed = await callApi<PolicyAnswer>('POST', request.address, {
    body: { ...request.body, filename: uploadNameOf(file.name) },
    signal: progress.signal,
  });
  if (!signed.ok) return refusedCall(signed);
  const refusal = await postForm(signed.data, file, progress);
  if (refusal) return refusal;
  progress.onStored();
  return { storedKey: signed.data.key };
}

async function refusalByContent(file: File): Promise<string | null> {
  try {
    return beginsLikeJpeg(new Uint8Array(await file.slice(0, 3).arrayBuffer())) ? null : ONLY_JPEG;
  } catch {
    // Moved or deleted since it was chosen, or on a drive that is gone.
    return FILE_UNREADABLE;
  }
}

/** The form as it was signed, in its order, the file last. By XMLHttpRequest, because `fetch` tells nothing of what has left. */
function postForm(policy: PolicyAnswer, file: File, { signal, onSent }: Progress): Promise<Delivery | null> {
  const { error: _error, url, ...fields } = policy;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.addEventListener('progress', (event) =>
      onSent(event.total === 0 ? 0 : Math.round((event.loaded / event.total) * file.size)),
    );
    request.addEventListener('load', () => resolve(request.status === 201 ? null : refusedForm(request)));
    request.addEventListener('error', () => resolve(again(STORE_UNREACHABLE, 2)));
    request.addEventListener('timeout', () => resolve(again(STORE_UNREACHABLE, 2)));
    request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.timeout = UPLOAD_TIMEOUT_MS;
    request.open('POST', url);
    request.send(form);
    if (signal.aborted) request.abort();
  });
}

/** 10 MB at 200 kbit/s take seven minutes; the form itself lives ten. */
const UPLOAD_TIMEOUT_MS = 540_000;

/** The storage speaks S3's XML; its words are for programs, ours are for people. */
function refusedForm(request: XMLHttpRequest): Delivery {
  const code = /<Code>([A-Za-z]+)<\/Code>/.exec(request.responseText)?.[1] ?? '';
  if (code === 'EntityTooLarge') return final(TOO_LARGE);
  if (code === 'InsufficientStorage' || request.status === 507)
    return { ...again(STORE_FULL, 0), retryAfterSeconds: null, concernsAll: true };
  const seconds = Number(request.getResponseHeader('retry-after') ?? Number.NaN);
  if (request.status === 429 || request.status >= 500)
    return again(STORE_REFUSED, Number.isFinite(seconds) ? Math.max(1, seconds) : 3);
  // A form that ran out (AccessDenied) is signed anew at the next try.
  return again(STORE_REFUSED, 1);
}

const CLAIM_TRIES = 4;
const CONFLICT = 409;

/** The object is stored, so the claim alone is repeated. "Added already" after an answer that never came means that the first claim worked. */
async function claim(parcel: Parcel, key: string): Promise<Delivery> {
  const body = { photo: { key, name: parcel.file.name, batch: parcel.batch } };
  for (let attempt = 1; ; attempt++) {
    const claimed = await callApi<PhotoAnswer>('POST', `/api/v1/galleries/${parcel.galleryId}/gallery_photos`, {
      body,
    });
    if (claimed.ok) return { delivered: true, photo: claimed.data };
    if (claimed.status === CONFLICT && attempt > 1) return { delivered: true, photo: null };
    if (attempt === CLAIM_TRIES || !isPassing(claimed)) return refusedCall(claimed);
    await new Promise((resolve) => setTimeout(resolve, (claimed.retryAfterSeconds ?? 2 ** attempt) * 1_000));
  }
}

function isPassing(refused: Refused): boolean {
  return refused.status === 0 || refused.status === 429 || refused.status >= 500;
}

function refusedCall(refused: Refused): Delivery {
  if (refused.status === 401) return { ...again(SESSION_ENDED, 0), retryAfterSeconds: null, concernsAll: true };
  if (isPassing(refused)) return again(refused.error, refused.retryAfterSeconds ?? 3);
  // Plan limits, a gallery that is gone: the next photo would hear the same.
  const concernsAll = refused.status === 403 || refused.status === 404;
  return { delivered: false, problem: refused.error, retryAfterSeconds: null, final: false, concernsAll };
}

function again(problem: string, seconds: number): Extract<Delivery, { delivered: false }> {
  return { delivered: false, problem, retryAfterSeconds: seconds, final: false, concernsAll: false };
}

function final(problem: string): Delivery {
  return { delivered: false, problem, retryAfterSeconds: null, final: true, concernsAll: false };
}
