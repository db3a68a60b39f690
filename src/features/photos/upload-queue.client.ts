/**
 * The photos on their way up, for the whole visit: it lives beside the pages, so that owners move
 * about while it works. Three at a time; passing failures are tried again by themselves, and while the network or the
 * session is away everything waits. Rows and the total are watched apart: 300 files at work redraw a few rows, a few
 * times a second.
 */
import type { Delivery, Parcel, Progress, Refusal } from '#src/features/photos/send-photo.client.ts';
import { fingerprintOf, refusalOf } from '#src/features/photos/upload-choice.rules.ts';
import { createUploadHold } from '#src/features/photos/upload-hold.client.ts';
import { createUploadInspector, type Inspect } from '#src/features/photos/upload-inspector.client.ts';
import {
  isBusyStage,
  keptOf,
  parcelOf,
  rowOf,
  type UploadJob as Job,
} from '#src/features/photos/upload-jobs.client.ts';
import type { Adopted, UploadKeeper } from '#src/features/photos/upload-keeper.client.ts';
import {
  CHOSEN_TWICE,
  COUNTER_RESET_MS,
  NO_FOLDERS,
  NOT_KEPT,
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

type Send = (parcel: Parcel, progress: Progress) => Promise<Delivery>;
type QueueOptions = {
  newBatch?: () => string;
  /** Looks at files before they travel; without it none is looked at. */
  inspect?: Inspect;
};

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** How often the total may be redrawn. */
const SUMMARY_MS = 200;

export function createUploadQueue(send: Send, { newBatch = randomText, inspect }: QueueOptions = {}) {
  const jobs = new Map<number, Job>();
  const sentBefore = new Set<string>();
  const watchers = createUploadWatchers();
  const hold = createUploadHold();
  const inspector =
    inspect &&
    createUploadInspector({
      inspect,
      waiting: () => [...jobs.values()].filter((job) => job.row.stage === 'waiting' && !job.isInspected),
      onKnown: (job, problem) => change(job, { stage: 'known', problem }),
      onInspected: () => pump(),
    });
  let keeper: UploadKeeper | null = null;
  let keepingTrouble: string | null = null;
  let isPaused = false;
  let lastId = 0;
  let summary = summarize([], { isPaused, hold: null, keepingTrouble });
  let summaryTimer: ReturnType<typeof setTimeout> | null = null;
  let wakeTimer: ReturnType<typeof setTimeout> | null = null;
  let resetTimer: ReturnType<typeof setTimeout> | null = null;

  function sumUpNow(): void {
    if (summaryTimer !== null) clearTimeout(summaryTimer);
    summaryTimer = null;
    summary = summarize(
      [...jobs.values()].map(({ row }) => row),
      { isPaused, hold: hold.why(), keepingTrouble },
    );
    watchers.tellSummary();
  }

  function change(job: Job, row: Partial<UploadRow>): void {
    job.row = { ...job.row, ...row };
    watchers.tellRow(job.row.id);
    summaryTimer ??= setTimeout(sumUpNow, SUMMARY_MS);
  }

  const isBusy = () => [...jobs.values()].some(({ row }) => isBusyStage(row.stage));

  /** Starts what may start; called whenever something ended, came or was waited for. */
  function pump(): void {
    const all = [...jobs.values()];
    const now = Date.now();
    const atWork = all.filter(({ row }) => row.stage === 'sending' || row.stage === 'adding').length;
    let free = isPaused ? 0 : Math.min(PARALLEL_UPLOADS - atWork, hold.allows(now));
    let nextWake = hold.wakesAt(now);
    for (const job of all) {
      if (job.row.stage !== 'waiting' || !job.isInspected) continue;
      if (job.notBefore > now) nextWake = Math.min(nextWake, job.notBefore);
      else if (free > 0) {
        free--;
        void deliver(job);
      }
    }
    if (wakeTimer !== null) clearTimeout(wakeTimer);
    wakeTimer = Number.isFinite(nextWake) && !isPaused ? setTimeout(pump, nextWake - now) : null;
    void inspector?.work();
    if (!isBusy()) finish();
  }

  async function deliver(job: Job): Promise<void> {
    const controller = new AbortController();
    const isCurrent = () => job.controller === controller;
    job.controller = controller;
    job.tries++;
    hold.started(job.row.id, Date.now());
    change(job, { stage: 'sending', sentBytes: 0, problem: null });
    let delivery: Delivery;
    try {
      delivery = await send(parcelOf(job), {
        signal: controller.signal,
        onSent: (sentBytes) => isCurrent() && change(job, { sentBytes: Math.min(sentBytes, job.row.bytes) }),
        async onKey(key) {
          job.kept = { ...job.kept, key };
          if (isCurrent() && key === null) change(job, { stage: 'sending', sentBytes: 0 });
          // The server has answered: whatever was away is there again.
          if (key !== null && hold.release()) pump();
          await keeper?.change(job.kept);
        },
        onStored: () => isCurrent() && change(job, { stage: 'adding', sentBytes: job.row.bytes }),
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
    if (!isCurrent()) return;
    job.controller = null;
    if (delivery.delivered) {
      sentBefore.add(fingerprintOf(job.kept, job.row.galleryId));
      hold.release();
      keeper?.drop(job.kept.id);
      // What is up needs no memory of this window any more.
      job.file = null;
      change(job, { stage: 'added', sentBytes: job.row.bytes });
      watchers.tellAdded(delivery.photo, job.row.galleryId);
    } else settleRefusal(job, delivery);
    pump();
  }

  function settleRefusal(job: Job, refusal: Refusal): void {
    if (refusal.hold) {
      // Nobody's fault: it counts as no try.
      job.tries--;
      hold.put(refusal.hold, { by: job.row.id, seconds: refusal.retryAfterSeconds, now: Date.now() });
      change(job, { stage: 'waiting', sentBytes: 0 });
      return;
    }
    hold.release();
    if (refusal.retryAfterSeconds !== null && job.tries < UPLOAD_TRIES) {
      // Later tries wait longer, unless the server named a longer time.
      job.notBefore = Date.now() + Math.max(refusal.retryAfterSeconds, 2 ** (job.tries - 1)) * 1_000;
      change(job, { stage: 'waiting', sentBytes: 0, problem: refusal.problem });
      return;
    }
    if (refusal.final) forget(job);
    change(job, { stage: refusal.final ? 'refused' : 'failed', sentBytes: 0, problem: refusal.problem });
    if (!refusal.concernsAll) return;
    for (const other of jobs.values()) {
      if (other.row.stage === 'waiting' && other.row.galleryId === job.row.galleryId)
        change(other, { stage: 'failed', problem: refusal.problem });
    }
  }

  /** It is not on its way any more: nothing of it is kept, and its bytes may be chosen again. */
  function forget(job: Job): void {
    keeper?.drop(job.kept.id);
    if (job.row.stage !== 'added') inspector?.forget(job);
  }

  /** The uploaded counter starts again a moment after the last photo; what needs a decision stays. */
  function finish(): void {
    const added = [...jobs.values()].filter(({ row }) => row.stage === 'added');
    if (resetTimer !== null || added.length === 0) return;
    watchers.tellDone(added.length, jobs.size - added.length);
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

  function stop(job: Job): void {
    job.controller?.abort();
    job.controller = null;
  }

  function waitAgain(job: Job): void {
    job.tries = 0;
    job.notBefore = 0;
    if (job.row.stage === 'known') {
      job.isInspected = true;
      job.kept = { ...job.kept, insists: true };
      void keeper?.change(job.kept);
    }
    change(job, { stage: 'waiting', problem: null });
  }

  function retryThose(wanted: (row: UploadRow) => boolean): void {
    for (const job of jobs.values()) if (wanted(job.row)) waitAgain(job);
    hold.release();
    stopReset();
    pump();
    sumUpNow();
  }

  function removeThose(wanted: (row: UploadRow) => boolean): void {
    for (const job of jobs.values()) {
      if (job.row.stage === 'adding' || !wanted(job.row)) continue;
      stop(job);
      forget(job);
      jobs.delete(job.row.id);
    }
    pump();
    sumUpNow();
  }

  return {
    /** Takes what was chosen at once: it keeps capture order among itself (decision 28). Refused files get a row that says why. */
    add({ galleryId, affiliateId, files, folders = [], upgradePath }: Drop): void {
      stopReset();
      const batch = newBatch();
      const seen = new Set(sentBefore);
      const lost = new Map<string, Job>();
      for (const job of jobs.values()) {
        if (job.row.problem === NOT_KEPT) lost.set(fingerprintOf(job.kept, job.row.galleryId), job);
        else if (job.row.stage !== 'refused') seen.add(fingerprintOf(job.kept, job.row.galleryId));
      }
      const start = Date.now() * 1_000;
      const fresh: Job[] = [];
      const put = (file: File, stage: UploadRow['stage'], problem: string | null) => {
        const id = ++lastId;
        const place = start + fresh.length;
        const kept = keptOf(file, { batch, place, galleryId, affiliateId, upgradePath: upgradePath ?? null });
        const job: Job = {
          row: { ...rowOf(id, kept), stage, problem },
          kept,
          file,
          tries: 0,
          notBefore: 0,
          controller: null,
          isInspected: !inspect,
        };
        jobs.set(id, job);
        if (stage !== 'refused') fresh.push(job);
      };
      for (const name of folders) put(new File([], name), 'refused', NO_FOLDERS);
      for (const file of files) {
        const fingerprint = fingerprintOf(file, galleryId);
        const waits = lost.get(fingerprint);
        const refusal = refusalOf(file);
        if (waits) {
          // Chosen again after it was lost: it goes on in the batch it was part of.
          waits.file = file;
          fresh.push(waits);
          waitAgain(waits);
        } else if (refusal !== null) put(file, 'refused', refusal);
        else if (seen.has(fingerprint)) put(file, 'known', CHOSEN_TWICE);
        else put(file, 'waiting', null);
        seen.add(fingerprint);
      }
      keeper?.keep(fresh.map(({ kept, file }) => ({ upload: kept, file })));
      pump();
      sumUpNow();
    },

    /** From here on uploads are kept by the browser; those under way are, too. */
    keepIn(kept: UploadKeeper | null, trouble: string | null = kept?.trouble() ?? null): void {
      keepingTrouble = trouble;
      if (kept !== null && kept === keeper) return sumUpNow();
      keeper = kept;
      const open = [...jobs.values()].filter(({ row }) => row.stage !== 'refused' && row.stage !== 'added');
      if (keeper && open.length > 0) keeper.keep(open.map((job) => ({ upload: job.kept, file: job.file })));
      sumUpNow();
    },

    /** Goes on with what a closed page left behind. */
    restore(adopted: readonly Adopted[]): void {
      const known = new Set([...jobs.values()].map(({ kept }) => kept.id));
      for (const { upload, file } of adopted) {
        if (known.has(upload.id)) continue;
        const row = rowOf(++lastId, upload);
        const isLost = file === null && upload.key === null;
        jobs.set(row.id, {
          row: isLost ? { ...row, stage: 'refused', problem: NOT_KEPT } : row,
          kept: upload,
          file,
          tries: 0,
          notBefore: 0,
          controller: null,
          isInspected: !inspect || upload.insists || upload.key !== null,
        });
      }
      keeper?.keep(adopted.map(({ upload }) => ({ upload, file: null })));
      pump();
      sumUpNow();
    },

    /** What is being sent starts again later; what is stored already is still added. */
    pause(): void {
      isPaused = true;
      for (const job of jobs.values()) {
        if (job.row.stage !== 'sending') continue;
        stop(job);
        job.tries--;
        change(job, { stage: 'waiting', sentBytes: 0 });
      }
      sumUpNow();
    },

    resume(): void {
      isPaused = false;
      for (const job of jobs.values()) job.notBefore = 0;
      hold.release();
      pump();
      sumUpNow();
    },

    /** The browser says that it is offline: nothing is started but a try now and then, for it may be wrong. */
    offline(): void {
      hold.put('network', { by: null, seconds: null, now: Date.now() });
      pump();
      sumUpNow();
    },

    /** Whatever was away may be there again. */
    tryAgain(): void {
      hold.release();
      pump();
      sumUpNow();
    },

    /** One more round for a failed photo, or for one that is in the gallery already. */
    retry: (id: number) => retryThose((row) => row.id === id && (row.stage === 'failed' || row.stage === 'known')),
    retryAll: () => retryThose((row) => row.stage === 'failed'),
    /** All that are in their gallery already go up again, or stay here. */
    insistAll: () => retryThose((row) => row.stage === 'known'),
    skipKnown: () => removeThose((row) => row.stage === 'known'),

    /** Takes a row out of the tray; one that is being added cannot be stopped any more. */
    remove: (id: number) => removeThose((row) => row.id === id),

    /** Stops everything that is not stored yet, and empties the tray. */
    cancelAll(): void {
      isPaused = false;
      hold.release();
      removeThose(() => true);
    },

    isBusy,
    summary: () => summary,
    row: (id: number): UploadRow | undefined => jobs.get(id)?.row,
    watchSummary: watchers.watchSummary,
    watchRow: watchers.watchRow,
    watchAdded: watchers.watchAdded,
    watchDone: watchers.watchDone,
  };
}

/** Also where `crypto.randomUUID` is not: on addresses without TLS. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
