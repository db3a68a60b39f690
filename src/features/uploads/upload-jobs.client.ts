/** One photo of the upload queue: its row, its file, and what is stored of it; and when and where there is space for it. */
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import type { Sending } from '#src/features/uploads/send-photo.client.ts';
import type { Adopted, UploadFacts } from '#src/features/uploads/upload-keeper.client.ts';
import { fingerprintOf } from '#src/features/uploads/upload-files.rules.ts';
import { LONGEST_WAIT_SECONDS, NOT_KEPT } from '#src/features/uploads/upload-tray.contract.ts';
import {
  createUploadPace,
  summarize,
  type QueueState,
  type UploadHold,
  type UploadRow,
  type UploadStage,
  type UploadSummary,
} from '#src/features/uploads/upload-summary.rules.ts';
import { createListeners } from '#src/shared/listeners.ts';

export type UploadJob = {
  row: UploadRow;
  facts: UploadFacts;
  /** Null when it was lost with a closed page, and once it is uploaded. */
  file: File | null;
  /** Of the photo that its gallery made of it. */
  photoId: number | null;
  tries: number;
  /** Epoch milliseconds. */
  notBefore: number;
  controller: AbortController | null;
  isInspected: boolean;
};

/** Files that were chosen or dropped together. */
export type Drop = {
  galleryId: number;
  affiliateId: number;
  files: readonly File[];
  folders?: readonly string[];
  /** How many more photos the gallery accepts, as far as its page knows; null without a limit. */
  photosLeft?: number | null;
  /** Where the owner can get more space. */
  upgradePath?: string | null;
  /** The gallery's editor, for the next step. */
  editorPath?: string | null;
};

type Placed = Pick<UploadFacts, 'batch' | 'place' | 'galleryId' | 'affiliateId' | 'upgradePath' | 'editorPath'>;

export function storedFormOf({ name, size, type, lastModified }: File, placed: Placed): UploadFacts {
  return {
    ...placed,
    id: `${placed.batch} ${placed.place}`,
    name,
    size,
    type,
    lastModified,
    key: null,
    insists: false,
  };
}

export function newJob(id: number, facts: UploadFacts, file: File | null): UploadJob {
  const row = rowOf(id, facts);
  return { row, facts, file, photoId: null, tries: 0, notBefore: 0, controller: null, isInspected: false };
}

/**
 * As a closed page left it: uploaded, lost, or in progress. Stored files, and those that are wanted twice, are not checked
 * again.
 */
export function restoredJob(id: number, { upload, file }: Adopted): UploadJob {
  const job = newJob(id, upload, file);
  job.isInspected = upload.insists || upload.key !== null;
  if (upload.isUp) job.row = { ...job.row, stage: 'added', sentBytes: job.row.bytes };
  else if (file === null && upload.key === null) job.row = { ...job.row, stage: 'refused', problem: NOT_KEPT };
  return job;
}

/** Its row while it waits. */
function rowOf(id: number, { galleryId, name, size, upgradePath, editorPath = null }: UploadFacts): UploadRow {
  const paths = { upgradePath, editorPath };
  return { id, galleryId, name, bytes: size, sentBytes: 0, stage: 'waiting', problem: null, ...paths };
}

export function sendingOf({ file, facts: { name, affiliateId, galleryId, batch, key } }: UploadJob): Sending {
  return { file, name, affiliateId, galleryId, batch, key };
}

/** It waits to be checked before it may be sent. */
export function isUnchecked({ row, isInspected }: UploadJob): boolean {
  return row.stage === 'waiting' && !isInspected;
}

export function isBusyStage(stage: UploadStage): boolean {
  return stage === 'waiting' || stage === 'sending' || stage === 'adding';
}

/** It was checked, and takes a place in its gallery that the gallery's page does not know about. */
export function isOnItsWay(job: UploadJob): boolean {
  return isBusyStage(job.row.stage) && !isUnchecked(job);
}

export function stopJob(job: UploadJob): void {
  job.controller?.abort();
  job.controller = null;
}

type Held = { why: UploadHold; tries: number; until: number; probe: number | null };

/**
 * Why no upload is started now: there is no network (one photo tries again after growing pauses), or the session has ended
 * (nothing is tried until someone logs in).
 */
export function createUploadHold() {
  let held: Held | null = null;

  return {
    why: (): UploadHold | null => held?.why ?? null,

    /** How many photos may be started. */
    allows(now: number): number {
      if (held === null) return Number.POSITIVE_INFINITY;
      return held.until <= now ? 1 : 0;
    },

    /** When the next one may try. */
    wakesAt: (now: number): number => (held === null || held.until <= now ? Number.POSITIVE_INFINITY : held.until),

    /** A photo that is started during a hold tries for all. */
    started(id: number, now: number): void {
      if (held) held = { ...held, probe: id, until: now + LONGEST_WAIT_SECONDS * 1_000 };
    },

    /** `by` noticed it; null when the browser reported it. Simultaneous failures count once. */
    put(why: UploadHold, { by, seconds, now }: { by: number | null; seconds: number | null; now: number }): void {
      if (held?.why === why && held.probe !== by) return;
      const tries = held?.why === why ? held.tries + 1 : 1;
      const wait = Math.max(seconds ?? 0, Math.min(LONGEST_WAIT_SECONDS, 2 ** tries));
      const until = why === 'session' ? Number.POSITIVE_INFINITY : now + wait * 1_000;
      held = { why, tries, until, probe: null };
    },

    /** Returns whether there was anything to release. */
    release(): boolean {
      const wasHeld = held !== null;
      held = null;
      return wasHeld;
    },
  };
}

/**
 * How many more photos each gallery accepts, counted here so that it is shown before anything is sent. The server counts again.
 */
export function createUploadSpace() {
  const spaces = new Map<number, { left: number; problem: string }>();

  return {
    /** @param photosLeft null without a limit, or if only the server knows */
    open(galleryId: number, photosLeft: number | null): void {
      if (photosLeft === null) spaces.delete(galleryId);
      else spaces.set(galleryId, { left: photosLeft, problem: UPGRADE_FOR_MORE_PHOTOS });
    },

    /** The server accepts no more for this gallery. */
    close: (galleryId: number, problem: string) => void spaces.set(galleryId, { left: 0, problem }),

    /** Takes a place for one photo; returns why there is none, else null. */
    take(galleryId: number): string | null {
      const space = spaces.get(galleryId);
      return space === undefined || space.left-- > 0 ? null : space.problem;
    },

    /** Full galleries may have space again: ask the server. */
    forgetAll: () => spaces.clear(),
  };
}

/** How often the total may be rendered. */
const SUMMARY_MS = 200;

/** All photos of a queue, their total, and who watches them: rows and the total separately. */
export class UploadBoard {
  readonly #stateOf: () => Pick<QueueState, 'isPaused' | 'hold' | 'keepingTrouble'>;
  readonly #jobs = new Map<number, UploadJob>();
  readonly #sentBefore = new Set<string>();
  readonly #pace = createUploadPace();
  readonly #rows = createListeners<[id: number]>();
  readonly #summaries = createListeners();
  #summary: UploadSummary;
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly watchRow = (id: number, listener: () => void) => this.#rows.watch((changed) => changed === id && listener());
  readonly watchSummary = this.#summaries.watch;
  readonly summary = (): UploadSummary => this.#summary;

  constructor(stateOf: () => Pick<QueueState, 'isPaused' | 'hold' | 'keepingTrouble'>) {
    this.#stateOf = stateOf;
    this.#summary = this.#added();
  }

  all(): UploadJob[] {
    return [...this.#jobs.values()];
  }

  those(wanted: (row: UploadRow) => boolean): UploadJob[] {
    return this.all().filter(({ row }) => wanted(row));
  }

  row(id: number): UploadRow | undefined {
    return this.#jobs.get(id)?.row;
  }

  put(job: UploadJob): void {
    this.#jobs.set(job.row.id, job);
  }

  drop(id: number): void {
    this.#jobs.delete(id);
  }

  /** It is uploaded: the same file is not sent again during this visit. */
  remember({ facts, row }: UploadJob): void {
    this.#sentBefore.add(fingerprintOf(facts, row.galleryId));
  }

  /** The server could not make pictures of a photo that its gallery had accepted: its file may be chosen again. */
  readonly refuseAdded = (photoId: number, problem: string): void => {
    for (const job of this.all()) {
      if (job.photoId !== photoId || job.row.stage !== 'added') continue;
      this.#sentBefore.delete(fingerprintOf(job.facts, job.row.galleryId));
      this.change(job, { stage: 'refused', problem });
    }
  };

  /** By fingerprint: files that are not sent again, and those that a closed page lost. */
  chosenBefore(): { seen: Set<string>; lost: Map<string, UploadJob> } {
    const seen = new Set(this.#sentBefore);
    const lost = new Map<string, UploadJob>();
    for (const job of this.all()) {
      if (job.row.problem === NOT_KEPT) lost.set(fingerprintOf(job.facts, job.row.galleryId), job);
      else if (job.row.stage !== 'refused') seen.add(fingerprintOf(job.facts, job.row.galleryId));
    }
    return { seen, lost };
  }

  change(job: UploadJob, row: Partial<UploadRow>): void {
    job.row = { ...job.row, ...row };
    this.#rows.emit(job.row.id);
    this.#timer ??= setTimeout(() => this.sumUp(), SUMMARY_MS);
  }

  sumUp(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#summary = this.#added();
    this.#summaries.emit();
  }

  resetPace(): void {
    this.#pace.reset();
  }

  #added(): UploadSummary {
    const rows = this.all().map(({ row }) => row);
    const sent = rows.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    const checking = this.all().filter(isUnchecked).length;
    return summarize(rows, { ...this.#stateOf(), checking, bytesPerSecond: this.#pace.note(Date.now(), sent) });
  }
}
