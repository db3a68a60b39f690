/** Checks files before they are sent: those that are already in the gallery, or cannot become photos, are not uploaded. */
import { refusalByContent } from '#src/features/uploads/send-photo.client.ts';
import type { UploadJob } from '#src/features/uploads/upload-jobs.client.ts';
import { ALREADY_HERE, CHOSEN_AGAIN } from '#src/features/uploads/upload-tray.contract.ts';
import { api } from '#src/web/api-client.ts';

/**
 * The SHA-256 of a file in hex, off the main thread; null if the browser has none (pages without TLS) or the file cannot be
 * read, which is reported when it is sent.
 */
async function sha256Of(file: File): Promise<string | null> {
  // Typed as always present, but missing on pages without TLS.
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
  /** Null if it could not be computed. */
  sha256: string | null;
  isKnown: boolean;
  /** Why the file cannot become a photo here. */
  refusal: string | null;
};

/** Reads one file at a time, off the main thread. Files without a hash are uploaded without the check. */
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
    inBackground: true,
  });
  const known = new Set(answer.ok ? answer.data.known : []);
  return found.map((one) => ({ ...one, isKnown: one.sha256 !== null && known.has(one.sha256) }));
}

export type Inspect = (galleryId: number, files: readonly File[]) => Promise<Inspected[]>;

/** A small first portion, so that sending starts immediately. */
const FIRST_PORTION = 3;
const LARGEST_PORTION = 48;

type Inspection = {
  inspect: Inspect;
  /** Jobs to check, in the order of choosing. */
  waiting: () => UploadJob[];
  onKnown: (job: UploadJob, problem: string) => void;
  onRefused: (job: UploadJob, problem: string) => void;
  /** Nothing prevents the upload. */
  onFresh: (job: UploadJob) => void;
  onInspected: () => void;
};

export function createUploadInspector(inspection: Inspection) {
  const { inspect, waiting, onKnown, onRefused, onFresh, onInspected } = inspection;
  /**
   * The job that uploads these bytes to that gallery. Finished ones stay until the page is left, because the server may not
   * know their photos yet.
   */
  const jobs = new Map<string, UploadJob>();
  let isWorking = false;

  function settle(job: UploadJob, found: Inspected | undefined): void {
    job.isInspected = true;
    if (found?.refusal) return onRefused(job, found.refusal);
    if (!found?.sha256) return onFresh(job);
    const bytes = `${job.row.galleryId} ${found.sha256}`;
    if (jobs.has(bytes)) return onKnown(job, CHOSEN_AGAIN);
    if (found.isKnown) return onKnown(job, ALREADY_HERE);
    jobs.set(bytes, job);
    onFresh(job);
  }

  return {
    async work(): Promise<void> {
      if (isWorking) return;
      isWorking = true;
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
      isWorking = false;
    },

    /** These bytes were not uploaded after all. */
    forget(job: UploadJob): void {
      for (const [bytes, other] of jobs) if (other === job) jobs.delete(bytes);
    },
  };
}
