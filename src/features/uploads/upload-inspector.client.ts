/** Looks at the waiting photos of the queue, a portion at a time and ahead of the sending: what is in its gallery already, or cannot be a photo, takes no place there. */
import type { Inspected } from '#src/features/uploads/upload-inspection.client.ts';
import type { UploadJob } from '#src/features/uploads/upload-jobs.client.ts';
import { ALREADY_HERE, CHOSEN_AGAIN } from '#src/features/uploads/upload-tray.contract.ts';

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
