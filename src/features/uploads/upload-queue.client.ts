/**
 * The upload queue, for the whole visit: it exists outside of pages, so that owners can move about while it works. It sends
 * three at a time, retries temporary failures automatically, and waits while there is no network or no session. Rows and the
 * total are watched separately: 300 running files render a few rows, a few times a second.
 */
import type { PhotoAnswer } from '#src/features/photos/photos.contract.ts';
import {
  refusal,
  type Delivery,
  type Sending,
  type Progress,
  type Refusal,
} from '#src/features/uploads/send-photo.client.ts';
import { fingerprintOf, refusalOf } from '#src/features/uploads/upload-files.rules.ts';
import { createUploadInspector, type Inspect } from '#src/features/uploads/upload-inspection.client.ts';
import {
  createUploadHold,
  createUploadSpace,
  isBusyStage,
  isOnItsWay,
  isUnchecked,
  storedFormOf,
  newJob,
  sendingOf,
  restoredJob,
  stopJob,
  UploadBoard,
  type Drop,
  type UploadJob as Job,
} from '#src/features/uploads/upload-jobs.client.ts';
import type { Adopted, UploadKeeper } from '#src/features/uploads/upload-keeper.client.ts';
import {
  CHOSEN_TWICE,
  COUNTER_RESET_MS,
  NO_FOLDERS,
  PARALLEL_UPLOADS,
  STORE_REFUSED,
  UPLOAD_TRIES,
} from '#src/features/uploads/upload-tray.contract.ts';
import type { UploadRow } from '#src/features/uploads/upload-summary.rules.ts';
import { createListeners } from '#src/shared/listeners.ts';
import { randomKey } from '#src/shared/random-key.ts';

type Send = (parcel: Sending, progress: Progress) => Promise<Delivery>;
type QueueOptions = {
  newBatch?: () => string;
  /** Checks files before they are sent; without it none are checked. */
  inspect?: Inspect;
};

export class UploadQueue {
  readonly #send: Send;
  readonly #newBatch: () => string;
  readonly #inspector: ReturnType<typeof createUploadInspector> | null;
  readonly #hold = createUploadHold();
  readonly #spaces = createUploadSpace();
  readonly #added = createListeners<[photo: PhotoAnswer | null, galleryId: number, file: File | null]>();
  readonly #done = createListeners<[added: number, left: number]>();
  #keeper: UploadKeeper | null = null;
  #storeTrouble: string | null = null;
  #isPaused = false;
  #lastId = 0;
  #wakeTimer: ReturnType<typeof setTimeout> | null = null;
  /** When the last photo of a run was finished, in epoch milliseconds; null during work. */
  #endedAt: number | null = null;
  readonly #board = new UploadBoard(() => ({
    isPaused: this.#isPaused,
    hold: this.#hold.why(),
    keepingTrouble: this.#storeTrouble,
  }));

  /** Each `watch` returns a function that stops it. */
  readonly watchRow = this.#board.watchRow;
  readonly watchSummary = this.#board.watchSummary;
  readonly summary = this.#board.summary;
  readonly row = (id: number) => this.#board.row(id);
  readonly refuseAdded = this.#board.refuseAdded;
  /**
   * Called with each photo that a gallery accepted, with its file; null when its response or, with a closed page, its file was
   * lost.
   */
  readonly watchAdded = this.#added.watch;
  /** Called when the queue is empty (specification A§9: files-done): how many were added, and how many need their owner. */
  readonly watchDone = this.#done.watch;

  constructor(send: Send, { newBatch = randomKey, inspect }: QueueOptions = {}) {
    this.#send = send;
    this.#newBatch = newBatch;
    this.#inspector = inspect ? this.#inspectorWith(inspect) : null;
  }

  /** Adds files that were chosen together: they stay in capture order (rule 28). Refused files get a row with the reason. */
  add(drop: Drop): void {
    this.#startCounterAgain();
    this.#countSpace(drop);
    const { galleryId, files, folders = [] } = drop;
    const { seen, lost } = this.#board.chosenBefore();
    const fresh: Job[] = [];
    const put = this.#putterOf(drop, fresh);
    for (const name of folders) put(new File([], name), 'refused', NO_FOLDERS);
    for (const file of files) {
      const fingerprint = fingerprintOf(file, galleryId);
      const waits = lost.get(fingerprint);
      const why = refusalOf(file);
      if (waits) {
        // Chosen again after it was lost: it continues in its batch.
        waits.file = file;
        fresh.push(waits);
        this.#waitAgain(waits);
      } else if (why !== null) put(file, 'refused', why);
      else if (seen.has(fingerprint)) put(file, 'known', CHOSEN_TWICE);
      else put(file, 'waiting', null);
      seen.add(fingerprint);
    }
    this.#keeper?.add(fresh.map(({ facts, file }) => ({ upload: facts, file })));
    this.#goOn();
  }

  /** From here on the browser stores uploads, including those in progress. */
  storeIn(keeper: UploadKeeper | null, trouble: string | null = keeper?.trouble() ?? null): void {
    this.#storeTrouble = trouble;
    if (keeper !== null && keeper === this.#keeper) return this.#board.sumUp();
    this.#keeper = keeper;
    const open = this.#board.those(({ stage }) => isBusyStage(stage) || stage === 'failed');
    if (keeper && open.length > 0) keeper.add(open.map((job) => ({ upload: job.facts, file: job.file })));
    // Those of the run that finished before the browser's store opened belong to its count.
    if (this.isBusy()) for (const job of this.#board.those(({ stage }) => stage === 'added')) keeper?.finish(job.facts);
    this.#board.sumUp();
  }

  /** Continues what a closed page left behind. */
  restore(adopted: readonly Adopted[]): void {
    // A finished run: no one needs its count.
    if (adopted.every(({ upload }) => upload.isUp))
      return adopted.forEach(({ upload }) => this.#keeper?.drop(upload.id));
    this.#endedAt = null;
    this.#board.resetPace();
    const known = new Set(this.#board.all().map(({ facts }) => facts.id));
    for (const one of adopted) {
      if (known.has(one.upload.id)) continue;
      const job = restoredJob(++this.#lastId, one);
      job.isInspected ||= !this.#inspector;
      if (job.row.stage === 'added') this.#board.remember(job);
      this.#board.put(job);
    }
    this.#keeper?.add(adopted.map(({ upload }) => ({ upload, file: null })));
    this.#goOn();
  }

  /** Running uploads start again later; stored ones are still added. */
  pause(): void {
    this.#isPaused = true;
    for (const job of this.#board.those(({ stage }) => stage === 'sending')) {
      stopJob(job);
      job.tries--;
      this.#board.change(job, { stage: 'waiting', sentBytes: 0 });
    }
    this.#board.sumUp();
  }

  resume(): void {
    this.#isPaused = false;
    for (const job of this.#board.all()) job.notBefore = 0;
    this.tryAgain();
  }

  /** The browser reports that it is offline: only an occasional try is started, because it may be wrong. */
  offline(): void {
    this.#hold.put('network', { by: null, seconds: null, now: Date.now() });
    this.#goOn();
  }

  /** The network or the session may be back. */
  tryAgain(): void {
    this.#hold.release();
    this.#goOn();
  }

  /** One more try for a failed photo, or for one that is already in the gallery. */
  retry(id: number): void {
    this.#retryThose((row) => row.id === id && (row.stage === 'failed' || row.stage === 'known'));
  }

  retryAll(): void {
    this.#retryThose((row) => row.stage === 'failed');
  }

  /** Uploads all photos that were skipped because they are already in their gallery. */
  insistAll(): void {
    this.#retryThose((row) => row.stage === 'known');
  }

  /** Removes a row from the tray; one that is being added can no longer be stopped. */
  remove(id: number): void {
    this.#removeThose((row) => row.id === id);
  }

  /** Stops everything that is not stored yet, and empties the tray. */
  cancelAll(): void {
    this.#isPaused = false;
    this.#hold.release();
    this.#removeThose(() => true);
  }

  isBusy(): boolean {
    return this.#board.those(({ stage }) => isBusyStage(stage)).length > 0;
  }

  #inspectorWith(inspect: Inspect) {
    const settle = (job: Job, stage: 'known' | 'refused', problem: string) => {
      this.#keeper?.drop(job.facts.id);
      this.#board.change(job, { stage, problem });
    };
    return createUploadInspector({
      inspect,
      waiting: () => this.#board.all().filter(isUnchecked),
      onKnown: (job, problem) => settle(job, 'known', problem),
      onRefused: (job, problem) => settle(job, 'refused', problem),
      // Last check: neither a duplicate nor a refused file takes a place.
      onFresh: (job) => {
        const problem = this.#spaces.take(job.row.galleryId);
        if (problem !== null) this.#board.change(job, { stage: 'failed', problem });
      },
      onInspected: () => this.#pump(),
    });
  }

  #countSpace({ galleryId, photosLeft = null }: Drop): void {
    const coming = this.#board.all().filter((job) => job.row.galleryId === galleryId && isOnItsWay(job));
    this.#spaces.open(galleryId, photosLeft === null ? null : photosLeft - coming.length);
  }

  /** Makes rows of one batch, in the order of choosing; those that wait are collected in `fresh`. */
  #putterOf({ galleryId, affiliateId, upgradePath = null, editorPath = null }: Drop, fresh: Job[]) {
    const batch = this.#newBatch();
    const start = Date.now() * 1_000;
    return (file: File, stage: UploadRow['stage'], problem: string | null): void => {
      const id = ++this.#lastId;
      const place = start + fresh.length;
      const facts = storedFormOf(file, { batch, place, galleryId, affiliateId, upgradePath, editorPath });
      const job = newJob(id, facts, file);
      job.row = { ...job.row, stage, problem };
      job.isInspected = !this.#inspector;
      this.#board.put(job);
      if (stage === 'waiting') fresh.push(job);
    };
  }

  #goOn(): void {
    this.#pump();
    this.#board.sumUp();
  }

  /** Starts what may start; called whenever something ended, arrived or was waited for. */
  #pump(): void {
    const all = this.#board.all();
    const now = Date.now();
    const atWork = all.filter(({ row }) => row.stage === 'sending' || row.stage === 'adding').length;
    let free = this.#isPaused ? 0 : Math.min(PARALLEL_UPLOADS - atWork, this.#hold.allows(now));
    let nextWake = this.#hold.wakesAt(now);
    for (const job of all) {
      if (job.row.stage !== 'waiting' || !job.isInspected) continue;
      if (job.notBefore > now) nextWake = Math.min(nextWake, job.notBefore);
      else if (free > 0) {
        free--;
        void this.#deliver(job);
      }
    }
    if (this.#wakeTimer !== null) clearTimeout(this.#wakeTimer);
    const wakes = Number.isFinite(nextWake) && !this.#isPaused;
    this.#wakeTimer = wakes ? setTimeout(() => this.#pump(), nextWake - now) : null;
    void this.#inspector?.work();
    if (!this.isBusy()) this.#finish();
  }

  async #deliver(job: Job): Promise<void> {
    const controller = new AbortController();
    job.controller = controller;
    job.tries++;
    this.#hold.started(job.row.id, Date.now());
    this.#board.change(job, { stage: 'sending', sentBytes: 0, problem: null });
    let delivery: Delivery;
    try {
      delivery = await this.#send(sendingOf(job), this.#progressOf(job, controller));
    } catch {
      // Paused or canceled, which has already updated the row.
      if (controller.signal.aborted) return;
      delivery = refusal(STORE_REFUSED);
    }
    if (job.controller !== controller) return;
    job.controller = null;
    if (delivery.delivered) this.#settleDelivery(job, delivery.photo);
    else this.#settleRefusal(job, delivery);
    this.#pump();
  }

  #progressOf(job: Job, controller: AbortController): Progress {
    const isCurrent = () => job.controller === controller;
    return {
      signal: controller.signal,
      onSent: (sentBytes) => isCurrent() && this.#board.change(job, { sentBytes: Math.min(sentBytes, job.row.bytes) }),
      onKey: async (key) => {
        job.facts = { ...job.facts, key };
        if (isCurrent() && key === null) this.#board.change(job, { stage: 'sending', sentBytes: 0 });
        // The server has responded: it is back.
        if (key !== null && this.#hold.release()) this.#pump();
        await this.#keeper?.change(job.facts);
      },
      onStored: () => isCurrent() && this.#board.change(job, { stage: 'adding', sentBytes: job.row.bytes }),
    };
  }

  #settleDelivery(job: Job, photo: PhotoAnswer | null): void {
    this.#board.remember(job);
    this.#hold.release();
    this.#keeper?.finish(job.facts);
    const { file } = job;
    Object.assign(job, { file: null, photoId: photo?.id ?? null });
    this.#board.change(job, { stage: 'added', sentBytes: job.row.bytes });
    this.#added.emit(photo, job.row.galleryId, file);
  }

  #settleRefusal(job: Job, { hold, problem, retryAfterSeconds: seconds, final, concernsAll }: Refusal): void {
    if (hold) {
      // No one's fault: it does not count as a try.
      job.tries--;
      this.#hold.put(hold, { by: job.row.id, seconds, now: Date.now() });
      return this.#board.change(job, { stage: 'waiting', sentBytes: 0 });
    }
    this.#hold.release();
    if (seconds !== null && job.tries < UPLOAD_TRIES) {
      // Later tries wait longer, unless the server gave a longer time.
      job.notBefore = Date.now() + Math.max(seconds, 2 ** (job.tries - 1)) * 1_000;
      return this.#board.change(job, { stage: 'waiting', sentBytes: 0, problem });
    }
    if (final) this.#forget(job);
    this.#board.change(job, { stage: final ? 'refused' : 'failed', sentBytes: 0, problem });
    if (!concernsAll) return;
    this.#spaces.close(job.row.galleryId, problem);
    for (const other of this.#board.those(
      ({ stage, galleryId }) => stage === 'waiting' && galleryId === job.row.galleryId,
    ))
      if (other.isInspected) this.#board.change(other, { stage: 'failed', problem });
  }

  /** It is no longer in progress: nothing of it is stored, and its bytes may be chosen again. */
  #forget(job: Job): void {
    this.#keeper?.drop(job.facts.id);
    if (job.row.stage !== 'added') this.#inspector?.forget(job);
  }

  /** The run is over: nothing of it needs to be stored for another page, and its result is reported. */
  #finish(): void {
    const added = this.#board.those(({ stage }) => stage === 'added');
    if (this.#endedAt !== null || added.length === 0) return;
    this.#endedAt = Date.now();
    for (const { facts } of added) this.#keeper?.drop(facts.id);
    this.#done.emit(added.length, this.#board.those(({ stage }) => stage === 'failed' || stage === 'refused').length);
  }

  /**
   * Specification A§9: the uploaded counter starts again with photos that are chosen some time after the last one. What needs
   * its owner stays.
   */
  #startCounterAgain(): void {
    if (this.#endedAt !== null && Date.now() - this.#endedAt >= COUNTER_RESET_MS)
      for (const { row } of this.#board.those(({ stage }) => stage === 'added' || stage === 'known'))
        this.#board.drop(row.id);
    this.#endedAt = null;
  }

  #waitAgain(job: Job): void {
    job.tries = 0;
    job.notBefore = 0;
    if (job.row.stage === 'known') {
      job.isInspected = true;
      job.facts = { ...job.facts, insists: true };
      this.#keeper?.add([{ upload: job.facts, file: job.file }]);
    }
    this.#board.change(job, { stage: 'waiting', problem: null });
  }

  #retryThose(wanted: (row: UploadRow) => boolean): void {
    for (const job of this.#board.those(wanted)) this.#waitAgain(job);
    this.#hold.release();
    this.#spaces.forgetAll();
    this.#endedAt = null;
    this.#goOn();
  }

  #removeThose(wanted: (row: UploadRow) => boolean): void {
    for (const job of this.#board.those((row) => row.stage !== 'adding' && wanted(row))) {
      stopJob(job);
      this.#forget(job);
      this.#board.drop(job.row.id);
    }
    this.#goOn();
  }
}
