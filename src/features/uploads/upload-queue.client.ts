/**
 * The photos on their way up, for the whole visit: it lives beside the pages, so that owners move
 * about while it works. Three at a time; passing failures are tried again by themselves, and while the network or the
 * session is away everything waits. Rows and the total are watched apart: 300 files at work redraw a few rows, a few
 * times a second.
 */
import type { Delivery, Parcel, Progress, Refusal } from '#src/features/uploads/send-photo.client.ts';
import { fingerprintOf, refusalOf } from '#src/features/uploads/upload-choice.rules.ts';
import { createUploadHold } from '#src/features/uploads/upload-hold.client.ts';
import { createUploadInspector, type Inspect } from '#src/features/uploads/upload-inspector.client.ts';
import {
  isBusyStage,
  isOnItsWay,
  isUnchecked,
  keptOf,
  parcelOf,
  newJob,
  restoredJob,
  stopJob,
  randomText,
  type Drop,
  type UploadJob as Job,
} from '#src/features/uploads/upload-jobs.client.ts';
import type { Adopted, UploadKeeper } from '#src/features/uploads/upload-keeper.client.ts';
import {
  CHOSEN_TWICE,
  COUNTER_RESET_MS,
  NO_FOLDERS,
  NOT_KEPT,
  PARALLEL_UPLOADS,
  STORE_REFUSED,
  UPLOAD_TRIES,
} from '#src/features/uploads/upload-tray.contract.ts';
import { createUploadPace } from '#src/features/uploads/upload-pace.rules.ts';
import { summarize, type UploadRow, type UploadSummary } from '#src/features/uploads/upload-summary.rules.ts';
import { createUploadSpace } from '#src/features/uploads/upload-space.client.ts';
import { createUploadWatchers } from '#src/features/uploads/upload-watchers.client.ts';

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
  const spaces = createUploadSpace();
  const inspector =
    inspect &&
    createUploadInspector({
      inspect,
      waiting: () => [...jobs.values()].filter(isUnchecked),
      onKnown(job, problem) {
        keeper?.drop(job.kept.id);
        change(job, { stage: 'known', problem });
      },
      onRefused(job, problem) {
        keeper?.drop(job.kept.id);
        change(job, { stage: 'refused', problem });
      },
      // Last of all: neither a duplicate nor what is refused anyway takes a place.
      onFresh(job) {
        const problem = spaces.take(job.row.galleryId);
        if (problem !== null) change(job, { stage: 'failed', problem });
      },
      onInspected: () => pump(),
    });
  const those = (wanted: (row: UploadRow) => boolean) => [...jobs.values()].filter(({ row }) => wanted(row));
  const pace = createUploadPace();
  let keeper: UploadKeeper | null = null;
  let keepingTrouble: string | null = null;
  let isPaused = false;
  let lastId = 0;
  let summary = sumUp();
  let summaryTimer: ReturnType<typeof setTimeout> | null = null;
  let wakeTimer: ReturnType<typeof setTimeout> | null = null;
  /** When the last photo of a run was done, in epoch milliseconds; null while there is work. */
  let endedAt: number | null = null;

  function sumUp(): UploadSummary {
    const all = [...jobs.values()];
    const rows = all.map(({ row }) => row);
    const sent = rows.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    const bytesPerSecond = pace.note(Date.now(), sent);
    const checking = all.filter(isUnchecked).length;
    return summarize(rows, { isPaused, hold: hold.why(), keepingTrouble, checking, bytesPerSecond });
  }

  function sumUpNow(): void {
    if (summaryTimer !== null) clearTimeout(summaryTimer);
    summaryTimer = null;
    summary = sumUp();
    watchers.tellSummary();
  }

  function change(job: Job, row: Partial<UploadRow>): void {
    job.row = { ...job.row, ...row };
    watchers.tellRow(job.row.id);
    summaryTimer ??= setTimeout(sumUpNow, SUMMARY_MS);
  }

  const isBusy = () => those(({ stage }) => isBusyStage(stage)).length > 0;

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
      // Paused or cancelled: anyone who did it has put the row where it belongs. Anything else is a refusal.
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
      keeper?.finish(job.kept);
      const { file } = job;
      job.file = null;
      change(job, { stage: 'added', sentBytes: job.row.bytes });
      watchers.tellAdded(delivery.photo, job.row.galleryId, file);
    } else settleRefusal(job, delivery);
    pump();
  }

  function settleRefusal(job: Job, refusal: Refusal): void {
    if (refusal.hold) {
      // No one's fault: it counts as no try.
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
    spaces.close(job.row.galleryId, refusal.problem);
    for (const other of jobs.values()) {
      if (other.row.stage === 'waiting' && other.isInspected && other.row.galleryId === job.row.galleryId)
        change(other, { stage: 'failed', problem: refusal.problem });
    }
  }

  /** It is not on its way any more: nothing of it is kept, and its bytes may be chosen again. */
  function forget(job: Job): void {
    keeper?.drop(job.kept.id);
    if (job.row.stage !== 'added') inspector?.forget(job);
  }

  /** The run is over: nothing of it needs to be kept for another page, and its outcome is told. */
  function finish(): void {
    const added = those(({ stage }) => stage === 'added');
    if (endedAt !== null || added.length === 0) return;
    endedAt = Date.now();
    for (const { kept } of added) keeper?.drop(kept.id);
    watchers.tellDone(added.length, those(({ stage }) => stage === 'failed' || stage === 'refused').length);
  }

  /** Specification A§9: the uploaded counter starts again, with what is chosen later than a moment after the last photo. What needs its owner stays. */
  function startCounterAgain(): void {
    if (endedAt !== null && Date.now() - endedAt >= COUNTER_RESET_MS)
      for (const { row } of those(({ stage }) => stage === 'added' || stage === 'known')) jobs.delete(row.id);
    endedAt = null;
  }

  function waitAgain(job: Job): void {
    job.tries = 0;
    job.notBefore = 0;
    if (job.row.stage === 'known') {
      job.isInspected = true;
      job.kept = { ...job.kept, insists: true };
      keeper?.keep([{ upload: job.kept, file: job.file }]);
    }
    change(job, { stage: 'waiting', problem: null });
  }

  function retryThose(wanted: (row: UploadRow) => boolean): void {
    those(wanted).forEach(waitAgain);
    hold.release();
    spaces.forgetAll();
    endedAt = null;
    pump();
    sumUpNow();
  }

  function removeThose(wanted: (row: UploadRow) => boolean): void {
    for (const job of those((row) => row.stage !== 'adding' && wanted(row))) {
      stopJob(job);
      forget(job);
      jobs.delete(job.row.id);
    }
    pump();
    sumUpNow();
  }

  return {
    /** Takes what was chosen at once: it keeps capture order among itself (rule 28). Refused files get a row that says why. */
    add({
      galleryId,
      affiliateId,
      files,
      folders = [],
      photosLeft = null,
      upgradePath = null,
      editorPath = null,
    }: Drop): void {
      startCounterAgain();
      const isComing = (job: Job) => job.row.galleryId === galleryId && isOnItsWay(job);
      spaces.open(galleryId, photosLeft === null ? null : photosLeft - [...jobs.values()].filter(isComing).length);
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
        const kept = keptOf(file, { batch, place, galleryId, affiliateId, upgradePath, editorPath });
        const job = newJob(id, kept, file);
        job.row = { ...job.row, stage, problem };
        job.isInspected = !inspect;
        jobs.set(id, job);
        if (stage === 'waiting') fresh.push(job);
      };
      for (const name of folders) put(new File([], name), 'refused', NO_FOLDERS);
      for (const file of files) {
        const fingerprint = fingerprintOf(file, galleryId);
        const waits = lost.get(fingerprint);
        const refusal = refusalOf(file);
        if (waits) {
          // Chosen again after it was lost: it continues in the batch it was part of.
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
      const open = those(({ stage }) => isBusyStage(stage) || stage === 'failed');
      if (keeper && open.length > 0) keeper.keep(open.map((job) => ({ upload: job.kept, file: job.file })));
      // Those of the run that were quicker than the browser's store: they belong to its count.
      if (isBusy()) for (const job of those(({ stage }) => stage === 'added')) keeper?.finish(job.kept);
      sumUpNow();
    },

    /** Goes on with what a closed page left behind. */
    restore(adopted: readonly Adopted[]): void {
      // A run that was over: no one asks how many there were.
      if (adopted.every(({ upload }) => upload.isUp)) return adopted.forEach(({ upload }) => keeper?.drop(upload.id));
      endedAt = null;
      pace.reset();
      const known = new Set([...jobs.values()].map(({ kept }) => kept.id));
      for (const one of adopted) {
        if (known.has(one.upload.id)) continue;
        const job = restoredJob(++lastId, one);
        job.isInspected ||= !inspect;
        if (job.row.stage === 'added') sentBefore.add(fingerprintOf(job.kept, job.row.galleryId));
        jobs.set(job.row.id, job);
      }
      keeper?.keep(adopted.map(({ upload }) => ({ upload, file: null })));
      pump();
      sumUpNow();
    },

    /** What is being sent starts again later; what is stored already is still added. */
    pause(): void {
      isPaused = true;
      for (const job of those(({ stage }) => stage === 'sending')) {
        stopJob(job);
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
    /** All that are in their gallery already, and were skipped, go up again. */
    insistAll: () => retryThose((row) => row.stage === 'known'),

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
