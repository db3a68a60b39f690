/** Looks at files before they travel: what is in its gallery already, or cannot be a photo, takes no place there. */
import { refusalByContent } from '#src/features/uploads/send-photo.client.ts';
import type { UploadJob } from '#src/features/uploads/upload-jobs.client.ts';
import { ALREADY_HERE, CHOSEN_AGAIN } from '#src/features/uploads/upload-tray.contract.ts';
import { api } from '#src/web/api-client.ts';

/**
 * The SHA-256 of a file in hex, off the main thread; null where the browser has none (pages without TLS) or the file
 * cannot be read, which is told when it is sent.
 */
async function sha256Of(file: File): Promise<string | null> {
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

export type Inspected = {
  /** Null where it cannot be told. */
  sha256: string | null;
  isKnown: boolean;
  /** Why the file cannot be a photo here. */
  refusal: string | null;
};

/** One file is read at a time, off the main thread. What cannot be told is not offered: the upload continues. */
export async function inspectPhotos(galleryId: number, files: readonly File[]): Promise<Inspected[]> {
  const found: Inspected[] = [];
  for (const file of files) {
    const refusal = await refusalByContent(file);
    found.push({ sha256: refusal === null ? await sha256Of(file) : null, isKnown: false, refusal });
  }
  const hashes = found.flatMap(({ sha256 }) => sha256 ?? []);
  if (hashes.length === 0) return found;
  const answer = await api('POST /api/v1/galleries/{id}/gallery_photos/known', {
    params: { id: galleryId },
    body: { sha256: hashes },
  });
  const known = new Set(answer.ok ? answer.data.known : []);
  return found.map((one) => ({ ...one, isKnown: one.sha256 !== null && known.has(one.sha256) }));
}

export type Inspect = (galleryId: number, files: readonly File[]) => Promise<Inspected[]>;

/** The first files are looked at in a small portion, so that sending begins at once. */
const FIRST_PORTION = 3;
const LARGEST_PORTION = 48;

export function createUploadInspector({
  inspect,
  waiting,
  onKnown,
  onRefused,
  onFresh,
  onInspected,
}: {
  inspect: Inspect;
  /** Those that are to be looked at, in the order of choosing. */
  waiting: () => UploadJob[];
  onKnown: (job: UploadJob, problem: string) => void;
  onRefused: (job: UploadJob, problem: string) => void;
  /** Nothing speaks against it. */
  onFresh: (job: UploadJob) => void;
  onInspected: () => void;
}) {
  /** Who brings these bytes into that gallery; what went up during this visit stays, for the server may not know it yet. */
  const carriers = new Map<string, UploadJob>();
  let isAtWork = false;

  function settle(job: UploadJob, found: Inspected | undefined): void {
    job.isInspected = true;
    if (found?.refusal) return onRefused(job, found.refusal);
    if (!found?.sha256) return onFresh(job);
    const bytes = `${job.row.galleryId} ${found.sha256}`;
    if (carriers.has(bytes)) return onKnown(job, CHOSEN_AGAIN);
    if (found.isKnown) return onKnown(job, ALREADY_HERE);
    carriers.set(bytes, job);
    onFresh(job);
  }

  return {
    async work(): Promise<void> {
      if (isAtWork) return;
      isAtWork = true;
      for (let portion = FIRST_PORTION; ; portion = Math.min(portion * 4, LARGEST_PORTION)) {
        const some = waiting().slice(0, LARGEST_PORTION);
        const galleryId = some[0]?.row.galleryId;
        if (galleryId === undefined) break;
        const together = some
          .filter(({ row }) => row.galleryId === galleryId)
          .flatMap((job) => (job.file ? [{ job, file: job.file }] : []))
          .slice(0, portion);
        const files = together.map(({ file }) => file);
        const found = await inspect(galleryId, files).catch(() => []);
        const still = new Set(waiting());
        for (const [index, { job }] of together.entries()) if (still.has(job)) settle(job, found[index]);
        onInspected();
      }
      isAtWork = false;
    },

    /** These bytes did not go up after all. */
    forget(job: UploadJob): void {
      for (const [bytes, carrier] of carriers) if (carrier === job) carriers.delete(bytes);
    },
  };
}
