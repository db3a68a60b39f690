/**
 * The photos on their way up, for the whole visit: it lives beside the pages, so that owners move
 * about while it works. Three at a time; passing failures are tried again by themselves. Rows and the
 * total are watched apart: 300 files at work redraw a few rows, a few times a second.
 */
import type { Delivery, Parcel, Progress } from '#src/features/photos/send-photo.client.ts';
import { fingerprintOf, refusalAmong } from '#src/features/photos/upload-choice.rules.ts';
import {
  CHOSEN_TWICE,
  COUNTER_RESET_MS,
  NO_FOLDERS,
  PARALLEL_UPLOADS,
  STORE_REFUSED,
  UPLOAD_TRIES,
} from '#src/features/photos/upload-tray.contract.ts';
import { summarize, type UploadRow } from '#src/features/photos/upload-summary.rules.ts';
import { createUploadWatchers } from '#src/features/photos/upload-watchers.client.ts';

/** What was chosen or dropped at once. */
export type Drop = {
  galleryId: number;
  affiliateId: number;
  files: readonly File[];
  folders?: readonly string[];
  /** Where the owner gets room for more photos. */
  upgradePath?: string;
};

type Job = { row: UploadRow; parcel: Parcel; tries: number; notBefore: number; controller: AbortController | null };
type Send = (parcel: Parcel, progress: Progress) => Promise<Delivery>;

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** How often the total may be redrawn. */
const SUMMARY_MS = 200;
export function createUploadQueue(send: Send, { newBatch = () => crypto.randomUUID() as string } = {}) {
  const jobs = new Map<number, Job>();
  const sentBefore = new Set<string>();
  const watchers = createUploadWatchers();
  let summary = summarize([], false);
  let isPaused = false;
  let lastId = 0;
  let summaryTimer: ReturnType<typeof setTimeout> | null = null;
  let wakeTimer: ReturnType<typeof setTimeout> | null = null;
  let resetTimer: ReturnType<typeof setTimeout> | null = null;

  function sumUp(): void {
    summary = summarize(
      [...jobs.values()].map(({ row }) => row),
      isPaused,
    );
    watchers.tellSummary();
  }

  function sumUpSoon(): void {
    summaryTimer ??= setTimeout(() => {
      summaryTimer = null;
      sumUp();
    }, SUMMARY_MS);
  }

  function sumUpNow(): void {
    if (summaryTimer !== null) clearTimeout(summaryTimer);
    summaryTimer = null;
    sumUp();
  }

  function change(job: Job, row: Partial<UploadRow>): void {
    job.row = { ...job.row, ...row };
    watchers.tellRow(job.row.id);
    sumUpSoon();
  }

  function isBusy(): boolean {
    return [...jobs.values()].some(
      ({ row }) => row.stage === 'waiting' || row.stage === 'sending' || row.stage === 'adding',
    );
  }

  /** Starts what may start; called whenever something ended, came or was waited for. */
  function pump(): void {
    const all = [...jobs.values()];
    const now = Date.now();
    let free = isPaused
      ? 0
      : PARALLEL_UPLOADS - all.filter(({ row }) => row.stage === 'sending' || row.stage === 'adding').length;
    let nextWake = Number.POSITIVE_INFINITY;
    for (const job of all) {
      if (job.row.stage !== 'waiting') continue;
      if (job.notBefore > now) nextWake = Math.min(nextWake, job.notBefore);
      else if (free > 0) {
        free--;
        void deliver(job);
      }
    }
    if (wakeTimer !== null) clearTimeout(wakeTimer);
    wakeTimer = Number.isFinite(nextWake) && !isPaused ? setTimeout(pump, nextWake - now) : null;
    if (!isBusy()) finish();
  }

  async function deliver(job: Job): Promise<void> {
    const controller = new AbortController();
    job.controller = controller;
    job.tries++;
    change(job, { stage: 'sending', sentBytes: 0, problem: null });
    let delivery: Delivery;
    try {
      delivery = await send(job.parcel, {
        signal: controller.signal,
        onSent: (sentBytes) =>
          job.controller === controller && change(job, { sentBytes: Math.min(sentBytes, job.row.bytes) }),
        onStored: () => job.controller === controller && change(job, { stage: 'adding', sentBytes: job.row.bytes }),
      });
    } catch {
      // Paused or cancelled: whoever did it has put the row where it belongs. Anything else is a refusal.
      if (controller.signal.aborted) return;
      delivery = {
        delivered: false,
        problem: STORE_REFUSED,
        retryAfterSeconds: null,
        final: false,
        concernsAll: false,
      };
    }
    if (job.controller !== controller) return;
    job.controller = null;
    settle(job, delivery);
    pump();
  }

  function settle(job: Job, delivery: Delivery): void {
    const { galleryId, file } = job.parcel;
    if (delivery.delivered) {
      sentBefore.add(fingerprintOf(file, galleryId));
      change(job, { stage: 'added', sentBytes: job.row.bytes });
      watchers.tellAdded(delivery.photo, galleryId);
      return;
    }
    if (delivery.retryAfterSeconds !== null && job.tries < UPLOAD_TRIES) {
      // Later tries wait longer, unless the server named a longer time.
      job.notBefore = Date.now() + Math.max(delivery.retryAfterSeconds, 2 ** (job.tries - 1)) * 1_000;
      change(job, { stage: 'waiting', sentBytes: 0, problem: delivery.problem });
      return;
    }
    change(job, { stage: delivery.final ? 'refused' : 'failed', sentBytes: 0, problem: delivery.problem });
    if (!delivery.concernsAll) return;
    for (const other of jobs.values()) {
      if (other.row.stage === 'waiting' && other.row.galleryId === galleryId)
        change(other, { stage: 'failed', problem: delivery.problem });
    }
  }

  /** The uploaded counter starts again a moment after the last photo; what needs a decision stays. */
  function finish(): void {
    if (resetTimer !== null || ![...jobs.values()].some(({ row }) => row.stage === 'added')) return;
    resetTimer = setTimeout(() => {
      resetTimer = null;
      for (const { row } of jobs.values()) if (row.stage === 'added') jobs.delete(row.id);
      sumUpNow();
    }, COUNTER_RESET_MS);
  }

  function stopReset(): void {
    if (resetTimer !== null) clearTimeout(resetTimer);
    resetTimer = null;
  }

  function waitAgain(job: Job): void {
    job.tries = 0;
    job.notBefore = 0;
    change(job, { stage: 'waiting', problem: null, mayInsist: false });
  }

  return {
    /** Takes what was chosen at once: it keeps capture order among itself (decision 28). Refused files get a row that says why. */
    add({ galleryId, affiliateId, files, folders = [] }: Drop): void {
      stopReset();
      const batch = newBatch();
      const known = new Set(sentBefore);
      for (const { row, parcel } of jobs.values())
        if (row.stage !== 'refused') known.add(fingerprintOf(parcel.file, row.galleryId));
      const put = (file: File, problem: string | null) => {
        const row: UploadRow = {
          id: ++lastId,
          galleryId,
          name: file.name,
          bytes: file.size,
          sentBytes: 0,
          stage: problem === null ? 'waiting' : 'refused',
          problem,
          mayInsist: problem === CHOSEN_TWICE,
        };
        jobs.set(row.id, {
          row,
          parcel: { file, affiliateId, galleryId, batch },
          tries: 0,
          notBefore: 0,
          controller: null,
        });
      };
      for (const name of folders) put(new File([], name), NO_FOLDERS);
      for (const file of files) {
        put(file, refusalAmong(file, known, galleryId));
        known.add(fingerprintOf(file, galleryId));
      }
      pump();
      sumUpNow();
    },

    /** What is being sent starts again later; what is stored already is still added. */
    pause(): void {
      isPaused = true;
      for (const job of jobs.values()) {
        if (job.row.stage !== 'sending') continue;
        job.controller?.abort();
        job.controller = null;
        job.tries--;
        change(job, { stage: 'waiting', sentBytes: 0 });
      }
      sumUpNow();
    },

    resume(): void {
      isPaused = false;
      for (const job of jobs.values()) job.notBefore = 0;
      pump();
      sumUpNow();
    },

    /** One more round for a failed photo, or for one that was chosen twice. */
    retry(id: number): void {
      const job = jobs.get(id);
      if (!job || !(job.row.stage === 'failed' || job.row.mayInsist)) return;
      waitAgain(job);
      stopReset();
      pump();
      sumUpNow();
    },

    retryAll(): void {
      for (const job of jobs.values()) if (job.row.stage === 'failed') waitAgain(job);
      stopReset();
      pump();
      sumUpNow();
    },

    /** Takes a row out of the tray; one that is being added cannot be stopped any more. */
    remove(id: number): void {
      const job = jobs.get(id);
      if (!job || job.row.stage === 'adding') return;
      job.controller?.abort();
      job.controller = null;
      jobs.delete(id);
      pump();
      sumUpNow();
    },

    /** Stops everything that is not stored yet, and empties the tray. */
    cancelAll(): void {
      for (const job of jobs.values()) {
        if (job.row.stage === 'adding') continue;
        job.controller?.abort();
        job.controller = null;
        jobs.delete(job.row.id);
      }
      isPaused = false;
      pump();
      sumUpNow();
    },

    isBusy,
    summary: () => summary,
    row: (id: number): UploadRow | undefined => jobs.get(id)?.row,
    watchSummary: watchers.watchSummary,
    watchRow: watchers.watchRow,
    watchAdded: watchers.watchAdded,
  };
}
